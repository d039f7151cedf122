package main

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Every command explains itself on stdout and succeeds in doing so, and calls
// an unknown flag wrong usage.
func TestCommandsExplainThemselves(t *testing.T) {
	for _, c := range commands {
		var stdout, stderr bytes.Buffer
		if code := run([]string{c.name, "-h"}, &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
			t.Errorf("%s -h: exit code %d, stderr %q", c.name, code, &stderr)
		}
		if want := "Usage: synchroscope " + c.name + " "; !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%s -h prints %q, want it to begin with %q", c.name, &stdout, want)
		}
		stdout.Reset()
		if code := run([]string{c.name, "--no-such-flag"}, &stdout, &stderr); code != exitUsage || stdout.Len() > 0 {
			t.Errorf("%s --no-such-flag: exit code %d, stdout %q", c.name, code, &stdout)
		}
		if strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%s --no-such-flag: stderr %q is not one line", c.name, &stderr)
		}
	}
}

func TestParseBound(t *testing.T) {
	const first = 5_000_000_000
	for s, want := range map[string]int64{
		"":                     -1,
		"0":                    0,
		"1.5":                  1_500_000_000,
		"-1.5":                 -1_500_000_000,
		"+0":                   first,
		"+1.5":                 first + 1_500_000_000,
		"+7":                   first + 7,
		"+20ms":                first + 20_000_000,
		"+1.5s":                first + 1_500_000_000,
		"+1m30s":               first + 90_000_000_000,
		"+9223372036854775807": math.MaxInt64,
	} {
		b, err := parseBound("--begin", s, -1)
		if got := b.from(first); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"now", "+", "+-1", "+-1s", "20ms", "++1", "+1 s", "+x"} {
		if b, err := parseBound("--begin", s, -1); err == nil {
			t.Errorf("%q is %v, want an error", s, b)
		}
	}
}
