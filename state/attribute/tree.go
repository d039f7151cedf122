// Package attribute names the things that have a state: a tree of path
// elements in which every node has a small number, its quark.
package attribute

// A Quark is the number of an attribute, dense from 0 in order of creation.
type Quark int32

// None is the quark of what does not exist; Root is the parent of the first level.
const (
	None Quark = -1
	Root Quark = -1
)

// A Tree maps paths to quarks. One goroutine adds, any number read.
type Tree struct{}

func NewTree() *Tree { panic("unbuilt") }

// Add returns the quark of the child of parent called name, making it if needed.
func (t *Tree) Add(parent Quark, name string) Quark { panic("unbuilt") }

// Path adds every element of a path below Root and returns the last.
func (t *Tree) Path(elements ...string) Quark { panic("unbuilt") }

// Child returns None where parent has no such child.
func (t *Tree) Child(parent Quark, name string) Quark { panic("unbuilt") }

// Lookup is Child along a path below Root.
func (t *Tree) Lookup(elements ...string) Quark { panic("unbuilt") }

// Children returns a copy of the quarks below parent, in order of creation.
func (t *Tree) Children(parent Quark) []Quark { panic("unbuilt") }

// Match returns all quarks whose path fits a pattern such as "CPUs/*/Current_thread".
func (t *Tree) Match(pattern string) []Quark { panic("unbuilt") }

func (t *Tree) Name(q Quark) string  { panic("unbuilt") }
func (t *Tree) Full(q Quark) string  { panic("unbuilt") } // "Threads/42/Status": '/' between, '/' inside a name escaped
func (t *Tree) Parent(q Quark) Quark { panic("unbuilt") }
func (t *Tree) Len() int             { panic("unbuilt") }
