package match

import (
	"bytes"

	"synchroscope/trace"
)

// An Extractor finds the endpoints among the events of one host.
//
// It takes the events apart that the LTTng kernel tracer records where a
// packet leaves and enters the stack. Which fields they have depends on the
// tracer's version; a form (form.go) is looked up once per event class.
//
// What it leaves out, so that a key means one journey over one wire:
//
//   - packets over the loopback device;
//   - what a stack of devices shows again: a bond, a bridge, a VLAN and the
//     card below record the same buffer one after the other;
//   - what nothing tells from the next packet: datagrams without an IP id of which the
//     header of UDP or ICMP was not recorded either.
//
// Cards may cut a large packet after it was recorded as sent, or join several
// before they are recorded as received (segmentation and receive offload).
// Keys contain the length, so such a packet finds no partner by its key; the
// Matcher looks for one by what it carries of its stream (ranges.go).
type Extractor struct {
	host     int32
	name     string // of the host, for declarations with a peer
	declared *Declarations
	forms    []bound // by class index
	recent   [recentLen]sighting
	next     int
	newest   Endpoint
}

// bound is what an event class yields: form is nil where it is no endpoint.
type bound struct {
	class     *trace.Class
	form      form
	direction Direction
	device    *trace.Field
	buffer    *trace.Field
}

// NewExtractor returns an extractor for the events of the host with that number.
func NewExtractor(host int32) *Extractor { return &Extractor{host: host} }

// Declare adds the endpoints that a user declares, before the first event. name is what the
// fields that name a peer call this host. Without it the built-in declarations hold.
func (x *Extractor) Declare(d *Declarations, name string) { x.declared, x.name = d, name }

// events lists the endpoint events of LTTng 2.0 to 2.14: addons by its
// own probes on the local IP stack, the others at the network devices. The state dump lists these with their addresses.
var events = map[string]struct {
	direction Direction
	bind      func(*trace.Class) form
}{
	"inet_sock_local_out": {Send, bindSocket},
	"inet_sock_local_in":  {Receive, bindSocket},
	"net_dev_queue":       {Send, bindHeaders},
	"netif_receive_skb":   {Receive, bindHeaders},
	"net_if_receive_skb":  {Receive, bindHeaders},

	"lttng_statedump_network_interface": {Send, bindInterface},
}

// Wants reports whether events of a class can be ends of messages. Those that only say which addresses a host has are none.
func (x *Extractor) Wants(c *trace.Class) bool {
	f := x.bound(c).form
	_, address := f.(*netInterface)
	return f != nil && !address
}

// Extract reports whether ev is an endpoint; Thread is -1 unless a declared event has it in its context.
func (x *Extractor) Extract(ev *trace.Event) (Endpoint, bool) {
	b := x.bound(ev.Class)
	if b.form == nil {
		return Endpoint{}, false
	}
	device := ev.Bytes(b.device)
	if bytes.Equal(device, loopbackDevice) {
		return Endpoint{}, false
	}
	e := &x.newest // one of its own would come off the heap
	*e = Endpoint{Time: ev.Recorded, Host: x.host, CPU: ev.CPU, Thread: -1, Direction: b.direction}
	if !b.form.fill(ev, e) || x.again(e, ev.Int(b.buffer), device) {
		return Endpoint{}, false
	}
	return *e, true
}

var loopbackDevice = []byte("lo")

func (x *Extractor) bound(c *trace.Class) *bound {
	for c.Index >= len(x.forms) {
		x.forms = append(x.forms, bound{})
	}
	b := &x.forms[c.Index]
	if b.class != c {
		*b = bound{class: c}
		if event, ok := events[c.Name]; ok {
			b.form = event.bind(c)
			b.direction = event.direction
			b.device = c.Field("name")
			b.buffer = c.Field("skbaddr")
		} else if d := x.declared.find(c.Name); d != nil {
			b.form, b.direction = d.bind(c, x.name), d.direction
		}
	}
	return b
}
