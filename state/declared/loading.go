package declared

import (
	"path"
	"strconv"

	"synchroscope/trace"
)

// A loading is what events of a class tell of modules, with the fields resolved.
type loading struct {
	base, size, path, pic *trace.Field
	unloads               bool
}

// tellers are the events that tell of modules, and whether these are gone then: LTTng's own libraries record them.
var tellers = map[string]bool{
	"lttng_ust_statedump:bin_info": false,
	"lttng_ust_dl:dlopen":          false,
	"lttng_ust_dl:dlmopen":         false,
	"lttng_ust_lib:load":           false,
	"lttng_ust_lib:unload":         true,
}

// loadingOf resolves what a class tells of modules, nil for nothing.
func loadingOf(c *trace.Class) *loading {
	unloads, tells := tellers[c.Name]
	l := &loading{base: c.Field("baddr"), size: c.Field("memsz"), path: c.Field("path"), pic: c.Field("is_pic"), unloads: unloads}
	if !tells || !isInteger(l.base) || !unloads && (!isInteger(l.size) || l.path == nil) {
		return nil
	}
	if !isInteger(l.pic) {
		l.pic = nil // what is opened later can be anywhere
	}
	return l
}

// Loads reports whether events of a class tell which file was loaded where.
func Loads(c *trace.Class) bool {
	l := loadingOf(c)
	return l != nil && !l.unloads
}

func isInteger(f *trace.Field) bool { return f != nil && f.Type().Kind == trace.Integer }

// tell takes up what an event tells of the modules of its process.
func (m *Model) tell(ev *trace.Event, b *binding) {
	p, ok := m.process(ev, b)
	base := uint64(ev.Int(b.loading.base))
	switch {
	case !ok:
	case b.loading.unloads:
		m.modules.unload(p, base)
	default:
		file := path.Base(string(ev.Bytes(b.loading.path)))
		m.modules.load(p, module{base, uint64(ev.Int(b.loading.size)), file, b.loading.pic != nil && ev.Int(b.loading.pic) == 0})
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
	p, ok := m.process(ev, b)
	if !ok {
		return nil
	}
	in := m.modules.at(p, address)
	if in == nil {
		return nil
	}
	place, at := address, byte('@')
	if !in.fixed {
		place, at = address-in.base, '+'
	}
	name, offset, known := m.Symbols.Function(in.file, place)
	switch {
	case !known:
		return appendHex(append([]byte(in.file), at), place)
	case offset > 0:
		return appendHex(append([]byte(name), '+'), offset)
	}
	return []byte(name)
}

func appendHex(b []byte, n uint64) []byte { return strconv.AppendUint(append(b, "0x"...), n, 16) }
