package kernel

import (
	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/trace"
)

// What is kept of the arguments of a system call: one number, which tells what the
// call is about, and a file name. Of what it returned, an error.

// numbers are the fields that tell what a call is about: the first that a class has in its payload, for contexts
// of the same names, such as pid and tid, tell who calls.
var numbers = []string{"fd", "fildes", "ufd", "epfd", "uaddr", "upid", "pid", "tid", "id"}

// paths are the fields that name a file: the first that a class has.
var paths = []string{"filename", "pathname", "path", "oldname"}

// maxPaths bounds the file names that are kept, and maxPath the length of one. Names
// past them are null.
const (
	maxPaths = 1 << 14
	maxPath  = 255
)

// arguments are the fields of a class that are kept; nil where it has none.
type arguments struct{ number, path *trace.Field }

func argumentsOf(c *trace.Class) arguments {
	return arguments{firstOf(c, numbers), firstOf(c, paths)}
}

func firstOf(c *trace.Class, names []string) *trace.Field {
	for _, name := range names {
		if f := c.Payload(name); f != nil {
			return f
		}
	}
	return nil
}

// enterWith keeps the arguments of the call that t enters.
func (m *Model) enterWith(t *thread, ev *trace.Event, a arguments) {
	number, path := history.Null(), history.Null()
	if a.number != nil {
		number = history.Int(ev.Int(a.number))
	}
	if a.path != nil {
		path = m.path(ev.Bytes(a.path))
	}
	if t.quark.call != attribute.None && !t.call.IsNull() && !m.hidden(t) {
		m.under(&t.quark.argument, t.quark.call, "Argument", number)
		m.under(&t.quark.file, t.quark.call, "File", path)
		m.threads.markSure(t)
	}
}

// path is a file name as a value.
func (m *Model) path(name []byte) history.Value {
	if len(name) == 0 || len(name) > maxPath {
		return history.Null()
	}
	h := hash(name)
	if _, ok := m.paths[h]; !ok {
		if len(m.paths) >= maxPaths {
			return history.Null()
		}
		m.paths[h] = struct{}{}
	}
	return m.w.Text(name)
}

// hash is FNV-1a.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// maxErrno is the largest number of an error in Linux.
const maxErrno = 4095

// returned keeps what the call of t came to.
func (m *Model) returned(t *thread, ret int64) {
	v := history.Null()
	if ret < 0 && ret >= -maxErrno {
		v = history.Int(-ret)
	}
	if t.quark.call != attribute.None && !m.hidden(t) {
		m.under(&t.quark.failed, t.quark.call, "Error", v)
		m.threads.markSure(t)
	}
}
