package ctf

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"synchroscope/trace"
)

// chain groups files into streams. Tracers may split a stream over several files
// (LTTng's --tracefile-size); all of them carry the same stream instance in their
// packet headers. They are put in the order of time, so that what is counted
// along a stream, discarded events and packets, goes on from file to file.
// Without instances each file is a stream.
func (pl *plan) chain(dir string, files []streamFile) [][]string {
	type key struct{ class, instance uint64 }
	type link struct {
		name  string
		begin int64
	}
	var order []key
	chains := make(map[key][]link)
	for i, f := range files {
		k, begin := key{^uint64(0), uint64(i)}, int64(0)
		if pl.inst != nil {
			if p, inst, ok := pl.firstPacket(filepath.Join(dir, f.name), f.size); ok {
				k, begin = key{p.class.id, inst}, p.begin
			}
		}
		if chains[k] == nil {
			order = append(order, k)
		}
		chains[k] = append(chains[k], link{f.name, begin})
	}
	var streams [][]string
	for _, k := range order {
		slices.SortStableFunc(chains[k], func(a, b link) int { return cmp.Compare(a.begin, b.begin) })
		var names []string
		for _, l := range chains[k] {
			names = append(names, l.name)
		}
		streams = append(streams, names)
	}
	return streams
}

// firstPacket reads the first packet's header of a file, and which stream it belongs to.
func (pl *plan) firstPacket(path string, size int64) (p packet, instance uint64, ok bool) {
	if size == 0 {
		return p, 0, false
	}
	f, err := os.Open(path)
	if err != nil {
		return p, 0, false // the reader will say so
	}
	defer f.Close()
	w := window{file: f, size: size, buf: make([]byte, 4096+trace.Spare)}
	var ev trace.Event
	pl.readPacket(&w, 0, &p, &ev, nil) // what is wrong with it is reported when it is read
	if p.class == nil {
		return p, 0, false
	}
	return p, uint64(ev.Int(p.class.layout.Field(trace.PacketHeader, trace.StreamInstance))), true
}
