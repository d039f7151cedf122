package ctf

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"synchroscope/trace"
)

// A chain is the files of one stream, in the order of time. Tracers may split a stream
// over several files (LTTng's --tracefile-size); all of them carry the same stream
// instance in their packet headers. What is counted along a stream, discarded events and
// packets, goes on from file to file.
type chain struct {
	class, instance uint64
	known           bool  // packets say which stream they belong to, and when they begin
	full            int64 // size of the largest first packet of its class in the trace, 0 if it is not known
	files           []streamFile
}

// same reports whether two chains are of one stream.
func (c *chain) same(d *chain) bool {
	return c.known && d.known && c.class == d.class && c.instance == d.instance
}

// chain groups the files of a trace into streams. Without instances each file is a stream.
func (pl *plan) chain(dir string, files []streamFile) []*chain {
	var chains []*chain
	full := make(map[uint64]int64)
	for _, f := range files {
		c := &chain{}
		if pl.inst != nil {
			if p, instance, ok := pl.firstPacket(filepath.Join(dir, f.name), f.size); ok {
				c.class, c.instance, c.known, f.begin = p.class.id, instance, true, p.begin
				f.first, f.cpu, f.met = p.identity(), p.cpu, true
				full[c.class] = max(full[c.class], p.size)
			}
		}
		if i := slices.IndexFunc(chains, c.same); i >= 0 {
			c = chains[i]
		} else {
			chains = append(chains, c)
		}
		c.files = append(c.files, f)
	}
	for _, c := range chains {
		c.full = full[c.class]
		slices.SortStableFunc(c.files, func(a, b streamFile) int { return cmp.Compare(a.begin, b.begin) })
	}
	return chains
}

// firstPacket reads the first packet's header of a file, and which stream it belongs to.
func (pl *plan) firstPacket(path string, size int64) (first packet, instance uint64, ok bool) {
	pl.walk(path, size, func(p *packet, ev *trace.Event) bool {
		if ok = p.class != nil; ok {
			first, instance = *p, uint64(ev.Int(p.class.layout.Field(trace.PacketHeader, trace.StreamInstance)))
		}
		return false
	})
	return first, instance, ok
}

// walk reads the header of one packet of a file after the other, as long as the visitor wants another and this one can be read: what is wrong with one
// is reported when it is read for its events. Of the last that is visited as much may be known as could be read.
func (pl *plan) walk(path string, size int64, visit func(p *packet, ev *trace.Event) bool) {
	f, err := os.Open(path)
	if err != nil {
		return // the reader will say so
	}
	defer f.Close()
	w := window{file: f, size: size, own: make([]byte, 4096+trace.Spare), lender: &lender{}}
	var p packet
	var ev trace.Event
	for off := int64(0); off < size; off += p.size {
		_, err := pl.readPacket(&w, off, &p, &ev, nil)
		if !visit(&p, &ev) || err != nil || p.size <= 0 {
			return
		}
	}
}
