package declared

import (
	"cmp"
	"math"
	"slices"
	"strings"
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
	file       string // its path, of a long one the end
	fixed      bool   // its addresses are those of the file, wherever it is loaded
	opened     bool   // while the program ran
	told       bool   // since the newest list of all that are loaded began
}

// A space is the memory of a process.
type space struct {
	modules []module // by their bases; no two overlap
	listing bool     // all that are loaded are being told
}

// modules are those of all processes of a host, as their events tell of them. What is loaded over another takes its place, and what is not in a new list of all has
// gone. That a library is closed (dlclose) is no sign of that: others may have it open.
type modules struct {
	of     map[process]*space
	order  []process // as they were first told of
	count  int       // of all processes
	doubts bool      // some may be gone unseen where events are lost
}

// How many modules are known: of a process, and of all of a host, and how many processes; that which was told of first gives way. Tests have less.
var (
	mostLoaded    = 1 << 12
	mostModules   = 1 << 15
	mostProcesses = 1 << 14
)

// maxFile is how much is kept of a path, bytes: no file system has longer names.
const maxFile = 255

// load takes up that a process has a module from now on. One that cannot be kept takes the place of others all the same.
func (s *modules) load(p process, m module) {
	if m.size = min(m.size, math.MaxUint64-m.base); m.size == 0 {
		return
	}
	m.told = true
	s.doubts = s.doubts || m.opened
	if m.file = ending(m.file); m.file == "" {
		s.replace(p, m)
		return
	}
	s.replace(p, m, m)
	for (s.count > mostModules || len(s.order) > mostProcesses) && len(s.order) > 1 {
		s.forget()
	}
}

// ending is as much of a path as is kept, from a folder on; "" where the name itself is too long.
func ending(path string) string {
	if len(path) <= maxFile {
		return path
	}
	tail := path[len(path)-maxFile-1:]
	_, from, _ := strings.Cut(tail, "/")
	return from
}

// replace puts modules in the place of those that another overlaps.
func (s *modules) replace(p process, m module, by ...module) {
	of := s.of[p]
	if of == nil {
		if len(by) == 0 {
			return
		}
		of = s.add(p)
	}
	from, to := overlapped(of.modules, m)
	if to == from && len(of.modules) >= mostLoaded {
		return
	}
	// Told anew with all others, it is still what can be closed.
	if slices.ContainsFunc(of.modules[from:to], func(o module) bool { return o.opened }) {
		for i := range by {
			by[i].opened = true
		}
	}
	s.count += len(by) - (to - from)
	of.modules = slices.Replace(of.modules, from, to, by...)
}

func (s *modules) add(p process) *space {
	of := new(space)
	s.of[p] = of
	s.order = append(s.order, p)
	return of
}

// list begins to tell all modules of a process.
func (s *modules) list(p process) {
	of := s.of[p]
	if of == nil {
		return // all that comes is new
	}
	of.listing, s.doubts = true, true
	for i := range of.modules {
		of.modules[i].told = false
	}
}

// listed ends that: what was not told is there no longer.
func (s *modules) listed(p process) {
	if of := s.of[p]; of != nil && of.listing {
		of.listing = false
		s.drop(of, func(m module) bool { return !m.told })
	}
}

// doubt forgets what may be gone unseen, and another in its place: what programs opened while they ran, and, where all that is loaded was being told, what was not yet:
// it may be another program by now, of which not all that is told is seen.
func (s *modules) doubt() {
	if !s.doubts {
		return
	}
	s.doubts = false
	for _, of := range s.of {
		s.drop(of, func(m module) bool { return m.opened || of.listing && !m.told })
		of.listing = false
	}
}

func (s *modules) drop(of *space, gone func(module) bool) {
	before := len(of.modules)
	of.modules = slices.DeleteFunc(of.modules, gone)
	s.count -= before - len(of.modules)
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
	if of := s.of[p]; of != nil {
		s.drop(of, func(m module) bool { return m.base == base })
	}
}

// forget forgets the process that was told of first.
func (s *modules) forget() {
	s.count -= len(s.of[s.order[0]].modules)
	delete(s.of, s.order[0])
	s.order = s.order[1:]
}

// at finds the module that an address of a process is in, nil for none. While all are being told, what was not yet may be gone.
func (s *modules) at(p process, address uint64) *module {
	of := s.of[p]
	if of == nil {
		return nil
	}
	i, exact := slices.BinarySearchFunc(of.modules, address, func(o module, a uint64) int { return cmp.Compare(o.base, a) })
	if !exact {
		i--
	}
	if i < 0 {
		return nil
	}
	m := &of.modules[i]
	if address-m.base >= m.size || of.listing && !m.told {
		return nil
	}
	return m
}
