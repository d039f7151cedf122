package ingest

import (
	"cmp"
	"slices"
)

// A Report is what an import has to say of the traces: what was odd, and what views lack.
type Report struct {
	Anomalies []Oddity `json:"anomalies"` // those of archives first and harmless ones last, the most frequent first
	Missing   []Lack   `json:"missing"`
}

// An Oddity is all anomalies of one kind.
type Oddity struct {
	Kind   string        `json:"kind"`
	What   string        `json:"what"`   // a sentence
	Means  string        `json:"means"`  // what follows from it for who looks at the set, in sentences; "" if nobody knows
	Count  int64         `json:"count"`  // of all places
	Places []HostAnomaly `json:"places"` // mostPlaces of them, most frequent first
	Others int           `json:"others"` // places that are left out
}

// A Lack is what one command would have recorded, and what is not shown without.
type Lack struct {
	Views   []string `json:"views"`
	Without string   `json:"without"` // what is not known, a sentence
	Events  []string `json:"events"`  // that are missing; none where it is not about events
	Command string   `json:"command"` // for a shell of the host
	Hosts   []string `json:"hosts"`
}

// mostPlaces of a kind of anomaly are told one by one.
const mostPlaces = 100

// Report tells what is odd about a set and what it lacks, as far as it has been read.
func (s *Set) Report() Report {
	s.mu.Lock()
	hosts := slices.Clone(s.hosts)
	s.mu.Unlock()
	r := Report{Anomalies: grouped(s.Anomalies()), Missing: []Lack{}}
	solution := s.solution.Load()
	for i, h := range hosts {
		for _, hint := range h.hints(exchanged(solution, i)) {
			r.lacks(h.Name(), hint)
		}
	}
	return r
}

// lacks adds what a host lacks. The same on several hosts, or for several views, is said once.
func (r *Report) lacks(host string, hint Hint) {
	i := slices.IndexFunc(r.Missing, func(l Lack) bool { return l.Command == hint.Command && l.Without == hint.Without })
	if i < 0 {
		i = len(r.Missing)
		r.Missing = append(r.Missing, Lack{Views: []string{}, Without: hint.Without, Events: hint.Events, Command: hint.Command, Hosts: []string{}})
	}
	l := &r.Missing[i]
	if !slices.Contains(l.Views, hint.View) {
		l.Views = append(l.Views, hint.View)
	}
	if !slices.Contains(l.Hosts, host) {
		l.Hosts = append(l.Hosts, host)
	}
}

// grouped puts anomalies of a kind together.
func grouped(all []HostAnomaly) []Oddity {
	groups := []Oddity{}
	at := make(map[string]int)
	for _, a := range all {
		i, ok := at[a.Kind]
		if !ok {
			i = len(groups)
			at[a.Kind] = i
			w := wordsOf(a.Kind)
			groups = append(groups, Oddity{Kind: a.Kind, What: w.what, Means: w.means})
		}
		groups[i].Count += a.Count
		groups[i].Places = append(groups[i].Places, a)
	}
	for i := range groups {
		g := &groups[i]
		slices.SortStableFunc(g.Places, func(a, b HostAnomaly) int { return cmp.Compare(b.Count, a.Count) })
		if n := len(g.Places); n > mostPlaces {
			g.Places, g.Others = g.Places[:mostPlaces:mostPlaces], n-mostPlaces
		}
	}
	rank := func(o Oddity) int {
		switch {
		case ofArchive(o.Kind):
			return 0
		case harmless[o.Kind]:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(groups, func(a, b Oddity) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count))
	})
	return groups
}
