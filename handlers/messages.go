package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
	"synchroscope/internal/natural"
	"synchroscope/sync/network"
	"synchroscope/sync/traffic"
)

const (
	// mostDots bounds the dots of an answer about a pair, mostDotColumns the columns of their cells.
	mostDots       = 3000
	mostDotColumns = 1024
	dotColumns     = 256
	// bandPieces bounds the pieces of the band of the clocks' error.
	bandPieces = 512
)

// messagesAnswer is the body of GET messages.
type messagesAnswer struct {
	Begin    *wire.Time     `json:"begin"` // as asked for, null for the whole set
	End      *wire.Time     `json:"end"`
	Local    bool           `json:"local"` // begin, end and latencies are by the hosts' own clocks
	Version  int64          `json:"version"`
	Known    bool           `json:"known"`    // false while the set is imported: more may be read of the stretch
	Complete bool           `json:"complete"` // no message that is read is left out: else the same question goes on
	Messages int64          `json:"messages"`
	Pairs    []pairMessages `json:"pairs"` // most messages first
}

// trafficOf answers GET messages: what all pairs of hosts exchanged, of the messages that a timeline of the range shows.
func (s *Server) trafficOf(r *http.Request, set *ingest.Set) (a messagesAnswer, err error) {
	q, err := query(r, "begin", "end", "local")
	if err != nil {
		return a, err
	}
	question, solution, err := tallyQuestionOf(set, q, false)
	if err == nil && !question.local {
		solution, err = pairedFor(r.Context(), set, solution, &question)
	}
	if err != nil {
		return a, err
	}
	hosts := set.Hosts()
	a.Begin, a.End = question.asked(q)
	a.Local, a.Version, a.Known, a.Pairs = question.local, question.version, question.ready, []pairMessages{}
	err = s.tallied(r.Context(), set, solution, question, func(t *tally) {
		a.Complete, a.Messages = t.next < 0, t.read
		for key, p := range t.matrix.Pairs {
			a.Pairs = append(a.Pairs, pairMessagesOf(p, hosts, key, question.clocks(solution)))
		}
	})
	slices.SortFunc(a.Pairs, func(a, b pairMessages) int {
		return cmp.Or(cmp.Compare(b.Messages, a.Messages), natural.Compare(a.From, b.From), natural.Compare(a.To, b.To))
	})
	return a, err
}

// tallyQuestionOf reads what is common to these routes, with the clocks of the set; a range may be left out unless it is needed.
func tallyQuestionOf(set *ingest.Set, q url.Values, ranged bool) (t tallyQuestion, solution *network.Solution, err error) {
	solution = set.Solution()
	t = tallyQuestion{set: set.ID(), ready: set.Status().State == ingest.Ready}
	if solution != nil {
		t.version = solution.Version
	}
	t.begin, t.end = everything()
	if t.local, err = boolParam(q, "local"); err != nil {
		return t, nil, err
	}
	if !ranged && !q.Has("begin") && !q.Has("end") {
		return t, solution, nil
	}
	if t.begin, err = timeParam(q.Get("begin"), "begin"); err != nil {
		return t, nil, err
	}
	if t.end, err = timeParam(q.Get("end"), "end"); err != nil {
		return t, nil, err
	}
	if t.begin >= t.end {
		return t, nil, badRequest(`"begin" must be before "end".`)
	}
	return t, solution, nil
}

// asked is the range as the values of a request have it; nil for the whole set.
func (q *tallyQuestion) asked(values url.Values) (begin, end *wire.Time) {
	if !values.Has("begin") {
		return nil, nil
	}
	b, e := wire.Time(q.begin), wire.Time(q.end)
	return &b, &e
}

