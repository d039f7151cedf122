package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/raced"
)

// salvage extracts what is sound, and returns the error.
func (p *place) salvage(data []byte, limits Limits) *Error {
	err := Salvage(context.Background(), p.root, "upload", Whole(bytes.NewReader(data), int64(len(data))), limits, nil)
	var e *Error
	errors.As(err, &e)
	return e
}

// session is the files of a recording, with contents that do not compress.
func session(t testing.TB) ([]item, map[string]string) {
	t.Helper()
	random := rand.NewChaCha8([32]byte{7})
	noise := func(n int) string {
		b := make([]byte, n)
		random.Read(b)
		return string(b)
	}
	items := []item{
		{name: "kernel", dir: true},
		{name: "kernel/metadata", body: noise(700)},
		{name: "kernel/channel0_0", body: noise(3000)},
		{name: "kernel/empty"},
		{name: "kernel/channel0_1", body: noise(2000)},
		{name: "ust/metadata", body: noise(512)},
		{name: "ust/channel0_0", body: noise(1500)},
	}
	want := make(map[string]string)
	for _, it := range items {
		if !it.dir {
			want["in/"+it.name] = it.body
		}
	}
	return items, want
}

// whole are the files that are there without the folders, after a check that each is as it was packed.
func (p *place) sound(t testing.TB, want map[string]string) map[string]string {
	t.Helper()
	files := p.files(t)
	maps.DeleteFunc(files, func(name, _ string) bool { return strings.HasSuffix(name, "/") })
	for name, body := range files {
		if b, ok := want[name]; !ok || b != body {
			t.Errorf("%q is there with %d bytes, packed were %d", name, len(body), len(b))
		}
	}
	return files
}

// Wherever an archive is cut off: what is kept is as it was packed, never less of more, and as much as the error says.
func TestSoundOfCut(t *testing.T) {
	items, want := session(t)
	for _, m := range makers {
		t.Run(m.name, func(t *testing.T) {
			data := m.make(t, items...)
			before := 0
			step := max(1, len(data)/50)
			for n := step; n < len(data)+step-1; n += step {
				n := min(n, len(data)-1)
				p := newPlace(t)
				err := p.salvage(data[:n], Limits{})
				if err == nil {
					t.Fatalf("cut at %d it is taken for whole", n)
				}
				files := p.sound(t, want)
				if len(files) > 0 && (err.Kept == 0 || err.Offset != int64(n) || !strings.Contains(err.Error(), fmt.Sprintf("cut off at byte %d", n))) || len(files) == 0 && err.Kept != 0 {
					t.Errorf("cut at %d there are %d files and it says %d, at %d: %v", n, len(files), err.Kept, err.Offset, err)
				}
				if len(files) < before {
					t.Errorf("cut at %d there are %d files, %d of less", n, len(files), before)
				}
				if !err.Own {
					t.Errorf("cut at %d: %v is not the archive's fault", n, err)
				}
				before = len(files)
			}
			// A zip has its table of contents at its end, and all of this tar.zst is one block.
			if m.name != "zip" && m.name != "tar.zst" && before != len(want) {
				t.Errorf("cut behind its entries there are %d files of %d", before, len(want))
			}
		})
	}
}

// Whichever bit is wrong: what is kept is as it was packed. A tar has no checksum that would tell of all of them.
func TestSoundOfFlip(t *testing.T) {
	raced.Elsewhere(t, "TestXZFlips")
	items, want := session(t)
	for _, m := range makers {
		if m.name == "tar" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			data := m.make(t, items...)
			step := max(1, len(data)/100)
			kept := 0
			for n := 0; n < len(data); n += step {
				p := newPlace(t)
				flipped := bytes.Clone(data)
				flipped[n] ^= 1 << (n % 8)
				err := p.salvage(flipped, Limits{})
				if err == nil && m.name == "zip" {
					continue // the name of an entry in the table of contents has no checksum
				}
				files := p.sound(t, want)
				if err != nil && len(files) > 0 {
					kept++
				}
				if t.Failed() {
					t.Fatalf("with bit %d of byte %d wrong: %v", n%8, n, err)
				}
			}
			t.Logf("something was kept %d times", kept)
		})
	}
}

// A wrong bit near the end of a compressed stream may make it seem to be cut off, behind an entry that is wrong since that bit.
func TestSoundOfFlipThatCuts(t *testing.T) {
	raced.Elsewhere(t, "TestXZFlips")
	random := rand.New(rand.NewChaCha8([32]byte{9}))
	words := func(n int) string {
		var b strings.Builder
		for b.Len() < n {
			b.WriteString([]string{"event ", "field ", "= ", "{ ", "};\n", "u8 ", "x", "1", "0x77"}[random.IntN(9)])
		}
		return b.String()[:n]
	}
	items := []item{{name: "kernel/metadata", body: words(700)}, {name: "kernel/channel0_0", body: words(3000)}, {name: "kernel/channel0_1", body: words(1000)}}
	want := make(map[string]string)
	for _, it := range items {
		want["in/"+it.name] = it.body
	}
	for _, m := range makers[2:] {
		t.Run(m.name, func(t *testing.T) {
			data := m.make(t, items...)
			p := newPlace(t)
			cut := 0
			for n := max(0, len(data)-64); n < len(data); n++ {
				for bit := range 8 {
					flipped := bytes.Clone(data)
					flipped[n] ^= 1 << bit
					err := p.salvage(flipped, Limits{})
					if err != nil && strings.Contains(err.Error(), "cut off") {
						cut++
					}
					p.sound(t, want)
					if t.Failed() {
						t.Fatalf("with bit %d of byte %d of %d wrong: %v", bit, n, len(data), err)
					}
					must(t, p.root.RemoveAll("kernel"))
				}
			}
			t.Logf("it seems to be cut off %d times", cut)
		})
	}
}

