package main

import (
	"bytes"
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

func TestParseTime(t *testing.T) {
	for s, want := range map[string]int64{
		"0":                    0,
		"1361214076525090092":  1361214076525090092,
		"1361214076.525090092": 1361214076525090092,
		"1.5":                  1_500_000_000,
		"-1.5":                 -1_500_000_000,
		"-0.5":                 -500_000_000,
		"2.":                   2_000_000_000,
	} {
		if got, err := parseTime(s); err != nil || got != want {
			t.Errorf("parseTime(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "now", "1.0000000001", "1.-5", "9223372036854775808", "1e9", "."} {
		if got, err := parseTime(s); err == nil {
			t.Errorf("parseTime(%q) = %d, want an error", s, got)
		}
	}
}
