package ctf

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// Memory does not grow with a trace: a packet of 1 GiB, with events of 4 KiB, is read through
// the windows that a small one is read through.
func TestBoundedMemory(t *testing.T) {
	const size, event = 1 << 30, 4 << 10
	dir := t.TempDir()
	metadata := `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; };
stream {};
event { name = "block"; fields := struct { integer { size = 8; align = 8; } bytes[4096]; }; };
`
	if err := os.WriteFile(filepath.Join(dir, "metadata"), []byte(metadata), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(dir, "stream"))
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(size); err != nil { // which takes no space on the disk
		t.Fatal(err)
	}
	f.Close()
	for name, read := range map[string]func(r *Reader) (int64, error){
		"next": func(r *Reader) (n int64, err error) {
			for ; err == nil; n++ {
				_, err = r.Next()
			}
			if err == io.EOF {
				err = nil
			}
			return n - 1, err
		},
		"count": func(r *Reader) (int64, error) {
			n, err := r.Count()
			return n[0], err
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := allocated()
			r, err := NewReader(openAll(t, dir), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			n, err := read(r)
			if err != nil || n != size/event {
				t.Errorf("%d events: %v; want %d", n, err, size/event)
			}
			if a := r.Anomalies(); len(a) > 0 {
				t.Errorf("anomalies: %v", a)
			}
			if took := allocated() - before; took > 1<<20 {
				t.Errorf("%d bytes were allocated for one stream", took)
			}
		})
	}
}
