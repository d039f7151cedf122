package record

import (
	_ "embed"
	"sync"

	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/tsdl"
)

//go:embed events.tsdl
var eventsText string

// layout is what all traces have in common: the metadata without clock, environment and uuid, and
// the number of each kind of event.
var layout = sync.OnceValue(func() *layouts {
	t, err := tsdl.Parse(eventsText)
	if err != nil {
		panic("simulate/record: events.tsdl: " + err.Error())
	}
	l := &layouts{base: t, ids: make(map[string]uint16), calls: make(map[string]*Syscall)}
	for _, e := range t.Streams[0].Events {
		l.ids[e.Name] = uint16(e.ID)
	}
	l.bindCalls()
	return l
})

type layouts struct {
	base  *schema.Trace
	ids   map[string]uint16
	calls map[string]*Syscall
}

// id is the number of a kind of event.
func id(name string) uint16 {
	n, ok := layout().ids[name]
	if !ok {
		panic("simulate/record: events.tsdl has no event " + name)
	}
	return n
}
