package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// table prints how many programs got each verdict.
func table(w io.Writer, judged []judgement) {
	var count [len(verdictNames)]int
	for _, j := range judged {
		count[j.verdict]++
	}
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "verdict\tprograms\t\n")
	for v, n := range count {
		_, _ = fmt.Fprintf(t, "%s\t%d\t%s\n", verdictNames[v], n, meaning[v])
	}
	_, _ = fmt.Fprintf(t, "total\t%d\t\n", len(judged))
	_ = t.Flush()
}

// list prints the programs that need attention, the worst first.
func list(w io.Writer, judged []judgement) {
	for v := silent; v >= refused; v-- {
		for _, j := range judged {
			if j.verdict == v {
				_, _ = fmt.Fprintf(w, "%s\t%s\t(call %d) %s\n\twant %s\n\tgot  %s\n", v, j.id, j.call+1, j.why, j.want, j.got+j.err)
			}
		}
	}
}

// lines prints one JSON object a program.
func lines(w io.Writer, judged []judgement) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, j := range judged {
		if err := e.Encode(struct {
			ID      string `json:"id"`
			Verdict string `json:"verdict"`
			Call    int    `json:"call"`
			Got     string `json:"got,omitempty"`
			Want    string `json:"want,omitempty"`
			Error   string `json:"error,omitempty"`
			Why     string `json:"why,omitempty"`
		}{j.id, j.verdict.String(), j.call, j.got, j.want, j.err, j.why}); err != nil {
			return err
		}
	}
	return nil
}

// stale lists the divergences of which nothing was seen, among the programs that
// were replayed.
func stale(judged []judgement, listed map[string]divergence) []string {
	var ids []string
	for _, j := range judged {
		if _, ok := listed[j.id]; ok && j.verdict != diverges {
			ids = append(ids, j.id)
		}
	}
	return ids
}
