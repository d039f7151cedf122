package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/ulikunitz/xz"

	"synchroscope/internal/raced"
)

// A place is a directory to extract into, with a neighbour that must stay as it is.
type place struct {
	outer string
	root  *os.Root
}

func newPlace(t testing.TB) *place {
	t.Helper()
	outer := t.TempDir()
	must(t, os.Mkdir(filepath.Join(outer, "in"), 0o755))
	root, err := os.OpenRoot(filepath.Join(outer, "in"))
	must(t, err)
	t.Cleanup(func() { root.Close() })
	return &place{outer, root}
}

func (p *place) extract(data []byte, limits Limits) error {
	return Extract(context.Background(), p.root, "upload", bytes.NewReader(data), int64(len(data)), limits, nil)
}

// files lists what is there: path to content, directories with a trailing slash.
func (p *place) files(t testing.TB) map[string]string {
	t.Helper()
	got := map[string]string{}
	must(t, filepath.WalkDir(p.outer, func(path string, d fs.DirEntry, err error) error {
		must(t, err)
		name, err := filepath.Rel(p.outer, path)
		must(t, err)
		switch {
		case name == "." || name == "in":
		case d.IsDir():
			got[name+"/"] = ""
		default:
			b, err := os.ReadFile(path)
			must(t, err)
			got[name] = string(b)
		}
		return nil
	}))
	return got
}

// refused checks that err is one sentence with want in it, and that nothing is left.
func (p *place) refused(t testing.TB, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want an *Error with %q", err, want)
	}
	if !strings.Contains(e.Error(), want) {
		t.Errorf("error is %q, want it to say %q", e, want)
	}
	if strings.Contains(e.Error(), "\n") || !strings.HasPrefix(e.Error(), "upload") {
		t.Errorf("%q is not one sentence that names the archive", e)
	}
	if diff := cmp.Diff(map[string]string{}, p.files(t)); diff != "" {
		t.Errorf("left behind (-want +got):\n%s", diff)
	}
}

// lessIfShort is a quarter of a number in the short round: most of what tests of formats take is to make archives.
func lessIfShort(n int) int {
	if testing.Short() {
		return n / 4
	}
	return n
}

func TestFormats(t *testing.T) {
	noise := make([]byte, lessIfShort(300_000))
	rand.NewChaCha8([32]byte{}).Read(noise)
	items := []item{
		{name: "./web/", dir: true},
		{name: "./web/kernel/metadata", body: "/* CTF 1.8 */"},
		{name: "web/kernel/channel0_0", body: string(noise)},
		{name: "web/kernel/empty"},
		{name: "db//kernel/channel0_0", body: strings.Repeat("packet ", lessIfShort(50_000))},
	}
	want := map[string]string{
		"in/web/": "", "in/web/kernel/": "", "in/db/": "", "in/db/kernel/": "",
		"in/web/kernel/metadata":   items[1].body,
		"in/web/kernel/channel0_0": items[2].body,
		"in/web/kernel/empty":      "",
		"in/db/kernel/channel0_0":  items[4].body,
	}
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			p := newPlace(t)
			data := m.make(t, items...)
			seen := int64(-1)
			err := Extract(context.Background(), p.root, "upload", bytes.NewReader(data), int64(len(data)), Limits{}, func(read int64) {
				if read < seen || read > int64(len(data)) {
					t.Errorf("progress went from %d to %d of %d", seen, read, len(data))
				}
				seen = read
			})
			must(t, err)
			if diff := cmp.Diff(want, p.files(t)); diff != "" {
				t.Errorf("extracted (-want +got):\n%s", diff)
			}
			if seen != int64(len(data)) {
				t.Errorf("progress ended at %d of %d", seen, len(data))
			}
		})
	}
}

// An archive is refused wherever it is cut off.
func TestCutAnywhere(t *testing.T) {
	raced.Elsewhere(t, "TestXZFlips")
	items := []item{{name: "kernel", dir: true}, {name: "kernel/metadata", body: "one"}, {name: "kernel/channel0_0", body: "two"}}
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			whole := m.make(t, items...)
			p := newPlace(t)
			must(t, p.extract(whole, Limits{}))
			step := max(1, len(whole)/300)
			for n := 0; n < len(whole); n += step {
				p := newPlace(t)
				want := "is cut off"
				switch {
				case n == 0:
					want = "is empty"
				case n < headBytes:
					want = "is " // too short to tell one format from another
				}
				p.refused(t, p.extract(whole[:n], Limits{}), want)
			}
		})
	}
}

