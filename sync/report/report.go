// Package report makes of a solution what people and other programs read of it: tables whose cells
// are values, plots that are already reduced to pixels, and the words that say what both mean.
// It writes no markup; views does, and cmd/synchroscope the files.
//
// # What a report is made of
//
// A [network.Solution] has the clocks, the links and their hulls. The messages themselves it has not:
// they are many, and only the disk may grow with them. So a Collector is shown each message when it
// becomes final, and keeps of each link what hull.Series keeps of it; Make goes through the
// stored messages again, when it is known at which place of which plot each one is.
//
// # What is bounded
//
// A plot has as many columns as its paper has, whatever is drawn into it, and a page has at most
// MaxPlots plots and MaxRows rows in a table. What was left out is said beside it; the files of
// tables have all of it.
//
// # What is exact
//
// Residuals are differences of integers and rounded to 1 ns. In each column of a plot the message
// that comes nearest to the clock, of either direction, is drawn where it is; all others are drawn in
// the cell that they fall into. The curve of a bound has in each column the largest that holds anywhere in it.
package report

import (
	"synchroscope/sync/baseline"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// MaxPlots is how many links a page has a plot of: those in use first.
const MaxPlots = 40

// MaxRows is how many rows a table of a page has.
const MaxRows = 400

// Messages goes through all messages that are final, in any order, as often as it is called.
type Messages func(each func(match.Message)) error

// A Page is everything that the page of a solution shows.
type Page struct {
	Title    string
	Summary  []string // sentences
	Figures  []Figure
	Graph    Drawing
	Legend   []Key // of the graph
	Errors   []Chart
	Sheets   []Sheet
	Classes  []Word // those that occur
	Plots    []Plot
	Unshown  int     // links without a plot
	Others   []Sheet // other methods, and what it took
	Matching []Figure
}

// A Figure is a number with its name and what it means, in a sentence.
type Figure struct{ Name, Value, Means string }

// A Word is a term and the sentence that says what it means.
type Word struct{ Term, Tone, Means string }

// A Chart is a drawing with a heading.
type Chart struct {
	Title, Note string
	Drawing     Drawing
}

// A Sheet is a table of a page: every cell is text.
type Sheet struct {
	Title, Note string
	Heads       []Head
	Rows        [][]Cell
	More        int  // rows left out
	Classes     bool // has words of classes
}

// A Head is the head of a column, and what is in it, in a sentence.
type Head struct {
	Text, Means string
	Words       bool // set flush left, as words are
}

// A Cell is a value as text. Tone is "", "good", "medium", "bad" or "none".
type Cell struct{ Text, Aside, Tone string }

// limit cuts a sheet to the rows that a page has.
func (s Sheet) limit() Sheet {
	if len(s.Rows) > MaxRows {
		s.More = len(s.Rows) - MaxRows
		s.Rows = s.Rows[:MaxRows]
	}
	return s
}

// Make makes the page of a final solution. The collector has seen the messages that all goes through. Without a
// watch the page does not say what anything took, and is a function of the other arguments.
func Make(title string, s *network.Solution, c *Collector, all Messages, watch Stopwatch) (*Page, error) {
	p := &Page{Title: title}
	r := s.Report()
	p.Summary, p.Figures = summary(s, &r), figures(s, &r)
	p.Graph, p.Legend = drawGraph(s)
	p.Errors = drawErrors(s)
	p.Sheets, p.Classes = []Sheet{hostSheet(s, &r), linkSheet(s, &r)}, classes(s)
	if l := loopSheet(s); len(l.Rows) > 0 {
		p.Sheets = append(p.Sheets, l)
	}
	p.Matching = matching(&r)
	chosen := choose(s)
	p.Unshown = len(s.Links) - len(chosen)
	papers := make(map[[2]int32]*paper, len(chosen))
	for _, i := range chosen {
		k := &s.Links[i]
		messages := c.link(k.A, k.B)
		messages.Tick(s.Hosts[k.A].Tick, s.Hosts[k.B].Tick)
		papers[pair(k.A, k.B)] = newPaper(k, messages)
	}
	effort, trips := newWork(s, watch), baseline.NewMessages(0)
	counts := counting(s)
	err := all(func(m match.Message) {
		if p := papers[pair(m.From, m.To)]; p != nil {
			p.add(m)
		}
		if counts(m) {
			effort.add(m)
			trips.Add(m)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, i := range chosen {
		k := &s.Links[i]
		p.Plots = append(p.Plots, papers[pair(k.A, k.B)].plot(s, &r.Links[i]))
	}
	offsets, drifts := tripSheets(s, trips)
	growth, took := effort.sheets()
	for _, sheet := range []Sheet{offsets, drifts, growth, took} {
		if len(sheet.Rows) > 0 && len(s.Links) > 0 {
			p.Others = append(p.Others, sheet)
		}
	}
	return p, nil
}
