package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// EncodeJSON writes a message whose body is JSON: kinds 1, 2, 3, 7, 8, 9 and 13.
func EncodeJSON(k Kind, h Header, body any) ([]byte, error) {
	f := newFrame(k, h, 512)
	w := bytes.NewBuffer(f.b)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(body); err != nil {
		return nil, err
	}
	f.b = bytes.TrimSuffix(w.Bytes(), []byte("\n"))
	return f.done()
}

// EncodeError writes kind 9: one sentence for the reader of the view.
func EncodeError(h Header, sentence string) []byte {
	b, err := EncodeJSON(KindError, h, struct {
		Message string `json:"message"`
	}{sentence})
	if err != nil { // only a sentence of MaxFrame bytes can
		return EncodeError(h, ErrTooLarge.Error())
	}
	return b
}

// EncodeAlive writes kind 14, which is its header.
func EncodeAlive(h Header) []byte { return newFrame(KindAlive, h, HeaderSize).b }

// A Time is ns in a JSON body: a decimal string, as it does not fit a double.
type Time int64

// MarshalText writes t in decimal.
func (t Time) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(t), 10), nil }

// UnmarshalText reads a decimal number of ns.
func (t *Time) UnmarshalText(b []byte) error {
	n, err := strconv.ParseInt(string(b), 10, 64)
	*t = Time(n)
	return err
}

// At is the body of kind 7; what is nil is not known.
type At struct {
	Row        uint32  `json:"row"`
	Host       string  `json:"host"`
	Thread     *Thread `json:"thread"`
	Status     *string `json:"status"` // in words
	StatusCode *uint8  `json:"status_code"`
	Syscall    *string `json:"syscall"`
	CPU        *int32  `json:"cpu"`      // it runs on or is queued on
	LastCPU    *int32  `json:"last_cpu"` // it ran on last, where it is on none now
	Priority   *int32  `json:"priority"`
	Begin      *Time   `json:"begin"` // of the status, in the requested time
	End        *Time   `json:"end"`   // null where it goes on, as far as is read
	LocalBegin *Time   `json:"local_begin"`
	LocalEnd   *Time   `json:"local_end"`
	Duration   *Time   `json:"duration"`                    // in the requested time
	Until      *Time   `json:"known_until,omitempty"`       // up to when one is known that goes on, in the requested time
	LocalUntil *Time   `json:"local_known_until,omitempty"` // of the host's own
	Error      *int64  `json:"error_ns"`
	At         Time    `json:"at"`
	IRQ        *string `json:"irq"`          // what interrupts the thread
	Sleep      *string `json:"sleep"`        // how it sleeps, in words
	Woken      *Woken  `json:"woken"`        // by what, at the end of the state
	Hz         *int64  `json:"hz,omitempty"` // of a CPU
}

// Woken says what woke a thread.
type Woken struct {
	How  string `json:"how"`  // "thread", "thread or interrupt", "irq 24", "softirq 3", "timer", "packet", "time over", "timer or signal"
	TID  int32  `json:"tid"`  // of the thread that did, 0 for none
	PPID int32  `json:"ppid"` // its parent's, 0 where none is known
	Name string `json:"name"`
}

// A Thread says which thread an At is about.
type Thread struct {
	TID  int32  `json:"tid"`
	PID  int32  `json:"pid"`
	PPID int32  `json:"ppid"`
	Name string `json:"name"`
}

// Points is the body of kind 8. x is in ns after Begin (local time of host A),
// y the residual in ns.
type Points struct {
	A       int32        `json:"a"`
	B       int32        `json:"b"`
	Begin   Time         `json:"begin"`
	End     Time         `json:"end"`
	Midline *bool        `json:"midline,omitempty"` // false where y is against a line that does not bound
	Points  [][3]float64 `json:"points"`            // x, y, direction: 0 A to B, 1 B to A
	BBegin  Time         `json:"b_begin"`           // the earliest of the points, local time of host B
	BTimes  []float64    `json:"b_times"`           // of each point, ns after BBegin
	Lmin    [][2]float64 `json:"lmin"`
	Lmax    [][2]float64 `json:"lmax"`
	Upper   [][2]float64 `json:"upper"`
	Lower   [][2]float64 `json:"lower"`
	Band    [][3]float64 `json:"band"`             // x, lowest and highest feasible y
	Force   [][2]float64 `json:"force"`            // the clock in force, straight between: by the maps of both hosts
	Breaks  []int        `json:"breaks,omitempty"` // places in Band from which it is known again, after a time in which it is not
	Told    bool         `json:"told,omitempty"`   // the band is cut where other links show a step
	Ahead   Time         `json:"ahead"`            // by how much b's clock is ahead of a's at Begin by the estimate, both as recorded, ns
	Drift   [][2]float64 `json:"drift"`            // x, and by how much more it is ahead there, straight between
	Knots   []float64    `json:"knots"`            // x where a piece of the estimate ends and the next begins
	Cuts    [][4]float64 `json:"cuts"`             // steps: from which x to which the clock may be before or after, by how much, the error of that
	Total   int          `json:"total"`
	Shown   int          `json:"shown"`
}

// Flows is the body of kind 13: connections of hosts.
type Flows struct {
	Hosts []HostFlows `json:"hosts"`
}

// HostFlows are the connections of a host, by their first message.
type HostFlows struct {
	Host  uint32 `json:"host"` // its row
	More  int    `json:"more"` // connections with messages that are left out
	Flows []Flow `json:"connections"`
}

// A Flow is a connection as one of its hosts has it.
type Flow struct {
	Protocol uint8  `json:"protocol"` // of IP
	Port     uint16 `json:"port"`     // at the host; 0 where ports are not known
	Peer     uint32 `json:"peer"`     // the row of the other host
	PeerPort uint16 `json:"peer_port"`
	Count    uint32 `json:"count"` // messages both ways
}
