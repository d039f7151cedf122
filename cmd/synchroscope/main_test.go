package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	_ "embed"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

//go:embed testdata/metadata.tsdl
var metadata string

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"synchroscope": main})
}

// TestCommands runs testdata/*.txtar. Beside the commands of testscript they have
//
//	named HOST FILE                    write testdata/metadata.tsdl for a host
//	stream FILE CPU [NS:ID:VALUE...]   write a stream file that fits it
//	pack ARCHIVE DIR                   make a tar, tar.gz or zip of a directory
//	entry ARCHIVE NAME SIZE            make an archive of one entry of SIZE zeros
//	cut FILE BYTES                     shorten a file by so many bytes
//
// and the variable SHARED, the folder of real traces; [shared] tells whether it is there.
func TestCommands(t *testing.T) {
	shared, err := filepath.Abs("../../../shared/traces")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("SHARED", shared)
			e.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector waits a second otherwise
			e.Setenv("TMPDIR", filepath.Join(e.WorkDir, "temporary"))
			return os.Mkdir(filepath.Join(e.WorkDir, "temporary"), 0o755)
		},
		Condition: func(name string) (bool, error) {
			if name != "shared" {
				return false, nil
			}
			_, err := os.Stat(shared)
			return err == nil, nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"named":  namedScript,
			"stream": streamScript,
			"pack":   packScript,
			"entry":  entryScript,
			"cut":    cutScript,
		},
	})
}

func namedScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: named HOST FILE")
	}
	text := strings.Replace(metadata, "HOST", args[0], 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o644))
}

func streamScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: stream FILE CPU [NS:ID:VALUE...]")
	}
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		ts.Check(err)
		return n
	}
	var events []byte
	var first, last uint64
	for i, a := range args[2:] {
		parts := strings.Split(a, ":")
		if len(parts) != 3 {
			ts.Fatalf("event %q is not NS:ID:VALUE", a)
		}
		last = number(parts[0])
		if i == 0 {
			first = last
		}
		events = appendEvent(events, uint32(number(parts[1])), last, uint32(number(parts[2])))
	}
	b := packet(uint32(number(args[1])), first, last, events)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

func packScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pack ARCHIVE DIR")
	}
	writeArchive(ts, args[0], func(add func(name string, size int64, r io.Reader)) {
		dir := os.DirFS(ts.MkAbs(args[1]))
		ts.Check(filepath.WalkDir(ts.MkAbs(args[1]), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			name, err := filepath.Rel(ts.MkAbs(args[1]), p)
			if err != nil {
				return err
			}
			f, err := dir.Open(filepath.ToSlash(name))
			if err != nil {
				return err
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return err
			}
			add(filepath.ToSlash(name), info.Size(), f)
			return nil
		}))
	})
}

func entryScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: entry ARCHIVE NAME SIZE")
	}
	size, err := strconv.ParseInt(args[2], 10, 64)
	ts.Check(err)
	writeArchive(ts, args[0], func(add func(name string, size int64, r io.Reader)) {
		add(args[1], size, bytes.NewReader(make([]byte, size)))
	})
}

func cutScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cut FILE BYTES")
	}
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	less, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), info.Size()-less))
}

// writeArchive makes an archive of the kind that its name ends in.
func writeArchive(ts *testscript.TestScript, name string, fill func(add func(name string, size int64, r io.Reader))) {
	f, err := os.Create(ts.MkAbs(name))
	ts.Check(err)
	var w io.WriteCloser = f
	if strings.HasSuffix(name, ".gz") {
		w = gzip.NewWriter(f)
	}
	if strings.HasSuffix(name, ".zip") {
		z := zip.NewWriter(w)
		z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) }) // bombs are packed here
		fill(func(name string, size int64, r io.Reader) {
			e, err := z.Create(name)
			ts.Check(err)
			_, err = io.Copy(e, r)
			ts.Check(err)
		})
		ts.Check(z.Close())
	} else {
		t := tar.NewWriter(w)
		fill(func(name string, size int64, r io.Reader) {
			ts.Check(t.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size}))
			_, err := io.Copy(t, r)
			ts.Check(err)
		})
		ts.Check(t.Close())
	}
	if w != io.WriteCloser(f) {
		ts.Check(w.Close())
	}
	ts.Check(f.Close())
}