// A bit that is wrong leads to a whole extraction or to none.
func TestFlipAnywhere(t *testing.T) {
	items := []item{{name: "kernel", dir: true}, {name: "kernel/metadata", body: "one"}, {name: "kernel/channel0_0", body: "two"}}
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			whole := m.make(t, items...)
			step := max(1, len(whole)/100)
			for n := 0; n < len(whole); n += step {
				p := newPlace(t)
				data := bytes.Clone(whole)
				data[n] ^= 1 << (n % 8)
				if err := p.extract(data, Limits{}); err != nil {
					p.refused(t, err, "")
				}
			}
		})
	}
}

func TestNotAnArchive(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"empty file":         {nil, "upload is empty"},
		"text":               {[]byte("Dear server,\nplease find attached no trace.\n"), "upload is not an archive: zip, tar, tar.gz, tar.xz and tar.zst are accepted"},
		"long text":          {bytes.Repeat([]byte("no trace here. "), 1000), "upload is not an archive"},
		"bzip2":              {[]byte("BZh91AY&SY"), "upload is a bzip2 file"},
		"gzip of text":       {makeGzip(t, []byte("no trace")), "upload is compressed, but what comes out is not a tar"},
		"xz of nothing":      {makeXZ(t, nil, xz.WriterConfig{}), "upload is compressed, but what comes out is not a tar"},
		"zstd of long text":  {makeZstd(t, bytes.Repeat([]byte("no trace here. "), 1000)), "upload is compressed, but what comes out is not a tar"},
		"zip of nothing":     {makeZip(t), "upload is an archive without any entry"},
		"tar of nothing":     {makeTar(t), "upload is an archive without any entry"},
		"zip without a body": {[]byte("PK\x03\x04 and then nothing that makes sense"), "upload is cut off or damaged: the table of contents"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.refused(t, p.extract(tt.data, Limits{}), tt.want)
		})
	}
}

func TestFailureRemovesOnlyItsOwn(t *testing.T) {
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			p := newPlace(t)
			must(t, p.root.Mkdir("web", 0o755))
			must(t, p.root.WriteFile("web/old", []byte("precious"), 0o644))
			before := p.files(t)
			data := m.make(t,
				item{name: "web/new", body: "x"},
				item{name: "db/new", body: "x"},
				item{name: "web/old", body: "overwritten"})
			err := p.extract(data, Limits{})
			if err == nil || err.Error() != `upload: entry "web/old" cannot be written: file exists` {
				t.Errorf("got error %v", err)
			}
			if diff := cmp.Diff(before, p.files(t)); diff != "" {
				t.Errorf("changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	noise := make([]byte, lessIfShort(800_000))
	rand.NewChaCha8([32]byte{}).Read(noise)
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			p := newPlace(t)
			data := m.make(t, item{name: "first", body: "x"}, item{name: "second", body: string(noise)})
			ctx, cancel := context.WithCancel(context.Background())
			err := Extract(ctx, p.root, "upload", bytes.NewReader(data), int64(len(data)), Limits{}, func(read int64) {
				if read > int64(len(noise))*3/8 {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("got error %v, want context.Canceled in it", err)
			}
			p.refused(t, err, "was not extracted: the work was cancelled")
		})
	}
}

// What the limits allow exactly is extracted, one more is not.
func TestLimits(t *testing.T) {
	items := []item{{name: "a", dir: true}, {name: "a/one", body: "12345"}, {name: "b/two", body: "123"}}
	for _, m := range makers {
		for _, tt := range []struct {
			limits Limits
			want   string // "" if extracted
		}{
			{Limits{Entries: 4, EntryBytes: 5, TotalBytes: 8}, ""}, // b counts too
			{Limits{Entries: 3}, "is one too many: an archive may make 3 files and directories"},
			{Limits{Entries: 2}, "is one too many: an archive may hold 2 entries"},
			{Limits{EntryBytes: 4}, `entry "a/one" is too long: a file may have 4 bytes`},
			{Limits{TotalBytes: 7}, `entry "b/two" is too much: an archive may hold 7 bytes in all`},
		} {
			t.Run(fmt.Sprintf("%s/%+v", m.name, tt.limits), func(t *testing.T) {
				p := newPlace(t)
				err := p.extract(m.make(t, items...), tt.limits)
				if tt.want == "" {
					must(t, err)
					return
				}
				p.refused(t, err, tt.want)
			})
		}
	}
}
