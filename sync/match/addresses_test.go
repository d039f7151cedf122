package match

import (
	"bufio"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
)

// Lines of "HOST send|receive SOURCE DESTINATION NUMBER at SECOND" and "HOST has ADDRESS DEVICE at SECOND"; packets with the same
// addresses and number are one. The answer is who had which address.
func TestAddresses(t *testing.T) {
	datadriven.RunTest(t, "testdata/addresses", func(t *testing.T, d *datadriven.TestData) string {
		m := NewMatcher(0, nil)
		lines := bufio.NewScanner(strings.NewReader(d.Input))
		for lines.Scan() {
			var p Endpoint
			var verb, source, destination, at string
			words := strings.Fields(lines.Text())
			if len(words) == 6 && words[1] == "has" {
				verb, source, at = words[1], words[2], words[5]
				copy(p.Destination[:], words[3])
				p.Key.Form = addressForm
			} else if len(words) == 7 {
				verb, source, destination, at = words[1], words[2], words[3], words[6]
				p.Destination = netip.MustParseAddr(destination).As16()
				p.Key = Key{Protocol: udp, Form: ipv4Form}
				fmt.Sscan(words[4], &p.Key.B)
			} else {
				d.Fatalf(t, "%q", lines.Text())
			}
			fmt.Sscan(words[0], &p.Host)
			var second float64
			fmt.Sscan(at, &second)
			p.Time = int64(second * 1e9)
			p.Source = netip.MustParseAddr(source).As16()
			if verb == "receive" {
				p.Direction = Receive
			}
			if verb != "has" {
				p.Key.A, p.Key.D = mix(&p.Source, &p.Destination)
			}
			m.Add(p, nil)
		}
		var out strings.Builder
		holdings, _ := m.Addresses()
		for _, h := range holdings {
			fmt.Fprintf(&out, "host %d had %v from %gs to %gs, sent %d", h.Host, h.Address, float64(h.Begin)/1e9, float64(h.End)/1e9, h.Sent)
			if h.Interface != "" {
				fmt.Fprintf(&out, ", %s", h.Interface)
			}
			if h.Lost {
				out.WriteString(", then others had it")
			}
			out.WriteByte('\n')
		}
		if c := m.Counts(); c.identity() != nil {
			t.Error(c.identity())
		}
		return out.String()
	})
}

// However many addresses a host makes up, what is remembered is bounded.
func TestAddressesAreBounded(t *testing.T) {
	m := NewMatcher(100, nil)
	for i := range uint64(10_000) {
		p := Endpoint{Time: int64(i), Key: Key{Protocol: udp, Form: ipv4Form, A: i}, Source: [16]byte{0: 0x20, 14: byte(i >> 8), 15: byte(i)}}
		m.Add(p, nil)
	}
	if list, _ := m.Addresses(); len(list) != mostAddresses {
		t.Errorf("%d addresses are remembered, want %d", len(list), mostAddresses)
	}
}

// The addresses by which others know a host are told with what they stand for.
func TestAliases(t *testing.T) {
	const n = 12
	m := NewMatcher(0, nil)
	for i := range n {
		// Host 0 is 10.0.0.1 behind 20.0.0.1; host 1 is 20.0.0.9.
		const inside, outside, server = 10<<24 | 1, 20<<24 | 1, 20<<24 | 9
		flags, at := uint64(16)<<16|52, int64(i)*1_000_000
		seq := uint64(1000+i)<<32 | uint64(2000+i)
		if i%2 == 0 {
			m.Add(Endpoint{Time: at, Host: 0, Key: Key{Protocol: tcp, Form: ipv4Form, A: inside<<32 | server, B: 5000<<48 | 80<<32 | flags, C: seq}}, nil)
			m.Add(Endpoint{Time: at + 5000, Host: 1, Direction: Receive, Key: Key{Protocol: tcp, Form: ipv4Form, A: outside<<32 | server, B: 6000<<48 | 80<<32 | flags, C: seq}}, nil)
		} else {
			m.Add(Endpoint{Time: at, Host: 1, Key: Key{Protocol: tcp, Form: ipv4Form, A: server<<32 | outside, B: 80<<48 | 6000<<32 | flags, C: seq}}, nil)
			m.Add(Endpoint{Time: at + 5000, Host: 0, Direction: Receive, Key: Key{Protocol: tcp, Form: ipv4Form, A: server<<32 | inside, B: 80<<48 | 5000<<32 | flags, C: seq}}, nil)
		}
	}
	m.Settle(nil)
	_, aliases := m.Addresses()
	if len(aliases) != 1 {
		t.Fatalf("%+v", aliases)
	}
	a := aliases[0]
	if a.Host != 0 || a.By != 1 || a.Address.String() != "20.0.0.1" || a.Of.String() != "10.0.0.1" || a.Messages != n || a.Begin != 5000 || a.End != 11_000_000 {
		t.Errorf("%+v", a)
	}
}
