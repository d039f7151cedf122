// Package scenario is what a simulated cluster is made of and what befalls it: the
// types, the files they are written in and read from, and a library of named ones.
//
// docs/simulator.md describes the format.
package scenario

import (
	"synchroscope/simulate/clock"
	"synchroscope/simulate/network"
)

// A Scenario is a cluster and what happens to it. True time begins at 0.
type Scenario struct {
	Name      string
	About     string // one sentence
	Duration  int64  // true ns
	Hosts     []Host
	Switches  []Switch
	Links     []Link
	Workloads []Workload
	// Beyond says what was to happen after the end and does not, because it ends sooner than its file says.
	Beyond []*Error `json:",omitempty"`
}

// A Host is a machine.
type Host struct {
	Name     string
	CPUs     int
	Clock    clock.Spec
	Tracing  Tracing
	Kernel   Kernel
	Behind   string    // the switch that hides the addresses of this host from those that are not behind it; "" for none
	Address  []Address // when it takes other addresses, in order of time
	Untraced bool      // it is there, but leaves no trace
	Line     int       // where it stands in its file
	lines    lines
}

// Tracing is how a host is traced. Sizes of 0 are those of package record.
type Tracing struct {
	Start, Stop int64 // true ns; a Stop of 0 is the end of the scenario
	SubBuffer   int   // bytes
	SubBuffers  int   // of each CPU
	Rate        int64 // bytes per second that the consumer reads, 0: as many as come
	Wake        int64 // ns after which it begins with a sub-buffer that is full
	Loss        float64
	Cut         bool     // the trace ends in mid-packet
	Omit        []string // patterns (path.Match) of the events that are not recorded
}

// Kernel is how the kernel of a host behaves. Zeros are what package machine has for usual.
type Kernel struct {
	Slice      int64   // ns that a thread computes while others wait
	Tick       int64   // ns between two timer interrupts of a busy CPU
	PageFaults float64 // per second of computing
	Migrate    float64 // probability that a thread wakes on another CPU than it slept on
	Segment    int     // bytes that a network card takes at once to cut into packets; 1 for no such card
	Coalesce   int     // bytes that it joins of packets that came; 1 for no such card
}

// An Address is one that a host takes instead of the one it has.
type Address struct {
	At int64 // true ns
	IP [4]byte
}

// A Switch forwards packets between its links.
type Switch struct {
	Name string
	NAT  bool // it gives packets of the hosts behind it its own address
	Line int
}

// A Link joins two hosts or switches.
type Link struct {
	A, B string
	Out  network.LinkSpec // from A to B
	Back network.LinkSpec // from B to A
	Line int
	back int // line of what is said of the way back, 0 if nothing is
}

// A Workload is what some hosts do. Package simulate/workload has the kinds and their parameters.
type Workload struct {
	Kind   string
	Params map[string]string
	From   int64 // true ns
	Until  int64 // true ns at which it begins nothing new, 0: the end of the scenario
	Line   int
}
