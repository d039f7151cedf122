package match

import (
	"encoding/binary"

	"synchroscope/trace"
)

// bindInterface is for lttng_statedump_network_interface: the name of a device and one of its IPv4 addresses, 0 if it has none.
func bindInterface(c *trace.Class) form {
	f := &netInterface{name: c.Field("name"), address: c.Field("address_ipv4")}
	if f.name == nil || f.address == nil {
		return nil
	}
	return f
}

type netInterface struct{ name, address *trace.Field }

func (f *netInterface) fill(ev *trace.Event, e *Endpoint) bool {
	address := uint32(ev.Int(f.address))
	if address == 0 {
		return false
	}
	e.Key = Key{Form: addressForm}
	e.Source = [16]byte{10: 0xff, 11: 0xff}
	binary.BigEndian.PutUint32(e.Source[12:], address)
	copy(e.Destination[:], ev.Bytes(f.name))
	return true
}
