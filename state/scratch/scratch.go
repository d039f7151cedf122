// Package scratch gives memory that may grow beyond what a process should hold: some of it off the heap, and all that comes
// after that as parts of a file without a name, which the machine writes to its disk when it wants the memory back.
//
// A history names whatever ever had a state, so what is kept for each name grows with a trace, if slowly: in weeks a host
// uses every thread id there is. Hardly any of it is looked at again. It needs an address, so that who reads it waits for
// nobody, but no memory.
//
// The file is mapped. docs/decisions/016-scratch.md says why that is right here though it is not for histories. Where
// there can be no such file, on other systems, on a full disk or for a history that is in no file, all comes off the heap.
package scratch

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"time"
	"unsafe"
)

const (
	mostHeap    = 4 << 20 // bytes come off the heap before there is a file
	regionSize  = 4 << 20 // bytes are mapped at once, or as many as there are if those are fewer, but not less than leastRegion
	leastRegion = 256 << 10
	pageSize    = 4 << 10 // of the machine, or a part of it
)

// What is let go of and still used comes back page by page, at some 3 µs each. So the file is let go of after so long, and when
// as much processor time has passed as makes the pages that came to the process meanwhile a fiftieth of it.
const (
	pause     = 4 * time.Second
	pageEvery = 150 * time.Microsecond // of processor time
)

// A Space is where such memory comes from. One goroutine takes of it; any may use what was taken, as long as the space can be
// reached: who holds a part holds the space.
//
// A nil space gives memory off the heap.
type Space struct {
	dir    string // "" for none
	heap   int    // bytes that are left to take off it
	file   *file  // nil until it is needed
	mapped int    // bytes of the file
	rest   []byte // of the newest region
	letGo  spent  // when it was let go of last
}

// spent is what the process has taken until an instant.
type spent struct {
	at    time.Time
	cpu   time.Duration
	pages int64 // that the machine gave it, or gave back
}

// New returns a space whose file will be in a directory, with none for "". So many bytes come off the heap first.
func New(dir string, heap int) *Space { return &Space{dir: dir, heap: heap} }

// Beside returns a space whose file will be in the directory of another one, if that is a file of the machine's.
func Beside(f any) *Space {
	if f, ok := f.(*os.File); ok {
		return New(filepath.Dir(f.Name()), mostHeap)
	}
	return nil
}

// Make returns n zero values, which must not contain pointers.
func Make[T any](s *Space, n int) []T {
	if size := n * sizeOf[T](); s != nil && size <= s.heap {
		s.heap -= size
		return make([]T, n)
	}
	return Away[T](s, n)
}

// Away is Make of what is not to come off the heap, whatever is left to take off it.
func Away[T any](s *Space, n int) []T {
	size := n * sizeOf[T]()
	if s == nil || size == 0 || s.dir == "" {
		return make([]T, n)
	}
	b := s.take(size)
	if b == nil {
		s.dir = "" // from now on it is as if there had never been one
		return make([]T, n)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n)
}

// take returns bytes of the file that nobody has had, zeros, or nil if it cannot grow.
func (s *Space) take(size int) []byte {
	size = (size + 7) &^ 7
	if len(s.rest) < size {
		f := s.file
		if f == nil {
			var err error
			if f, err = create(s.dir); err != nil {
				return nil
			}
		}
		region, err := f.extend((max(size, leastRegion, min(s.mapped, regionSize)) + pageSize - 1) &^ (pageSize - 1))
		if err != nil {
			if s.file == nil {
				f.close()
			}
			return nil
		}
		if s.file == nil {
			s.file, s.letGo = f, soFar()
			runtime.AddCleanup(s, (*file).close, f)
		}
		s.rest = region
		s.mapped += len(region)
	}
	b := s.rest[:size:size]
	s.rest = s.rest[size:]
	return b
}

// Holds tells whether p points into the file: such memory is not freed when nobody points to it any more. Only the goroutine
// that takes may ask.
func Holds[T any](s *Space, p *T) bool {
	if s == nil || s.file == nil {
		return false
	}
	for _, r := range s.file.regions {
		if at := uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(unsafe.SliceData(r))); at < uintptr(len(r)) {
			return true
		}
	}
	return false
}

// LetGo lets go of what of the file is in the process's memory, if it has not done so lately: in the last seconds, or so that what came back
// since would be much of the work. What is still used
// comes back as it is used, from where the machine keeps files in memory while it has nothing better to do with that, and what
// is not used any more does not count as the process's. Only the goroutine that takes may call it.
func (s *Space) LetGo() {
	if !s.Grown() || time.Since(s.letGo.at) <= pause {
		return
	}
	if now := soFar(); s.letGo.longAgo(now) {
		s.file.letGo()
		s.letGo = now
	}
}

// longAgo tells whether what came back since then is little beside what was done.
func (s spent) longAgo(now spent) bool {
	return now.cpu-s.cpu >= time.Duration(now.pages-s.pages)*pageEvery
}

// Grown tells whether there is a file.
func (s *Space) Grown() bool { return s != nil && s.file != nil }

// sizeOf is how many bytes a value takes that must not contain pointers.
func sizeOf[T any]() int {
	t := reflect.TypeFor[T]()
	if pointers(t) {
		panic(fmt.Sprintf("scratch: %v has pointers, which the collector would not follow", t))
	}
	return int(t.Size())
}

func pointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() > 0 && pointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	}
	return t.Kind() > reflect.Complex128 || t.Kind() == reflect.Uintptr
}
