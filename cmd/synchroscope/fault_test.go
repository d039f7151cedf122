package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
)

func TestPrintable(t *testing.T) {
	for s, want := range map[string]string{
		"a b/ä":           "a b/ä",
		"a\nb":            `a\nb`,
		"\x1b[31mred\xff": `\x1b[31mred\xff`,
		"no\u202ebreak":   `no\u202ebreak`,
		`back\slash`:      `back\slash`,
		"59.714\u202f532": "59.714\u202f532",
	} {
		if got := printable(s); got != want {
			t.Errorf("%q is printed as %s, want %s", s, got, want)
		}
	}
}

// Errors are worded alike wherever they come from, one to a line.
func TestFault(t *testing.T) {
	call := &os.PathError{Op: "open", Path: "/x/metadata", Err: syscall.EACCES}
	for _, test := range []struct {
		err  error
		want string
	}{
		{call, "synchroscope: /x/metadata: permission denied\n"},
		{fmt.Errorf("/x/metadata: %w", call), "synchroscope: /x/metadata: permission denied\n"},
		{fmt.Errorf("host web: %w", call), "synchroscope: host web: /x/metadata: permission denied\n"},
		{renamed{fmt.Errorf("/x/metadata: %w", call), "/x", "run.zip"}, "synchroscope: run.zip/metadata: permission denied\n"},
		{fmt.Errorf("host web: %w", renamed{call, "/x", "run.zip"}), "synchroscope: host web: run.zip/metadata: permission denied\n"},
		{errors.Join(errors.New("a"), errors.New("b\x1b")), "synchroscope: a\nsynchroscope: b\\x1b\n"},
		{fmt.Errorf("write /dev/stdout: %w", syscall.EPIPE), ""},
	} {
		var b bytes.Buffer
		if code := fault(&b, test.err); b.String() != test.want || (code == exitOK) != (test.want == "") {
			t.Errorf("%v is told as %q with exit code %d, want %q", test.err, &b, code, test.want)
		}
	}
}
