package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/query"
)

// What is missing is said, and nothing is made of a directory that is not there.
func TestStateUsage(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"--time 5", exitUsage, "--set is missing"},
		{"--set x", exitUsage, "--time is missing"},
		{"--set x --time noon", exitUsage, "--time"},
		{"--set x --time 5 more", exitUsage, `"more"`},
		{"--set x --time 5 --data " + nowhere, exitFault, nowhere},
	} {
		var stdout, stderr bytes.Buffer
		code := stateCommand(strings.Fields(c.args), &stdout, &stderr)
		if code != c.code || !strings.Contains(stderr.String(), c.says) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("state %s: exit code %d, %q; want %d and a line with %q", c.args, code, &stderr, c.code, c.says)
		}
	}
}

func TestStateText(t *testing.T) {
	var out bytes.Buffer
	err := stateText(&out, []hostState{
		{Host: "db", LocalTime: 7, Known: true, Attributes: []attributeState{
			{Attribute: query.Attribute{Path: "CPUs/0", Value: int64(5)}},
			{Attribute: query.Attribute{Path: "Threads/10", Value: int64(1)}},
			{Attribute: query.Attribute{Path: "Threads/10/CPU", Value: int64(1)}},
			{Attribute: query.Attribute{Path: "Threads/10/System_call", Value: "flock"}},
			{Attribute: query.Attribute{Path: "Threads/11"}},
		}},
		{Host: "web", LocalTime: 9},
	})
	const want = `db at 7 ns, local time
  CPUs/0 = 5 (irq)
  Threads/10 = 1 (blocked)
  Threads/10/CPU = 1
  Threads/10/System_call = "flock"
web at 9 ns, local time
  the history does not cover it
`
	if err != nil || out.String() != want {
		t.Errorf("%v, printed\n%s\nwant\n%s", err, &out, want)
	}
}

// webSet is a data directory with the set web, and the folder of its traces, which a simulator wrote.
func webSet(t *testing.T) (traces, data string) {
	t.Helper()
	traces, data = filepath.Join(t.TempDir(), "web"), t.TempDir()
	var out, errs bytes.Buffer
	if code := simulateCommand([]string{"--scenario", "web", "--duration", "1s", "--out", traces}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if code := buildCommand([]string{"--data", data, "--name", "web", traces}, &out, &errs); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	return traces, data
}

// A damaged history is made again before it is asked; where the traces are gone the command says what is wrong with which file.
func TestStateOfDamaged(t *testing.T) {
	traces, data := webSet(t)
	var out, errs bytes.Buffer
	ask := func() (code int, said, complained string) {
		out.Reset()
		errs.Reset()
		code = stateCommand([]string{"--data", data, "--set", "web", "--host", "db", "--time", "1767225607.5", "--path", "CPUs/*"}, &out, &errs)
		return code, out.String(), errs.String()
	}
	code, want, _ := ask()
	if code != exitOK || !strings.Contains(want, "CPUs/0 = ") {
		t.Fatalf("exit %d: %s", code, want)
	}
	cut := func() {
		files, err := filepath.Glob(filepath.Join(data, "sets", "*", "hosts", "*", "history.tree"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			if err := os.Truncate(name, 6000); err != nil {
				t.Fatal(err)
			}
		}
	}
	cut()
	before := contents(t, data)
	if code, said, complained := ask(); code != exitOK || said != want || !strings.Contains(complained, "web is read again first") {
		t.Errorf("exit %d: %s\n%s", code, said, complained)
	}
	if after := contents(t, data); !maps.Equal(after, before) {
		t.Error("the command has changed the data directory")
	}
	if err := os.RemoveAll(traces); err != nil {
		t.Fatal(err)
	}
	if code, _, complained := ask(); code == exitOK || !strings.Contains(complained, "db: the history cannot be read: ") || !strings.Contains(complained, "history.tree") || !strings.Contains(complained, "truncated") {
		t.Errorf("exit %d: %s", code, complained)
	}
}

// contents are the files below a directory, each with its bytes and its time.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files[path] = fmt.Sprintf("%08x %d %v", crc32.ChecksumIEEE(b), len(b), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A look changes nothing, neither of a sound data directory nor of one whose catalogue is damaged or gone, and finds the set in each.
func TestStateChangesNothing(t *testing.T) {
	_, data := webSet(t)
	var out, errs bytes.Buffer
	left := filepath.Join(data, "sets", "00000000000000aa", "files")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "upload.zip"), []byte("of an upload"), 0o600); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var want string
	for _, damage := range []struct {
		what string
		do   func() error
	}{
		{"sound", func() error { return nil }},
		{"a flipped bit", func() error {
			tables, err := filepath.Glob(filepath.Join(data, "catalog", "badger", "*.sst"))
			if err != nil || len(tables) == 0 {
				return fmt.Errorf("tables %q, %w", tables, err)
			}
			b, err := os.ReadFile(tables[0])
			if err == nil {
				b[0] ^= 1
				err = os.WriteFile(tables[0], b, 0o600)
			}
			return err
		}},
		{"no manifest", func() error { return os.Remove(filepath.Join(data, "catalog", "badger", "MANIFEST")) }},
		{"no catalogue", func() error { return os.RemoveAll(filepath.Join(data, "catalog")) }},
	} {
		if err := damage.do(); err != nil {
			t.Fatal(err)
		}
		before := contents(t, data)
		out.Reset()
		errs.Reset()
		code := stateCommand([]string{"--data", data, "--set", "web", "--host", "db", "--time", "1767225607.5", "--path", "CPUs/*"}, &out, &errs)
		if want == "" {
			want = out.String()
		}
		if code != exitOK || out.String() != want || !strings.Contains(want, "CPUs/0 = ") {
			t.Errorf("%s: exit %d: %s%s", damage.what, code, out.String(), errs.String())
		}
		if after := contents(t, data); !maps.Equal(after, before) {
			t.Errorf("%s: the command has changed the data directory", damage.what)
		}
	}
	if entries, err := os.ReadDir(temp); err != nil || len(entries) > 0 {
		t.Errorf("left in the temporary directory: %v, %v", entries, err)
	}
}
