package main

import (
	"fmt"

	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// A comparer compares pairs of hosts, by name, in the way that a set was synchronized.
type comparer func(pairs ...[2]string) ([]network.Comparison, error)

// paired is the solution with what the hosts that exchanged messages know of each other; by methods that bound nothing it is as it was.
func paired(s *network.Solution, compare comparer) (*network.Solution, error) {
	if s.Options.Method != network.MethodHull {
		return s, nil
	}
	var pairs [][2]string
	for i := range s.Links {
		k := &s.Links[i]
		a, b := &s.Hosts[k.A], &s.Hosts[k.B]
		if a.Component == b.Component && a.Reference != k.A && a.Reference != k.B { // of those of a reference the map of the other tells all
			pairs = append(pairs, [2]string{a.Name, b.Name})
		}
	}
	if len(pairs) == 0 {
		return s, nil
	}
	compared, err := compare(pairs...)
	if err != nil {
		return nil, err
	}
	return s.WithPairs(compared), nil
}

// synchronizeBy is synchronize by the method of a name.
func synchronizeBy(o *opened, declared string, config network.Config, method string, c baseline.Config) (*network.Solution, comparer, error) {
	if method == network.MethodHull {
		net, err := feedAll(o, declared, config, nil)
		if err != nil {
			return nil, nil, err
		}
		return net.Solution(), func(pairs ...[2]string) ([]network.Comparison, error) {
			return net.Constraints().Compare(network.Config{Reference: config.Reference, Exclude: config.Exclude, Window: config.Window}, pairs...)
		}, nil
	}
	m, ok := baseline.ParseMethod(method)
	if !ok {
		return nil, nil, fmt.Errorf("there is no method %q", method)
	}
	window := config.Window
	config.Window = nil
	net, messages, err := feedKeeping(o, declared, config)
	if err != nil {
		return nil, nil, err
	}
	own := net.Solution()
	p := parts{exclude: config.Exclude}
	links := p.without(messages.Links(), own)
	if window != nil {
		config.Window = window
		if own, err = net.Constraints().Solve(config); err != nil {
			return nil, nil, err
		}
		links = baseline.Within(links, own)
	}
	for i, h := range own.Hosts {
		if h.Name == config.Reference {
			c.References = []int32{int32(i)}
		}
	}
	s := baseline.Solve(own, links, m, c)
	s.Options = own.Options
	s.Options.Method = method
	return s, s.Compare, nil
}

// feedKeeping is feedAll, and returns the messages too.
func feedKeeping(o *opened, declared string, config network.Config) (*network.Network, *baseline.Messages, error) {
	messages := baseline.NewMessages(0)
	net, err := feedAll(o, declared, config, messages.Add)
	return net, messages, err
}
