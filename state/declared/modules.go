package declared

import (
	"cmp"
	"math"
	"slices"
)

// A process is whose addresses mean something: its number is that of a pid namespace.
type process struct {
	place string // of its source
	ns    int64  // the pid namespace, 0 unknown
	pid   int32
}

// A module is a file that is loaded into the memory of a process: a program, or a library.
type module struct {
	base, size uint64
	file       string // without its folder
	fixed      bool   // its addresses are those of the file, wherever it is loaded
}

// modules are those of all processes of a host, as their events tell of them. What is loaded over another takes its place. That a library is closed
// (dlclose) is no sign that it has gone: others may have it open.
type modules struct {
	loaded map[process][]module // by their bases; no two overlap
	order  []process            // as they were first told of
	count  int                  // of all processes
}

// How many modules are known: of a process, and of all of a host, and how many processes; that which was told of first gives way. Tests have less.
var (
	mostLoaded    = 1 << 12
	mostModules   = 1 << 15
	mostProcesses = 1 << 14
)

// maxFile is how long the name of a file is, bytes: no file system has longer ones.
const maxFile = 255

// load takes up that a process has a module from now on.
func (s *modules) load(p process, m module) {
	if m.size == 0 || m.size > math.MaxUint64-m.base || len(m.file) > maxFile {
		return
	}
	list, known := s.loaded[p]
	from, to := overlapped(list, m)
	if to == from && len(list) >= mostLoaded {
		return
	}
	if !known {
		s.order = append(s.order, p)
	}
	s.count += 1 - (to - from)
	s.loaded[p] = slices.Replace(list, from, to, m)
	for (s.count > mostModules || len(s.order) > mostProcesses) && len(s.order) > 1 {
		s.forget()
	}
}

// overlapped finds the modules of a list that another takes the place of, [from, to).
func overlapped(list []module, m module) (from, to int) {
	from, _ = slices.BinarySearchFunc(list, m.base, func(o module, base uint64) int {
		if o.base+o.size <= base {
			return -1
		}
		return 1
	})
	for to = from; to < len(list) && list[to].base < m.base+m.size; {
		to++
	}
	return from, to
}

// unload takes up that the module at an address is gone.
func (s *modules) unload(p process, base uint64) {
	list := s.loaded[p]
	if i, ok := slices.BinarySearchFunc(list, base, func(o module, base uint64) int { return cmp.Compare(o.base, base) }); ok {
		s.loaded[p] = slices.Delete(list, i, i+1)
		s.count--
	}
}

// forget forgets the process that was told of first.
func (s *modules) forget() {
	s.count -= len(s.loaded[s.order[0]])
	delete(s.loaded, s.order[0])
	s.order = s.order[1:]
}

// at finds the module that an address of a process is in, nil for none.
func (s *modules) at(p process, address uint64) *module {
	list := s.loaded[p]
	i, exact := slices.BinarySearchFunc(list, address, func(o module, a uint64) int { return cmp.Compare(o.base, a) })
	if !exact {
		i--
	}
	if i < 0 || address-list[i].base >= list[i].size {
		return nil
	}
	return &list[i]
}
