package archive

import (
	"maps"
	"testing"
)

// Whatever the bytes are, nothing is written beside the root, a failure
// leaves nothing, and a success keeps the limits.
func FuzzExtract(f *testing.F) {
	items := []item{{name: "kernel", dir: true}, {name: "kernel/metadata", body: "one"}, {name: "kernel/channel0_0", body: "two"}}
	for _, m := range makers {
		f.Add(m.make(f, items...))
		for _, a := range attacksOnNames {
			if len(a.items[0].name) < 200 {
				f.Add(m.make(f, a.items...))
			}
		}
	}
	limits := Limits{Entries: 20, EntryBytes: 1 << 16, TotalBytes: 1 << 17}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := newPlace(t)
		err := p.extract(data, limits)
		files := p.files(t)
		if err != nil {
			p.refused(t, err, "")
			return
		}
		total := 0
		for name, body := range files {
			if len(name) < 3 || name[:3] != "in/" {
				t.Errorf("wrote %q", name)
			}
			if len(body) > int(limits.EntryBytes) {
				t.Errorf("%q has %d bytes", name, len(body))
			}
			total += len(body)
		}
		if total > int(limits.TotalBytes) || len(files) > limits.Entries {
			t.Errorf("made %d files with %d bytes", len(files), total)
		}
		// The same bytes make the same files.
		again := newPlace(t)
		if err := again.extract(data, limits); err != nil || !maps.Equal(files, again.files(t)) {
			t.Errorf("the second time: error %v", err)
		}
	})
}

// Whatever the bytes are, what is kept of a damaged archive keeps the limits, is what the error says, and is the same each time.
func FuzzSalvage(f *testing.F) {
	items := []item{{name: "kernel", dir: true}, {name: "kernel/metadata", body: "one"}, {name: "kernel/channel0_0", body: "two"}}
	for _, m := range makers {
		whole := m.make(f, items...)
		f.Add(whole[:len(whole)*2/3])
		f.Add(m.make(f, attacksOnNames[0].items...))
	}
	limits := Limits{Entries: 20, EntryBytes: 1 << 16, TotalBytes: 1 << 17}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := newPlace(t)
		err := p.salvage(data, limits)
		files := p.files(t)
		if err != nil && (err.Kept == 0) != (len(files) == 0) || err != nil && err.Kept > limits.Entries {
			t.Errorf("%d entries are kept, there are %d things: %v", err.Kept, len(files), err)
		}
		total := 0
		for name, body := range files {
			if len(name) < 3 || name[:3] != "in/" {
				t.Errorf("wrote %q", name)
			}
			total += len(body)
		}
		if total > int(limits.TotalBytes) || len(files) > limits.Entries {
			t.Errorf("made %d files with %d bytes", len(files), total)
		}
		again := newPlace(t)
		if other := again.salvage(data, limits); (other == nil) != (err == nil) || other != nil && other.Error() != err.Error() || !maps.Equal(files, again.files(t)) {
			t.Errorf("the second time: %v, before: %v", other, err)
		}
	})
}
