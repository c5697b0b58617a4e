package main

import (
	"bufio"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

//go:embed divergences
var divergenceFiles embed.FS

// divergence says why the surface means to differ on one program.
type divergence struct {
	ID string `json:"id"`
	// Verdict is what the program would get if it were not listed.
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

// divergences reads a language's list. A language without a file has none.
func divergences(lang string) (map[string]divergence, error) {
	data, err := divergenceFiles.ReadFile("divergences/" + lang + ".jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	listed := map[string]divergence{}
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	for lines.Scan() {
		var d divergence
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("divergences/%s.jsonl: %w", lang, err)
		}
		if d.ID == "" || d.Reason == "" || d.Verdict == "" {
			return nil, fmt.Errorf("divergences/%s.jsonl: an entry needs id, verdict and reason: %s", lang, lines.Text())
		}
		if _, twice := listed[d.ID]; twice {
			return nil, fmt.Errorf("divergences/%s.jsonl: %s is listed twice", lang, d.ID)
		}
		listed[d.ID] = d
	}
	return listed, lines.Err()
}

// excuse turns a verdict into a divergence where the list names exactly this one.
func excuse(j judgement, listed map[string]divergence) judgement {
	d, ok := listed[j.id]
	if ok && d.Verdict == j.verdict.String() {
		j.verdict, j.why = diverges, d.Reason
	}
	return j
}
