//go:build cgo

package main

import (
	"bufio"
	"encoding/json"
	"os"
)

// answered is a statement with the server's answer.
type answered struct {
	File    string
	Kind    string
	SQL     string
	OK      bool
	Rels    []string
	Columns []string
	Types   []string
	Rows    [][]*string

	SQLState, Message, Detail, Hint string
	Position                        int
	Category                        string // of the probes, which have no file
}

func readCases(path string) ([]answered, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []answered
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var c answered
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			return nil, err
		}
		if c.File == "" {
			c.File = "probes"
		}
		all = append(all, c)
	}
	return all, lines.Err()
}

// byFile splits the statements where the file changes.
func byFile(all []answered) [][]answered {
	var out [][]answered
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].File == all[from].File {
			to++
		}
		out = append(out, all[from:to])
		from = to
	}
	return out
}