// latenciesAnswer is the body of GET messages/between.
type latenciesAnswer struct {
	Begin      wire.Time    `json:"begin"`
	End        wire.Time    `json:"end"`
	Local      bool         `json:"local"`
	Version    int64        `json:"version"`
	Known      bool         `json:"known"`
	Complete   bool         `json:"complete"`
	Directions [2]direction `json:"directions"` // a to b, b to a
	Single     bool         `json:"single"`     // each dot is one message, or several that are equal
	Dots       [][7]int64   `json:"dots"`       // [sent after begin, latency, direction, messages, thread that sent, thread that received, bound of the latency's error or -1]
	Cells      [3]int64     `json:"cells"`      // the stretch of the messages, begin and end after begin, and how much of it a cell is, 0 while single
	Band       [][2]int64   `json:"band"`       // [time after begin, bound of a latency's error], straight from each to the next; empty where there is none
}

type direction struct {
	pairMessages
	Histogram [][3]int64 `json:"histogram"` // [at least, less than, messages], ns; empty buckets are left out
}

// latenciesOf answers GET messages/between: how long messages between two hosts were on their way.
func (s *Server) latenciesOf(r *http.Request, set *ingest.Set) (a latenciesAnswer, err error) {
	q, err := query(r, "a", "b", "begin", "end", "local", "columns")
	if err != nil {
		return a, err
	}
	question, solution, err := tallyQuestionOf(set, q, true)
	if err != nil {
		return a, err
	}
	if question.pair, err = pairParam(set, q); err != nil {
		return a, err
	}
	if question.columns, err = columnsParam(q); err != nil {
		return a, err
	}
	if !question.local {
		if solution, err = pairedFor(r.Context(), set, solution, &question); err != nil {
			return a, err
		}
	}
	a = latenciesAnswer{Begin: wire.Time(question.begin), End: wire.Time(question.end), Local: question.local, Version: question.version, Known: question.ready, Dots: [][7]int64{}, Band: [][2]int64{}}
	hosts := set.Hosts()
	err = s.tallied(r.Context(), set, solution, question, func(t *tally) {
		a.Complete, a.Single = t.next < 0, t.cloud.Single()
		for i := range a.Directions {
			pair := [2]int32{question.pair[i], question.pair[1-i]}
			p := t.matrix.Pairs[pair]
			if p == nil {
				p = new(traffic.Pair)
			}
			a.Directions[i] = direction{pairMessagesOf(p, hosts, pair, question.clocks(solution)), [][3]int64{}}
			for b := range p.Latency.Buckets {
				a.Directions[i].Histogram = append(a.Directions[i].Histogram, [3]int64{b.Low, b.High, b.Count})
			}
		}
		for _, d := range t.cloud.Dots() {
			way := int64(0)
			if d.From != question.pair[0] {
				way = 1
			}
			a.Dots = append(a.Dots, [7]int64{d.Sent - question.begin, d.Received - d.Sent, way, d.Count, int64(d.FromThread), int64(d.ToThread), d.Error})
		}
		begin, end, wide := t.cloud.Cells()
		a.Cells = [3]int64{begin - question.begin, end - question.begin, wide}
	})
	if err == nil && !question.local && solution != nil {
		for _, p := range solution.Band(question.pair[0], question.pair[1], question.begin, question.end, bandPieces) {
			a.Band = append(a.Band, [2]int64{p[0] - question.begin, p[1]})
		}
	}
	return a, err
}

// pairParam reads the names of two different hosts.
func pairParam(set *ingest.Set, q url.Values) (pair [2]int32, err error) {
	for i, name := range []string{"a", "b"} {
		h, err := hostNamed(set, q.Get(name))
		if err != nil {
			return pair, badRequest("The trace set has no host %.80q, which %q is to name.", q.Get(name), name)
		}
		pair[i] = h.Index()
	}
	if pair[0] == pair[1] {
		return pair, badRequest(`"a" and "b" must be two hosts.`)
	}
	return pair, nil
}

func columnsParam(q url.Values) (int, error) {
	if !q.Has("columns") {
		return dotColumns, nil
	}
	n, err := strconv.Atoi(q.Get("columns"))
	if err != nil || n < 1 || n > mostDotColumns {
		return 0, badRequest(`"columns" must be a number from 1 to %d, not %.40q.`, mostDotColumns, q.Get("columns"))
	}
	return n, nil
}
