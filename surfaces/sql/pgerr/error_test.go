package pgerr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/polyglove/polyglove/sandbox"
)

func TestFaultShowsThePlaceInTheSource(t *testing.T) {
	src := "select é,\n  nope from t"
	e := New(UndefinedColumn, "column %q does not exist", "nope").At(Character(src, strings.Index(src, "nope")))
	f := e.Fault(src)
	if f.Kind != sandbox.KindName || f.Line != 2 || f.Column != 3 {
		t.Fatalf("kind %s at %d:%d", f.Kind, f.Line, f.Column)
	}
	if want := "  nope from t\n  ^"; f.Excerpt != want {
		t.Errorf("excerpt %q, want %q", f.Excerpt, want)
	}
	if got := From(fmt.Errorf("wrapped: %w", f)); got != e {
		t.Errorf("From found %v", got)
	}
}

func TestAtKeepsTheFirstPosition(t *testing.T) {
	e := New(InvalidText, "bad").At(4).At(9).At(0)
	if e.Position != 4 {
		t.Errorf("position %d, want 4", e.Position)
	}
}

func TestFaultClipsWhatItQuotes(t *testing.T) {
	f := New(InvalidText, "bad %q", strings.Repeat("é", 4000)).Fault("")
	if len(f.Message) > excerptLimit+4 || !strings.HasSuffix(f.Message, "…") {
		t.Errorf("message of %d bytes", len(f.Message))
	}
}
