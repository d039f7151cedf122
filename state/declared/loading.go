package declared

import (
	"path"
	"strconv"

	"synchroscope/trace"
)

// Loading names the events that tell of modules, as lttng enable-event takes them. Those of libraries that are opened by a program come where
// liblttng-ust-dl.so is preloaded.
const Loading = "lttng_ust_statedump:*,lttng_ust_dl:*,lttng_ust_lib:*"

// A loading is what events of a class tell of modules, with the fields resolved.
type loading struct {
	what                  tells
	base, size, path, pic *trace.Field
}

type tells uint8

const (
	loaded   tells = iota // with all that are
	opened                // while the program ran
	unloaded              // it is gone
	listing               // all that are loaded follow
	listed                // these were all
)

// tellers are the events that tell of modules: LTTng's own libraries record them.
var tellers = map[string]tells{
	"lttng_ust_statedump:start":    listing,
	"lttng_ust_statedump:bin_info": loaded,
	"lttng_ust_statedump:end":      listed,
	"lttng_ust_dl:dlopen":          opened,
	"lttng_ust_dl:dlmopen":         opened,
	"lttng_ust_lib:load":           opened,
	"lttng_ust_lib:unload":         unloaded,
}

// loadingOf resolves what a class tells of modules, nil for nothing.
func loadingOf(c *trace.Class) *loading {
	what, tells := tellers[c.Name]
	l := &loading{what: what, base: c.Field("baddr"), size: c.Field("memsz"), path: c.Field("path"), pic: c.Field("is_pic")}
	switch {
	case !tells:
		return nil
	case what == listing, what == listed:
		return l
	case !isInteger(l.base), what != unloaded && (!isInteger(l.size) || l.path == nil):
		return nil
	}
	if !isInteger(l.pic) {
		l.pic = nil // what is opened can be anywhere
	}
	return l
}

// Loads reports whether events of a class tell which file was loaded where.
func Loads(c *trace.Class) bool {
	l := loadingOf(c)
	return l != nil && (l.what == loaded || l.what == opened)
}

func isInteger(f *trace.Field) bool { return f != nil && f.Type().Kind == trace.Integer }

// tell takes up what an event tells of the modules of its process.
func (m *Model) tell(ev *trace.Event, b *binding) {
	p, ok := m.process(ev, b)
	if !ok {
		return
	}
	switch l := b.loading; l.what {
	case listing:
		m.modules.list(p)
	case listed:
		m.modules.listed(p)
	case unloaded:
		m.modules.unload(p, uint64(ev.Int(l.base)))
	default:
		m.modules.load(p, module{
			base: uint64(ev.Int(l.base)), size: uint64(ev.Int(l.size)), file: string(ev.Bytes(l.path)),
			fixed: l.pic != nil && ev.Int(l.pic) == 0, opened: l.what == opened,
		})
	}
}

// process finds whose an event is; false if it does not say.
func (m *Model) process(ev *trace.Event, b *binding) (process, bool) {
	s, pid := m.source(ev, b)
	return process{s.Place, ev.Int(b.ns), int32(pid)}, pid > 0 && pid < firstOther
}

// function names the code at an address of the process of an event: by its function if that is known, else by the place in the file from which it was
// loaded, as tools that read programs want it. It returns nil if that is not known either.
func (m *Model) function(ev *trace.Event, b *binding, address uint64) []byte {
	m.nameless.entered++
	p, ok := m.process(ev, b)
	if !ok {
		m.nameless.homeless++
		return nil
	}
	in := m.modules.at(p, address)
	if in == nil {
		m.nameless.nowhere++
		return nil
	}
	place, at := address, byte('@')
	if !in.fixed {
		place, at = address-in.base, '+'
	}
	name, offset, known := m.Symbols.Function(in.file, place)
	switch {
	case !known:
		m.nameless.in(path.Base(in.file))
		return appendHex(append([]byte(path.Base(in.file)), at), place)
	case offset > 0:
		behind := appendHex([]byte("+"), offset)
		return append([]byte(name[:min(len(name), maxText-len(behind))]), behind...)
	}
	return []byte(name)
}

func appendHex(b []byte, n uint64) []byte { return strconv.AppendUint(append(b, "0x"...), n, 16) }
