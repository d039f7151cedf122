package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// far is a trace of three events, of which the last is later than 64 bits of nanoseconds hold.
func far(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	metadata := `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
clock { name = slow; freq = 1; };
stream { event.header := struct { integer { size = 64; align = 8; map = clock.slow.value; } timestamp; }; };
event { name = "tick"; };
`
	if err := os.WriteFile(filepath.Join(dir, "metadata"), []byte(metadata), 0o644); err != nil {
		t.Fatal(err)
	}
	var b []byte
	for _, s := range []uint64{1, 2, 1 << 40} {
		b = binary.LittleEndian.AppendUint64(b, s)
	}
	if err := os.WriteFile(filepath.Join(dir, "stream"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Without --end nothing is too late to be printed, so printing and counting agree.
func TestEventsWithoutEnd(t *testing.T) {
	dir := far(t)
	for args, want := range map[string]int{
		"": 3, "--name *": 3, "--begin 2.0": 2, "--end 2.0": 1, "--begin +1s --end +9000000000.0": 1, "--begin +1s --end +9223372036854775807": 2,
	} {
		var stdout, stderr bytes.Buffer
		line := append(append([]string{"events"}, strings.Fields(args)...), dir)
		if code := run(line, &stdout, &stderr); code != exitOK {
			t.Errorf("%s: exit code %d, %s", args, code, &stderr)
		}
		if n := strings.Count(stdout.String(), "\n"); n != want {
			t.Errorf("%q prints %d events, want %d", args, n, want)
		}
		stdout.Reset()
		run(append(line[:len(line)-1:len(line)-1], "--count", dir), &stdout, &stderr)
		lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
		if total := strings.Fields(lines[len(lines)-1])[0]; total != string(rune('0'+want)) {
			t.Errorf("%q --count says %s, want %d", args, total, want)
		}
	}
}

// What is printed of real traces is read back by trace/tracetest, and printed again it is the same.
func TestPrintedEventsAreReadBack(t *testing.T) {
	raced.Elsewhere(t, "TestSyncWindow")
	archives, err := filepath.Glob("../../../shared/traces/*.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(archives, far(t)) {
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<20 {
			continue
		}
		var stdout, stderr bytes.Buffer
		run([]string{"events", "--limit", "1000", path}, &stdout, &stderr) // some of the archives cannot be read
		var from tracetest.Source
		for line := range strings.Lines(stdout.String()) {
			line = strings.TrimSuffix(line, "\n")
			host, e, err := from.Line(line)
			if err != nil {
				if strings.Contains(err.Error(), "differ in shape") { // as docs/format/text.md says
					continue
				}
				t.Fatalf("%s: %.2000s\n%v", filepath.Base(path), line, err)
			}
			s := source{hostText: trace.AppendName([]byte(" "), host), event: e, recorded: e.Recorded}
			if got := string(s.appendText(nil)); got != line {
				t.Fatalf("%s: printed\n%.2000s\nread back\n%.2000s", filepath.Base(path), line, got)
			}
		}
	}
}
