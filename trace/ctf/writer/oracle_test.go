package writer_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/internal/peer"
	"synchroscope/trace/ctf/writer"
)

var (
	theirLabel = regexp.MustCompile(`\( (?:"[^"]*"|<unknown>)(?:(?:, | \| |\+)"[^"]*")* : container = (-?\d+) \)`)
	theirValue = regexp.MustCompile(`(?: =|\{) ("[^"]*"|-?\d[^ ,]*)`)
	theirHead  = regexp.MustCompile(`^\[ *(\d+)\.(\d{9})\] (\w+): (?:\{ cpu_id = \d+ \}, )?(.*)$`)
)

// Any types and values of CTF 1.8 are read as another program reads them, which knows nothing of
// the writer: structs, arrays and variants in each other, lengths and selectors from all around, bits at any place.
func TestModelBabeltrace(t *testing.T) {
	tool, ok := peer.Program(t, "babeltrace2")
	if !ok {
		t.SkipNow()
	}
	base, n, died := t.TempDir(), 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		dir := filepath.Join(base, strconv.Itoa(n))
		d := &draw{T: t, plain: true}
		d.write(d.schema(), dir, writer.CTF18)
		out, err := exec.Command(tool, "--clock-seconds", "--no-delta", dir).CombinedOutput()
		if e, ok := err.(*exec.ExitError); ok && !e.Exited() {
			died++ // of an assertion of its own, which some references meet
			return
		}
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		var theirs []string
		for line := range strings.Lines(string(out)) {
			m := theirHead.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
			if m == nil {
				t.Fatalf("babeltrace2 writes %s", line)
			}
			theirs = append(theirs, m[1]+m[2], m[3])
			for _, v := range theirValue.FindAllStringSubmatch(theirLabel.ReplaceAllString(m[4], "$1"), -1) {
				theirs = append(theirs, v[1])
			}
		}
		if ours := readValues(t, dir); !slices.Equal(ours, theirs) {
			t.Fatalf("read\n%q, babeltrace2 reads\n%q\n%s", ours, theirs, out)
		}
	})
	t.Logf("%d traces, %d of which babeltrace2 died of", n, died)
	if died > n/2 {
		t.Errorf("babeltrace2 died of %d of %d traces", died, n)
	}
}
