package ctf

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"sync"

	"synchroscope/trace/ctf/schema"
)

// declared is what the metadata of a trace says, laid out. Nothing of it changes, so all who open the trace share it.
type declared struct {
	plan  *plan
	info  Info          // without what the folder tells
	model *schema.Trace // what is laid out of it
}

// layoutOf is the part of a model that is laid out: all but what tells one trace from another.
func layoutOf(t *schema.Trace) *schema.Trace {
	return &schema.Trace{BigEndian: t.BigEndian, PacketHeader: t.PacketHeader, Streams: t.Streams, Verbatim: t.Verbatim}
}

// maxShared is of how much metadata, in bytes of its files, what it says is kept: some five kernels with the usual events, or one with all.
// It takes some seven times as much.
const maxShared = 2 << 20

// An import opens a trace several times, and whoever asks for events opens all of a set anew: most of what that takes
// is to read and lay out the same metadata. What was opened last is kept, by all that its file says.
var opened sharing

// A sharing keeps what the metadata that was asked for last says, the latest first.
type sharing struct {
	mu   sync.Mutex
	kept []keptMetadata
}

type keptMetadata struct {
	digest [sha256.Size]byte
	size   int
	says   *declared
}

// get is what metadata says; read finds it out where it is not kept. What cannot be read is not kept.
func (s *sharing) get(metadata []byte, read func() (*declared, error)) (*declared, error) {
	digest := sha256.Sum256(metadata)
	if d := s.find(digest); d != nil {
		return d, nil
	}
	d, err := read()
	if err != nil {
		return nil, err
	}
	s.keep(keptMetadata{digest, len(metadata), d})
	return d, nil
}

func (s *sharing) find(digest [sha256.Size]byte) *declared {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.kept, func(k keptMetadata) bool { return k.digest == digest })
	if i < 0 {
		return nil
	}
	k := s.kept[i]
	copy(s.kept[1:], s.kept[:i])
	s.kept[0] = k
	return k.says
}

// like is what is kept of metadata that declares the same, but for the trace's own id, environment and clocks: so it is of the machines of one
// set, and laid out it takes a megabyte.
func (s *sharing) like(t *schema.Trace) *declared {
	s.mu.Lock()
	kept := slices.Clone(s.kept)
	s.mu.Unlock()
	layout := layoutOf(t)
	for _, k := range kept {
		if m := k.says.model; m != nil && m != layout && reflect.DeepEqual(m, layout) {
			return k.says
		}
	}
	return nil
}

func (s *sharing) keep(k keptMetadata) {
	if k.size > maxShared {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// Another may have read the same meanwhile.
	s.kept = slices.DeleteFunc(s.kept, func(o keptMetadata) bool { return o.digest == k.digest })
	s.kept = slices.Insert(s.kept, 0, k)
	room := maxShared
	for i, o := range s.kept {
		if room -= o.size; room < 0 {
			clear(s.kept[i:])
			s.kept = s.kept[:i]
			return
		}
	}
}
