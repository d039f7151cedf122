package network

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Links that are read at the same time are those that are read one after the other, and what is none is refused for the same.
func TestLinksAreReadAtOnce(t *testing.T) {
	whole := full(9, 12)
	stored := whole.AppendBinary(nil)
	serial := func(b []byte) (*Constraints, error) {
		c := &Constraints{hosts: whole.hosts}
		s := &scanner{b: b}
		for range len(whole.order) {
			l := s.link(c.hosts)
			if n := len(c.order); s.err == nil && n > 0 && !c.order[n-1].before(l) {
				s.fail(fmt.Errorf("link %d is out of order", n))
			}
			if s.err != nil {
				return nil, s.err
			}
			c.order = append(c.order, l)
		}
		return c, nil
	}
	links := (&Constraints{order: whole.order}).AppendBinary(nil)
	links = links[bytes.Index(links, whole.order[0].live.hull.AppendBinary(nil))-2:]
	if !bytes.Contains(stored, links[:len(links)-2]) { // behind them are two counts of addresses
		t.Fatal("these are not the links that are stored")
	}
	r := rand.New(rand.NewPCG(5, 6))
	read, refused := 0, 0
	for i := range 800 {
		b := slices.Clone(links)
		if i > 0 {
			switch at := r.IntN(len(b)); r.IntN(4) {
			case 0:
				b = b[:at]
			case 1:
				b[at] ^= 1 << r.IntN(8)
			case 2:
				b = slices.Insert(b, at, byte(r.IntN(256)))
			case 3:
				b = slices.Delete(b, at, at+1)
			}
		}
		want, err := serial(b)
		s := &scanner{b: b}
		list, ok := s.links(uint64(len(whole.order)), whole.hosts)
		if ok != (err == nil) || s.err != nil {
			t.Fatalf("set %d: read at once %v, %v, one after the other %v", i, ok, s.err, err)
		}
		if !ok {
			refused++
			continue
		}
		read++
		if got := (&Constraints{hosts: whole.hosts, order: list}).AppendBinary(nil); !bytes.Equal(got, want.AppendBinary(nil)) {
			t.Fatalf("set %d: other links are read at once", i)
		}
	}
	if read < 50 || refused < 50 {
		t.Errorf("%d sets are read, %d refused", read, refused)
	}
}
