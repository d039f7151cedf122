package kernel

import (
	"bytes"

	"synchroscope/state/history"
)

// A comm is a thread's name as the kernel keeps it: up to 15 bytes, padded with
// zeros. Its zero value is no name.
type comm [16]byte

// makeComm cuts a recorded name at its first zero and at 15 bytes.
func makeComm(b []byte) (c comm) {
	n := copy(c[:15], b)
	if i := bytes.IndexByte(c[:n], 0); i >= 0 {
		clear(c[i:])
	}
	return c
}

// execComm is the name that an exec gives: the last element of the file's path.
func execComm(path []byte) comm {
	return makeComm(path[bytes.LastIndexByte(path, '/')+1:])
}

func (c comm) String() string {
	n := bytes.IndexByte(c[:], 0)
	return string(c[:n])
}

// maxComms bounds the cache of names. Past it, names go the slow way.
const maxComms = 1 << 16

// text is the value of a name in the history's dictionary.
func (m *Model) text(c comm) history.Value {
	v, ok := m.comms[c]
	if !ok {
		v = m.w.Text(c[:bytes.IndexByte(c[:], 0)])
		if len(m.comms) < maxComms {
			m.comms[c] = v
		}
	}
	return v
}

// setName names t as an event names it.
func (m *Model) setName(t *thread, recorded []byte) {
	c := makeComm(recorded)
	if c == t.comm || c == (comm{}) {
		return
	}
	m.rename(t, c)
}

func (m *Model) rename(t *thread, c comm) {
	t.comm = c
	if t.tid == kthreaddTID && c == kthreadd {
		m.toKernel(t)
	}
	m.fromBirth(t, &t.quark.name, "Name", m.text(c))
	m.updateRow(t)
}
