package validate

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// layouts are the fields of some kinds of events with their sizes in bytes; 0 is a string.
var layouts = map[string]string{
	"sched_process_fork": "parent_comm:16 parent_tid:4 parent_pid:4 parent_ns_inum:4 child_comm:16 child_tid:4 count:1 vtids:4 child_pid:4 child_ns_inum:4",
	"sched_process_exec": "filename:0 tid:4 old_tid:4",
	"sched_process_exit": "comm:16 tid:4 prio:4",
	"block_rq_insert":    "dev:4 sector:8 nr_sector:4 bytes:4 tid:4 rwbs:4 comm:16",
	"block_rq_issue":     "dev:4 sector:8 nr_sector:4 bytes:4 tid:4 rwbs:4 comm:16",
	"block_rq_complete":  "dev:4 sector:8 nr_sector:4 error:4 rwbs:4",
}

// A part is where a field of an event lies.
type part struct {
	name string
	at   int
}

// image is an event as it stands in a stream, and where its fields are in it.
func image(ev *trace.Event, layout string) (b []byte, parts []part) {
	for field := range strings.FieldsSeq(layout) {
		name, text, _ := strings.Cut(field, ":")
		f := ev.Class.Field(name)
		if name != "count" { // changed, it would leave no event that can be read
			parts = append(parts, part{name, len(b)})
		}
		switch size, _ := strconv.Atoi(text); {
		case size == 0:
			b = append(append(b, ev.Bytes(f)...), 0)
		case size == 16:
			b = append(b, make([]byte, 16)...)
			copy(b[len(b)-16:], ev.Bytes(f))
		case name == "count":
			b = append(b, 1)
		case name == "vtids":
			b = binary.LittleEndian.AppendUint32(b, uint32(ev.At(f, 0)))
		default:
			b = append(b, binary.LittleEndian.AppendUint64(nil, uint64(ev.Int(f)))[:size]...)
		}
	}
	return b, parts
}

// follow follows a trace and returns the checks that fail.
func follow(t *testing.T, dir string) (failed []string) {
	t.Helper()
	opened, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	report := newReport()
	m := newMachine("", report, newGaps(nil))
	walk(t, opened, m.take)
	for _, c := range report.Checks {
		if c.Failed > 0 {
			failed = append(failed, c.Name)
		}
	}
	return failed
}

// TestChanged: whatever is changed in what is said of processes and of requests to disks contradicts other events, and
// is found.
func TestChanged(t *testing.T) {
	dir := filepath.Join(simulated(t, crowded+"workload threads hosts=left count=40 processes=4 period=100ms turnover=0.3\n"), "left", "kernel")
	for kind, layout := range layouts {
		t.Run(kind, func(t *testing.T) {
			for _, p := range pictures(t, dir, kind, layout) {
				p.change(t, dir)
			}
		})
	}
	if failed := follow(t, dir); len(failed) > 0 {
		t.Errorf("of the whole trace, %v fail", failed)
	}
}

// A picture is an event as it stands in a stream.
type picture struct {
	kind   string
	stream string
	id     uint16
	bytes  []byte
	parts  []part
}

// pictures are of some events of a kind that lie in the middle of a trace.
func pictures(t *testing.T, dir, kind, layout string) (some []picture) {
	t.Helper()
	opened, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	tries := 3
	if testing.Short() {
		tries = 1
	}
	all := places(t, opened, kind)
	if len(all) < 2*tries {
		t.Fatalf("there are only %d", len(all))
	}
	n := -1
	walk(t, opened, func(ev *trace.Event) {
		if ev.Class.Name != kind {
			return
		}
		if n++; n < len(all)/4 || (n-len(all)/4)%max(len(all)/2/tries, 1) != 0 || len(some) == tries {
			return
		}
		b, parts := image(ev, layout)
		some = append(some, picture{kind, "channel0_" + strconv.Itoa(int(ev.CPU)), uint16(ev.Class.Index), b, parts})
	})
	return some
}

// change changes each field of the event by itself, and back. It begins behind its number and its time.
func (p *picture) change(t *testing.T, dir string) {
	t.Helper()
	path := filepath.Join(dir, p.stream)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const header = 6
	at := 0
	for {
		i := bytes.Index(whole[at:], p.bytes)
		if i < 0 {
			t.Fatalf("%q is not in %s", p.bytes, p.stream)
		}
		if at += i; at >= header && binary.LittleEndian.Uint16(whole[at-header:]) == p.id {
			break
		}
		at++
	}
	for _, f := range p.parts {
		whole[at+f.at] ^= 1
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		if failed := follow(t, dir); len(failed) == 0 {
			t.Errorf("that %s of %q is changed is not found", f.name, p.bytes)
		}
		whole[at+f.at] ^= 1
	}
	if err := os.WriteFile(path, whole, 0o644); err != nil {
		t.Fatal(err)
	}
}
