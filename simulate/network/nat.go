package network

// A nat is a switch that gives packets of the hosts behind it its own address, and knows by the port
// whom the answers are for.
type nat struct {
	ip   uint32
	out  map[flow]uint16
	back map[inner]flow
	next uint16
}

type flow struct {
	ip       uint32
	port     uint16
	protocol uint8
}

type inner struct {
	port     uint16
	protocol uint8
}

// natPorts are the ports it gives: from here up. After the last one the first is given
// again, and the flow that had it is forgotten.
const natPorts = 20000

func newNAT(ip uint32) *nat {
	return &nat{ip: ip, out: make(map[flow]uint16), back: make(map[inner]flow), next: natPorts}
}

// translate changes a packet that goes through. It is false if nobody knows whom it is for.
func (n *Network) translate(d *node, at int32, p *Packet) bool {
	if p.to == at { // from outside
		port := &p.DestinationPort // for ICMP it is the identifier as well
		f, ok := d.nat.back[inner{*port, p.Protocol}]
		if !ok {
			return false
		}
		to, ok := n.address[f.ip]
		if !ok {
			return false
		}
		p.Destination, *port, p.to = f.ip, f.port, to
		p.TTL--
		p.Message.Changed = true
		return true
	}
	from, ok := n.address[p.Source]
	if !ok || n.nodes[from].behind != at || n.nodes[p.to].behind == at {
		return true
	}
	port := &p.SourcePort
	if p.Protocol == ICMP {
		port = &p.DestinationPort
	}
	p.Source, *port = d.nat.ip, d.nat.port(flow{p.Source, *port, p.Protocol})
	p.TTL--
	p.Message.Changed = true
	return true
}

func (t *nat) port(f flow) uint16 {
	if port, ok := t.out[f]; ok {
		return port
	}
	port := t.next
	if t.next++; t.next < natPorts {
		t.next = natPorts
	}
	if old, ok := t.back[inner{port, f.protocol}]; ok {
		delete(t.out, old)
	}
	t.out[f], t.back[inner{port, f.protocol}] = port, f
	return port
}
