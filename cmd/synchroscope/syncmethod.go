package main

import (
	"fmt"

	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// A comparer compares pairs of hosts, by name, in the way that a set was synchronized.
type comparer func(pairs ...[2]string) ([]network.Comparison, error)

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
		links = baseline.Within(links, own, *window)
		config.Window = window
		if own, err = net.Constraints().Solve(config); err != nil {
			return nil, nil, err
		}
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
