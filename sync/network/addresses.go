package network

import "synchroscope/sync/match"

// An AddressReport is an address of a host, as long as it is known to have had it.
type AddressReport struct {
	Address   string  `json:"address"`
	Interface *string `json:"interface"` // null where no state dump tells
	Begin     Time    `json:"begin"`     // local ns: the first and the last time it was seen to have it
	End       Time    `json:"end"`
	Sent      int64   `json:"sent"` // packets that the host sent from it, not those it passed on
	Lost      bool    `json:"lost"` // others sent from it later
}

// An AliasReport is an address that another host knows a host by, because it is translated on the way.
type AliasReport struct {
	Address  string `json:"address"`
	Of       string `json:"of"` // the host's own
	By       string `json:"by"` // name of the host that saw it
	Messages int64  `json:"messages"`
}

// place adds to the hosts what is known of their addresses.
func (s *Solution) place(holdings []match.Holding, aliases []match.Alias) {
	for _, h := range holdings {
		to := &s.Hosts[h.Host]
		to.Addresses = append(to.Addresses, h)
	}
	for _, a := range aliases {
		to := &s.Hosts[a.Host]
		to.Aliases = append(to.Aliases, a)
	}
}

func (s *Solution) reportAddresses(h *Host) ([]AddressReport, []AliasReport) {
	list, aliases := []AddressReport{}, []AliasReport{}
	for _, a := range h.Addresses {
		r := AddressReport{Address: a.Address.String(), Begin: Time(a.Begin), End: Time(a.End), Sent: a.Sent, Lost: a.Lost}
		if a.Interface != "" {
			name := a.Interface
			r.Interface = &name
		}
		list = append(list, r)
	}
	for _, a := range h.Aliases {
		aliases = append(aliases, AliasReport{Address: a.Address.String(), Of: a.Of.String(), By: s.Hosts[a.By].Name, Messages: a.Messages})
	}
	return list, aliases
}
