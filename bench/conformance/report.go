//go:build cgo

package main

import (
	"fmt"
	"io"
	"strings"
)

// report counts the verdicts by file.
type report struct {
	show   int
	files  []string
	counts map[string]*[verdicts]int
	shown  map[string]int
	notes  []string
}

func newReport(show int) *report {
	return &report{show: show, counts: map[string]*[verdicts]int{}, shown: map[string]int{}}
}

func (r *report) add(c answered, v verdict, what string) {
	counts := r.counts[c.File]
	if counts == nil {
		counts = &[verdicts]int{}
		r.counts[c.File] = counts
		r.files = append(r.files, c.File)
	}
	counts[v]++
	if v == agree || v == needs {
		return
	}
	key := fmt.Sprint(c.File, v)
	if r.shown[key]++; r.shown[key] <= r.show {
		r.notes = append(r.notes, fmt.Sprintf("%s, %s:\n    %s\n  %s", c.File, v, strings.ReplaceAll(strings.TrimSpace(uncommented(c.SQL)), "\n", "\n    "), what))
	}
}

// print writes the differences and the table, in Markdown.
func (r *report) print(out io.Writer) error {
	for _, n := range r.notes {
		fmt.Fprintln(out, n)
	}
	fmt.Fprintln(out, "| file | statements | agree | refused | needs | other error | fails | order | differs |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	var all [verdicts]int
	for _, f := range r.files {
		for v, n := range r.counts[f] {
			all[v] += n
		}
		writeRow(out, f, r.counts[f])
	}
	writeRow(out, "**all**", &all)
	judged := sum(&all) - all[needs]
	if judged > 0 {
		_, err := fmt.Fprintf(out, "\nOf %d that need nothing else: %.1f %% agree, %.1f %% are refused by name, %d differ without an error.\n",
			judged, 100*float64(all[agree])/float64(judged), 100*float64(all[refused])/float64(judged), all[differs])
		return err
	}
	return nil
}

func sum(counts *[verdicts]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func writeRow(out io.Writer, name string, counts *[verdicts]int) {
	fmt.Fprintf(out, "| %s | %d |", name, sum(counts))
	for _, n := range counts {
		fmt.Fprintf(out, " %d |", n)
	}
	fmt.Fprintln(out)
}
