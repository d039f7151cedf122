package simulate

import "synchroscope/simulate/scenario"

// names are who has which address: 10.0.0.1 and on the hosts, in their order; 192.168.0.1
// and on those whose addresses are hidden; and 203.0.113.1 and on the switches that hide them.
type names struct {
	hosts map[string]uint32
	owner map[uint32]string // also of addresses that it had before
}

const (
	publicNet  = 10 << 24
	privateNet = 192<<24 | 168<<16
	hidingNet  = 203<<24 | 113<<8
)

// number gives everybody an address.
func number(s *scenario.Scenario) *names {
	n := &names{hosts: make(map[string]uint32), owner: make(map[uint32]string)}
	for i, h := range s.Hosts {
		if h.Behind != "" {
			n.set(h.Name, privateNet+uint32(i)+1)
		} else {
			n.set(h.Name, publicNet+uint32(i)+1)
		}
	}
	for i, w := range s.Switches {
		if w.NAT {
			n.set(w.Name, hidingNet+uint32(i)+1)
		}
	}
	return n
}

func (n *names) set(name string, ip uint32) {
	n.hosts[name] = ip
	n.owner[ip] = name
}

// Address is that of a host, or of a switch that hides some.
func (n *names) Address(host string) (ip uint32, ok bool) {
	ip, ok = n.hosts[host]
	return ip, ok
}

// Host is who has an address.
func (n *names) Host(ip uint32) string { return n.owner[ip] }