// What is said names archive, entry, byte and cause, and what is whole.
func TestSoundInWords(t *testing.T) {
	items, _ := session(t)
	tar := makeTar(t, items...)
	end := bytes.Index(tar, []byte(items[4].body)) // the contents of the fourth file
	header := bytes.Index(tar, []byte("ust/metadata"))
	zip := makeZip(t, items...)
	at := func(n int, data []byte) []byte {
		data = bytes.Clone(data)
		data[n] ^= 0xff
		return data
	}
	inZip := bytes.Index(zip, []byte("kernel/channel0_0")) + 100
	for _, tt := range []struct {
		data []byte
		want string // with the place instead of %d
		byte int
		kept int
	}{
		{tar[:end+9], `upload: entry "kernel/channel0_1" is cut off at byte %d, where the archive ends; the 4 entries before it, to "kernel/empty", are whole`, end + 9, 4},
		{tar[:end-512], `upload is cut off at byte %d: it ends without an end mark after entry "kernel/empty"; the 4 entries in it, to "kernel/empty", are whole`, end - 512, 4},
		{tar[:1100], `upload: entry "kernel/metadata" is cut off at byte %d, where the archive ends; no file is whole`, 1100, 0},
		{makeTar(t, items[1:]...)[:600], `upload: entry "kernel/metadata" is cut off at byte %d, where the archive ends; no file is whole`, 600, 0},
		{at(header, tar), `upload is damaged at byte %d of the archive: what follows entry "kernel/channel0_1" is not a tar header; the 4 entries to "kernel/empty" are whole, but which of the 1 entry behind them are right cannot be told`, header + 512, 4},
		{at(inZip, zip), `upload: entry "kernel/channel0_0" is damaged at byte %d of the archive: `, inZip - 100 + len("kernel/channel0_0"), 6},
	} {
		p := newPlace(t)
		err := p.salvage(tt.data, Limits{})
		if err == nil || err.Kept != tt.kept || err.Kept > 0 && err.Offset != int64(tt.byte) {
			t.Errorf("%d entries are kept, at %d: %v; want %d at %d", err.Kept, err.Offset, err, tt.kept, tt.byte)
		}
		if want := strings.ReplaceAll(tt.want, "%d", fmt.Sprint(err.Offset)); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("it says\n%s, want\n%s", err, want)
		}
	}
}

// A zip has a checksum for each entry: those behind one that is damaged are read too.
func TestSoundBehindDamage(t *testing.T) {
	items, want := session(t)
	data := makeZip(t, items...)
	for _, name := range []string{"kernel/channel0_0", "ust/metadata"} {
		data[bytes.Index(data, []byte(name))+len(name)+50] ^= 0xff
		delete(want, "in/"+name)
	}
	p := newPlace(t)
	err := p.salvage(data, Limits{})
	if err == nil || err.Kept != 5 || !strings.HasSuffix(err.Error(), ", and 1 entry more is damaged; the 5 other entries are whole") {
		t.Errorf("it says %v", err)
	}
	if files := p.sound(t, want); len(files) != len(want) {
		t.Errorf("there are %v of %d", slices.Sorted(maps.Keys(files)), len(want))
	}
}

// What breaks a rule is refused as a whole, whatever came before it, and so is what is beyond a limit, which is not its own fault.
func TestSoundOfHostile(t *testing.T) {
	items, _ := session(t)
	for _, m := range makers {
		evil := append(slices.Clone(items), item{name: "../evil", body: "x"})
		p := newPlace(t)
		err := p.salvage(m.make(t, evil...), Limits{})
		if p.refused(t, err, "climbs out"); !err.Own || err.Kept != 0 {
			t.Errorf("%s: %v is not its own fault", m.name, err)
		}
		for _, limits := range []Limits{{TotalBytes: 5000}, {Entries: 5}, {Shared: NewBudget(Limits{Entries: 5})}, {Shared: NewBudget(Limits{TotalBytes: 5000})}} {
			p := newPlace(t)
			err := p.salvage(m.make(t, items...), limits)
			if p.refused(t, err, " is "); err.Own || err.Kept != 0 {
				t.Errorf("%s: %v is its own fault, and %d entries are kept", m.name, err, err.Kept)
			}
		}
	}
}

// What is taken of the budget of several archives is that of what stays.
func TestSoundBudget(t *testing.T) {
	items, _ := session(t)
	data := makeTar(t, items...)
	budget := NewBudget(Limits{})
	p := newPlace(t)
	if err := p.salvage(data[:bytes.Index(data, []byte(items[4].body))+9], Limits{Shared: budget}); err == nil || err.Kept != 4 {
		t.Fatal(err)
	}
	if entries, bytes := budget.entries.Load(), budget.total.Load(); entries != 4 || bytes != 3700 {
		t.Errorf("%d entries and %d bytes are taken", entries, bytes)
	}
}
