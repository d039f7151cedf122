package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
