package ingest

import (
	"errors"
	"iter"
	"os"

	"synchroscope/ingest/messages"
	"synchroscope/sync/match"
	"synchroscope/sync/network"
)

// errEnough ends the reading of endpoints early.
var errEnough = errors.New("no more endpoints are wanted")

// replayed is how many endpoints of a host are fed before the next is chosen.
const replayed = 64

// A replay reads the endpoints of a host that is read to its end, a few at a time.
type replay struct {
	sum   summary
	batch []match.Endpoint // read, not yet fed
	list  []match.Endpoint // of few
	next  func() ([]match.Endpoint, bool)
	stop  func()
	err   error
}

// few returns the next endpoints, none at the end; they are valid until it is called again. They are as many however the
// file is cut into blocks, which depends on when there were checkpoints.
func (r *replay) few() []match.Endpoint {
	r.list = r.list[:0]
	for len(r.list) < replayed {
		if len(r.batch) == 0 {
			batch, ok := r.next()
			if !ok {
				break
			}
			r.batch = batch
		}
		n := min(replayed-len(r.list), len(r.batch))
		r.list = append(r.list, r.batch[:n]...)
		r.batch = r.batch[n:]
	}
	return r.list
}

func newReplay(h *Host) *replay {
	r := &replay{sum: h.figures()}
	r.next, r.stop = iter.Pull(func(yield func([]match.Endpoint) bool) {
		err := h.eachEndpoint(r.sum, func(list []match.Endpoint) error {
			if !yield(list) {
				return errEnough
			}
			return nil
		})
		if err != errEnough {
			r.err = err
		}
	})
	return r
}

// replayAll feeds all endpoints of a set to a new network, in an order that depends on
// nothing but the endpoints, and returns the network. matched is told of the messages.
func (s *Set) replayAll(matched func(match.Message)) (*network.Network, error) {
	n := network.New(s.networkConfig())
	var replays []*replay
	for _, h := range s.Hosts() {
		n.AddHost(h.row.Name, h.row.ID)
		r := newReplay(h)
		defer r.stop()
		replays = append(replays, r)
		if r.sum.Events > 0 {
			n.Span(h.index, r.sum.Begin, r.sum.End-1)
			n.Tick(h.index, r.sum.Tick)
			n.Rising(h.index, h.rising(&r.sum))
		}
	}
	pace := match.NewPace(len(replays))
	told := func(m match.Message) {
		pace.Message(m)
		matched(m)
	}
	for i := pace.Next(); i >= 0; i = pace.Next() {
		if err := s.ctx.Err(); err != nil {
			return nil, err
		}
		r := replays[i]
		list := r.few()
		if r.err != nil {
			return nil, r.err
		}
		if len(list) == 0 {
			pace.Done(i)
			continue
		}
		for k := range list {
			n.Endpoint(list[k], told)
		}
		last := list[len(list)-1].Time
		pace.At(i, float64(last-r.sum.Begin)/float64(max(r.sum.End-r.sum.Begin, 1)), last)
	}
	for i := range replays {
		n.Done(int32(i), matched)
	}
	return n, nil
}

// solveAgain makes the solution of a set that is ready: of the endpoints, or, where these cannot be read, which is noted, of what is stored of what the messages say of the clocks.
func (s *Set) solveAgain() (*network.Solution, error) {
	n, err := s.replayAll(func(match.Message) {})
	if err == nil {
		return n.Solution(), nil
	}
	if passes(err) { // the endpoints may be read the next time
		return nil, err
	}
	s.Damaged(err)
	c, none := readConstraints(s.path("constraints"))
	if none != nil {
		return nil, err
	}
	sol, none := c.Solve(s.networkConfig())
	if none != nil {
		return nil, err
	}
	return sol, nil
}

// pairAgain makes messages and solution anew when there were more endpoints than are kept
// in memory: what was paired then depends on how far apart the hosts happened to be. It returns the network.
func (s *Set) pairAgain() (*network.Network, error) {
	n, store, err := s.rematch()
	if err != nil {
		return nil, err
	}
	solution := *n.Solution()
	solution.Version = s.solution.Load().Version + 1
	s.solution.Store(&solution)
	s.messages.Store(store) // the file of the one before is closed when the last query lets go of it
	return n, nil
}

// rematch makes the file of messages anew, of the endpoints alone.
func (s *Set) rematch() (*network.Network, *messages.Store, error) {
	path := s.path(messageLog)
	store, err := s.messagesAt(path + partial)
	if err != nil {
		return nil, nil, err
	}
	var failed error
	n, err := s.replayAll(func(m match.Message) {
		if failed == nil {
			failed = store.Add(m)
		}
	})
	if err = errors.Join(err, failed); err == nil {
		err = store.Finish()
	}
	if err == nil {
		err = s.aside(path)
	}
	if err == nil {
		err = os.Rename(path+partial, path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, store.Close(), os.Remove(path+partial))
	}
	return n, store, nil
}
