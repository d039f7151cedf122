package network_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A wanted is what others found of the clocks of a real trace set. Pairs are named "a-b", with b's clock by a's.
type wanted struct {
	Messages, MatchedTCP int
	AlphaMin, AlphaMax   json.Number // of the first host's time by the second's
	Midline              string      // prose that ends in "alpha A and beta B"
	Error                struct {    // ns that the extreme lines are apart
		Middle int64
		Ends   [2]int64
	}
	Rate    map[string]float64    // ppm that each clock was set to
	Offset  map[string]float64    // s that each clock was ahead by
	OneLine map[string][3]float64 // ppm of the flattest line, the steepest and the midline
	Pairs   map[string]struct {
		Messages [2]int
		OneLine  [2]float64 // ppm of the flattest line and the steepest
		Offset   float64    // s at the start
	}
	NoLink []string
}

// expected reads what is known of a trace set in the folder beside the project, or skips.
func expected(t *testing.T, archive string) (w wanted) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "traces", "expected.json"))
	if err != nil {
		t.Skipf("the folder of real traces is not beside the project: %v", err)
	}
	// The file names some things twice; a struct needs them once, in Go's spelling.
	rename := strings.NewReplacer(`"matched_tcp"`, `"MatchedTCP"`, `"alpha_min"`, `"AlphaMin"`, `"alpha_max"`, `"AlphaMax"`, `"error_ns"`, `"Error"`,
		`"true_rate_ppm"`, `"Rate"`, `"offset_s"`, `"Offset"`, `"offset_s_about"`, `"Offset"`, `"offset_at_start_s"`, `"Offset"`,
		`"one_line_ppm"`, `"OneLine"`, `"no_link"`, `"NoLink"`, `->`, `-`)
	var all map[string]struct{ Sync *wanted }
	if err := json.Unmarshal([]byte(rename.Replace(string(text))), &all); err != nil {
		t.Fatal(err)
	}
	if all[archive].Sync == nil {
		t.Fatalf("expected.json has no clocks of %s", archive)
	}
	return *all[archive].Sync
}
