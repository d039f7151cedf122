package text

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
)

const magicNumber = 0xc1fc1fc1

// maxHead bounds packet header and context, in bytes.
const maxHead = 1 << 20

// file writes the packets of one stream file.
func (p *printer) file(name string) error {
	f, err := os.Open(filepath.Join(p.dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	d := &decoder{printer: p, file: f, size: info.Size()}
	if len(p.streams) == 0 {
		p.comment("file %s has no stream that is declared", name)
		return nil
	}
	if d.size == 0 {
		fmt.Fprintf(p.out, "\nfile %s stream=%d\n", trace.AppendName(nil, name), p.streams[0].model.ID)
		return nil
	}
	for d.off < d.size {
		if err := d.packet(name); err != nil {
			return err
		}
	}
	return nil
}

func (p *printer) comment(format string, args ...any) {
	fmt.Fprintf(p.out, "# %s\n", fmt.Sprintf(format, args...))
}

// A decoder reads the packets of one file, each as a whole.
type decoder struct {
	*printer
	file io.ReaderAt
	size int64 // of the file
	off  int64 // of the packet
	any  bool  // a packet has been written

	kind  *kind
	buf   []byte
	event trace.Event

	begin, end       uint64
	hasBegin, hasEnd bool
	cycles           uint64 // of the event before
}

// load makes the first n bytes of the packet available, or as many as the file has.
func (d *decoder) load(n int64) error {
	n = min(n, d.size-d.off)
	if need := int(n) + trace.Spare; need > len(d.buf) {
		d.buf = make([]byte, max(need, 2*len(d.buf)))
	}
	clear(d.buf[n : n+trace.Spare])
	if _, err := d.file.ReadAt(d.buf[:n], d.off); err != nil && err != io.EOF {
		return err
	}
	return nil
}

// packet writes the packet at off and moves behind it.
func (d *decoder) packet(name string) error {
	if err := d.load(maxHead); err != nil {
		return err
	}
	rest := min(d.size-d.off, maxHead)
	e := &d.event
	_, err := e.DecodePacket(&d.head, d.buf, uint64(rest)*8)
	id := uint64(0)
	if err == nil {
		d.kind = d.streams[0]
		if f := d.head.Field(trace.PacketHeader, trace.StreamClass); f != nil {
			id, d.kind = uint64(e.Int(f)), nil
			for _, k := range d.streams {
				if k.model.ID == id {
					d.kind = k
				}
			}
		}
	}
	magic := d.head.Field(trace.PacketHeader, trace.Magic)
	switch {
	case err != nil:
	case magic != nil && uint32(e.Int(magic)) != magicNumber:
		err = fmt.Errorf("a packet begins with %#08x instead of %#08x", uint32(e.Int(magic)), uint32(magicNumber))
	case d.kind == nil:
		err = fmt.Errorf("a packet is of stream %d, which is not declared", id)
	}
	var start uint64
	if err == nil {
		start, err = e.DecodePacket(&d.kind.layout, d.buf, uint64(rest)*8)
	}
	if err != nil {
		d.comment("%s: at byte %d: %v", name, d.off, err)
		d.off = d.size
		return nil
	}
	k := d.kind
	if !d.any {
		fmt.Fprintf(d.out, "\nfile %s stream=%d\n", trace.AppendName(nil, name), k.model.ID)
		d.any = true
	}
	size, content := d.sizes(start)
	d.context(size, content)
	if err := d.load(int64(size / 8)); err != nil {
		return err
	}
	// The packet's own fields lie at the beginning of the new buffer as well.
	if _, err := e.DecodePacket(&k.layout, d.buf, start); err != nil {
		return err
	}
	if err := d.events(start, content); err != nil {
		return err
	}
	d.off += int64(size / 8)
	return nil
}

// sizes returns the bits of the packet and of its content, as far as they can be true.
func (d *decoder) sizes(start uint64) (size, content uint64) {
	k, e := d.kind, &d.event
	left := uint64(d.size-d.off) * 8
	size = left
	said := func(r trace.Role) (uint64, bool) {
		f := k.field[r]
		return uint64(e.Int(f)), f != nil && e.Has(f)
	}
	c, hasContent := said(trace.ContentSize)
	s, hasSize := said(trace.PacketSize)
	switch {
	case hasSize:
		size = s
	case hasContent:
		size = roundUp(c, 8)
	}
	if content = size; hasContent {
		content = c
	}
	if size > left || size < start || size%8 != 0 || content > size || content < start {
		d.comment("at byte %d: a packet claims %d bits of content in %d, %d are left in the file", d.off, content, size, left)
		size = min(roundUp(max(size, start), 8), left)
		content = min(max(content, start), size)
	}
	return size, content
}

func roundUp(n, a uint64) uint64 {
	if n > ^uint64(0)-a {
		return n &^ (a - 1)
	}
	return (n + a - 1) &^ (a - 1)
}

// context writes the line of a packet.
func (d *decoder) context(size, content uint64) {
	k, e := d.kind, &d.event
	b := append(d.line[:0], "packet"...)
	time := func(key string, r trace.Role, c *schema.Clock) (uint64, bool) {
		f := k.field[r]
		if f == nil || !e.Has(f) {
			return 0, false
		}
		v := uint64(e.Int(f))
		b = append(append(append(b, ' '), key...), '=')
		b = trace.AppendTime(b, c.Time(v))
		return v, true
	}
	d.begin, d.hasBegin = time("begin", trace.PacketBegin, k.place.begin)
	d.end, d.hasEnd = time("end", trace.PacketEnd, k.place.end)
	if d.hasBegin {
		d.cycles = d.begin
	}
	for _, a := range [...]string{"seq", "discarded", "cpu", "instance"} {
		if f := k.field[attributes[a]]; f != nil && e.Has(f) {
			b = append(append(append(b, ' '), a...), '=')
			b = strconv.AppendUint(b, uint64(e.Int(f)), 10)
		}
	}
	if size != roundUp(content, 8) {
		b = strconv.AppendUint(append(b, " size="...), size/8, 10)
	}
	n := len(b)
	b = e.AppendRest(append(b, " | "...), &k.layout, trace.PacketHeader)
	if b = e.AppendRest(b, &k.layout, trace.PacketContext); len(b) == n+3 {
		b = b[:n]
	}
	d.line = append(b, '\n')
	d.out.Write(d.line)
}

// events writes the events between two bits of the packet.
func (d *decoder) events(pos, content uint64) error {
	k, e := d.kind, &d.event
	e.Prepare(k.slots)
	for pos < content {
		h, err := k.header.Read(e, d.buf, pos, content)
		class := k.classes[h.ID]
		if len(k.layout.Fields(trace.EventHeader, trace.EventClass)) == 0 && len(k.model.Events) > 0 {
			h.ID = k.model.Events[0].ID
			class = k.classes[h.ID]
		}
		if err == nil && class == nil {
			err = fmt.Errorf("event id %d is not declared", h.ID)
		}
		var next uint64
		if err == nil {
			next, err = e.DecodeBody(class, d.buf, h.End, content)
		}
		if err == nil && next == pos {
			err = fmt.Errorf("an event takes no space")
		}
		if err != nil {
			d.comment("%d bits are left: %v", content-pos, err)
			return nil
		}
		ns := int64(0)
		switch {
		case h.Which >= 0:
			t := k.stamps[h.Which].Type()
			d.cycles = d.extend(h.Stamp, t)
			ns = d.places.of(d.model, k.model, t).Time(d.cycles)
		case d.hasBegin:
			ns = k.place.begin.Time(d.begin)
		}
		if err := d.write(ns, h.ID); err != nil {
			return err
		}
		pos = next
	}
	return nil
}

// extend completes a time of which the low bits are recorded, as the reader of package ctf does.
func (d *decoder) extend(low uint64, t *trace.Type) uint64 {
	if t.Variable || t.Size >= 64 {
		return low
	}
	mask := uint64(1)<<t.Size - 1
	v := d.cycles&^mask | low
	if low < d.cycles&mask {
		v += mask + 1
	}
	if v > d.end && v&^mask != d.cycles&^mask && d.hasBegin && d.hasEnd && d.end >= d.begin && v-mask-1 >= d.begin {
		return v - mask - 1
	}
	return v
}

// write writes the line of an event.
func (d *decoder) write(ns int64, id uint64) error {
	e, k := &d.event, d.kind
	b := trace.AppendTime(d.line[:0], ns)
	b = append(append(b, ' '), k.names[id]...)
	n := len(b)
	if b = e.AppendText(append(b, ' ')); len(b) == n+1 {
		b = b[:n]
	}
	const bar, hat = " | ", " ^ "
	n = len(b)
	if b = bytes.TrimRight(e.AppendContext(append(b, bar...)), " "); len(b) <= n+len(bar)-1 {
		b = b[:n]
	}
	n = len(b)
	if b = e.AppendRest(append(b, hat...), &k.layout, trace.EventHeader); len(b) == n+len(hat) {
		b = b[:n]
	}
	if len(b) > maxLine && isCut(b) {
		return fmt.Errorf("an event at %s has a list too long to be written as text", trace.AppendTime(nil, ns))
	}
	d.line = append(b, '\n')
	_, err := d.out.Write(d.line)
	return err
}

// maxLine is the length of lines in which a list may be cut short.
const maxLine = 1 << 20

// isCut reports whether a list in a line is cut short.
func isCut(line []byte) bool {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(line[i:], []byte("…")):
			return true
		}
	}
	return false
}
