package network_test

import (
	"strings"
	"testing"
)

// Hosts are named with their addresses, by what their state dumps say and by what they sent from these.
func TestAddressesOfShop(t *testing.T) {
	s := synchronize(t, open(t, "shop-4hosts.tar.gz"), []int{0, 1, 2, 3})
	for _, h := range s.Report().Hosts {
		var own []string
		for _, a := range h.Addresses {
			if strings.HasPrefix(a.Address, "10.0.0.") {
				own = append(own, a.Address)
				if a.Interface == nil || *a.Interface != "eth0" || a.Sent == 0 || a.Lost {
					t.Errorf("%s: %+v", h.Name, a)
				}
			}
		}
		want := map[string]string{"client": "10.0.0.1", "web": "10.0.0.2", "db": "10.0.0.3", "cache": "10.0.0.4"}[h.Name]
		if len(own) != 1 || own[0] != want {
			t.Errorf("%s has %v, want %s", h.Name, own, want)
		}
	}
}
