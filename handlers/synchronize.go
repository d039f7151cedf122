package handlers

import (
	"net/http"
	"time"

	"synchroscope/sync/network"
)

// A syncRequest is the body of POST sync. What is left out, or null, is as by default.
type syncRequest struct {
	Reference string     `json:"reference"` // name of a host
	Method    string     `json:"method"`
	Exclude   [][]string `json:"exclude"` // pairs of names of hosts
	Window    []string   `json:"window"`  // [begin, end] in reference time, ns
}

const syncLike = `{"reference": "HOST", "method": "hull", "exclude": [["HOST", "HOST"]], "window": ["BEGIN", "END"]}`

// mostExcluded is how many links can be excluded at once.
const mostExcluded = 2000

// readSyncRequest reads the body of POST sync.
func readSyncRequest(w http.ResponseWriter, r *http.Request) (o network.Options, err error) {
	var body syncRequest
	if err := wholeBodyOf(w, r, syncLike, &body); err != nil {
		return o, err
	}
	o.Reference, o.Method = body.Reference, body.Method
	if len(body.Exclude) > mostExcluded {
		return o, badRequest("At most %d links can be excluded.", mostExcluded)
	}
	for _, pair := range body.Exclude {
		if len(pair) != 2 {
			return o, badRequest(`Each entry of "exclude" must be the names of two hosts, such as ["web", "db"].`)
		}
		o.Exclude = append(o.Exclude, [2]string{pair[0], pair[1]})
	}
	switch len(body.Window) {
	case 0:
	case 2:
		o.Window = new(network.Window)
		if o.Window.Begin, err = timeParam(body.Window[0], "window"); err == nil {
			o.Window.End, err = timeParam(body.Window[1], "window")
		}
	default:
		err = badRequest(`"window" must be two times in ns, as strings.`)
	}
	return o, err
}

// synchronize answers POST sync: a ready set is synchronized in another way.
func (s *Server) synchronize(w http.ResponseWriter, r *http.Request) {
	set, err := s.set(r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	o, err := readSyncRequest(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	begun := time.Now()
	solution, err := set.Synchronize(r.Context(), o)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.metrics.observe("sync", time.Since(begun))
	ok(w, solution.Report())
}
