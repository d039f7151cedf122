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
	own, messages, err := synchronizeKeeping(o, declared, config)
	if err != nil {
		return nil, nil, err
	}
	for i, h := range own.Hosts {
		if h.Name == config.Reference {
			c.References = []int32{int32(i)}
		}
	}
	p := parts{exclude: config.Exclude}
	s := baseline.Solve(own, p.without(messages.Links(), own), m, c)
	s.Options = own.Options
	s.Options.Method = method
	return s, s.Compare, nil
}

// synchronizeKeeping is synchronize, and returns the messages too.
func synchronizeKeeping(o *opened, declared string, config network.Config) (*network.Solution, *baseline.Messages, error) {
	messages := baseline.NewMessages(0)
	s, err := synchronizeTelling(o, declared, config, messages.Add)
	return s, messages, err
}
