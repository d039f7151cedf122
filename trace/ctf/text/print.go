package text

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/schema"
)

// Print writes the trace in a directory as text. What cannot be read of a stream is left out,
// and a comment says so; metadata that cannot be understood is an error.
func Print(out io.Writer, dir string) error {
	t, format, err := ctf.Metadata(dir)
	if err != nil {
		return err
	}
	p := &printer{out: bufio.NewWriter(out), dir: dir, model: t}
	p.places.declare(t)
	p.types.big = t.BigEndian
	if err := p.layout(); err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "metadata"), err)
	}
	p.metadata(format)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || name == "metadata" || name[0] == '.' || strings.HasSuffix(name, ".idx") {
			continue
		}
		if err := p.file(name); err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
		}
	}
	return p.out.Flush()
}

// A printer writes one trace.
type printer struct {
	out    *bufio.Writer
	dir    string
	model  *schema.Trace
	types  typeWriter
	places places

	head    trace.Layout // the packet header alone
	streams []*kind
	line    []byte
}

// A kind is one kind of stream, laid out.
type kind struct {
	model   *schema.Stream
	place   *place
	layout  trace.Layout
	header  *trace.Header
	stamps  []*trace.Field
	classes map[uint64]*trace.Class
	names   map[uint64]string // as they are written
	slots   int
	field   map[trace.Role]*trace.Field // of the packet context
}

// packetRoles are what a packet's context says.
var packetRoles = []trace.Role{
	trace.PacketBegin, trace.PacketEnd, trace.PacketSize, trace.ContentSize, trace.Sequence, trace.Discarded, trace.CPU,
}

func (p *printer) layout() error {
	p.head.Verbatim = p.model.Verbatim
	if err := p.head.Packet(p.model.PacketHeader, nil); err != nil {
		return err
	}
	for _, s := range p.model.Streams {
		k := &kind{model: s, place: p.places.streams[s], classes: make(map[uint64]*trace.Class), names: make(map[uint64]string), field: make(map[trace.Role]*trace.Field)}
		k.layout.Verbatim = p.model.Verbatim
		if err := k.layout.Packet(p.model.PacketHeader, s.PacketContext); err != nil {
			return err
		}
		if err := k.layout.Header(s.EventHeader); err != nil {
			return err
		}
		k.header = k.layout.HeaderReader()
		k.stamps = k.layout.Fields(trace.EventHeader, trace.Timestamp)
		k.slots = k.layout.Slots()
		for _, r := range packetRoles {
			k.field[r] = k.layout.Field(trace.PacketContext, r)
		}
		k.field[trace.StreamInstance] = k.layout.Field(trace.PacketHeader, trace.StreamInstance)
		count := make(map[string]int)
		for _, e := range s.Events {
			count[e.Name]++
		}
		for i, e := range s.Events {
			c, err := k.layout.Class(e.Name, i, s.EventContext, e.Context, e.Payload)
			if err != nil {
				return fmt.Errorf("event %q: %w", e.Name, err)
			}
			k.classes[e.ID] = c
			k.slots = max(k.slots, c.Slots())
			name := trace.AppendName(nil, e.Name)
			if count[e.Name] > 1 {
				name = fmt.Appendf(name, "#%d", e.ID)
			}
			k.names[e.ID] = string(name)
		}
		p.streams = append(p.streams, k)
	}
	return nil
}

// metadata writes what stands before the streams.
func (p *printer) metadata(format string) {
	t := p.model
	fmt.Fprintf(p.out, "ctf %s %s", strings.TrimPrefix(format, "ctf"), map[bool]string{false: "le", true: "be"}[t.BigEndian])
	if t.UUID != "" {
		fmt.Fprintf(p.out, " uuid=%s", t.UUID)
	}
	if format == ctf.FormatCTF18 && inPackets(filepath.Join(p.dir, "metadata")) {
		p.out.WriteString(" packets")
	}
	if info, err := os.Stat(filepath.Join(p.dir, "index")); err == nil && info.IsDir() {
		p.out.WriteString(" index")
	}
	p.out.WriteByte('\n')
	for _, v := range t.Env {
		if v.IsNumber {
			fmt.Fprintf(p.out, "env %s=%d\n", appendIdent(nil, v.Name), v.Number)
		} else {
			fmt.Fprintf(p.out, "env %s=%q\n", appendIdent(nil, v.Name), v.Text)
		}
	}
	for _, c := range t.Clocks {
		p.clock(c)
	}
	named := format == ctf.FormatCTF18
	p.scope("packet-header", trace.PacketHeader, t.PacketHeader, named)
	for _, s := range t.Streams {
		fmt.Fprintf(p.out, "\nstream %d", s.ID)
		if s.HasClock {
			fmt.Fprintf(p.out, " clock=%s", appendIdent(nil, s.Clock))
		}
		p.out.WriteByte('\n')
		p.scope("packet-context", trace.PacketContext, s.PacketContext, named)
		p.scope("event-header", trace.EventHeader, s.EventHeader, named)
		p.scope("event-context", trace.StreamContext, s.EventContext, named)
		for _, e := range s.Events {
			fmt.Fprintf(p.out, "event %d %s\n", e.ID, trace.AppendName(nil, e.Name))
			p.scope("  context", trace.EventContext, e.Context, named)
			p.scope("  fields", trace.Payload, e.Payload, named)
		}
	}
}

// scope writes the line of a scope, with the roles of its fields if their names do not say them.
func (p *printer) scope(name string, s trace.Scope, t *trace.Type, named bool) {
	if t != nil {
		p.types.roles = s.Roles()
		if named {
			p.types.roles = trace.NoRole
		}
		fmt.Fprintf(p.out, "%s %s\n", name, p.types.append(nil, t))
	}
}

func (p *printer) clock(c schema.Clock) {
	fmt.Fprintf(p.out, "clock %s freq=%d", appendIdent(nil, c.Name), c.Frequency)
	for _, v := range []struct {
		key   string
		value int64
	}{{"seconds", c.Seconds}, {"cycles", c.Offset}, {"precision", int64(c.Precision)}, {"accuracy", int64(c.Accuracy)}} {
		if v.value != 0 {
			fmt.Fprintf(p.out, " %s=%d", v.key, v.value)
		}
	}
	if c.Absolute {
		p.out.WriteString(" absolute")
	}
	if c.UUID != "" {
		fmt.Fprintf(p.out, " uuid=%s", c.UUID)
		if strings.EqualFold(c.UID, c.UUID) { // CTF 2 has but one of them
			c.UID = ""
		}
		if c.Label == c.Name {
			c.Label = ""
		}
	}
	for _, v := range [][2]string{{"namespace", c.Namespace}, {"name", c.Label}, {"uid", c.UID}, {"description", c.Description}} {
		if v[1] != "" {
			fmt.Fprintf(p.out, " %s=%q", v[0], v[1])
		}
	}
	p.out.WriteByte('\n')
}

// inPackets tells whether a metadata file is in packets, by its first four bytes.
func inPackets(path string) bool {
	const magic = 0x75d11d57
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var b [4]byte
	_, err = io.ReadFull(f, b[:])
	return err == nil && (binary.LittleEndian.Uint32(b[:]) == magic || binary.BigEndian.Uint32(b[:]) == magic)
}
