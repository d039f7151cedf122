package network

import "fmt"

// A LinkSpec is one direction of a link. The zero value carries everything at once and loses nothing.
//
// What a packet needs from one end to the other is the wait for the packets before it, its own bits at
// the link's rate, the propagation, and chance: an exponential part for each packet, and a
// part for few that is much longer. Packets do not overtake each other but for those
// that are reordered and the outliers, which take a way of their own.
type LinkSpec struct {
	Propagation int64 `json:"propagation_ns,omitempty"`
	Rate        int64 `json:"rate_bps,omitempty"`    // bits per second, 0: no limit
	Queue       int   `json:"queue_bytes,omitempty"` // that wait at most; what comes then is dropped. 0: no limit

	Jitter    int64   `json:"jitter_ns,omitempty"`     // mean of an exponential part of the delay
	Tail      float64 `json:"tail,omitempty"`          // probability of a long delay
	TailLeast int64   `json:"tail_least_ns,omitempty"` // its least value: Pareto
	TailAlpha float64 `json:"tail_alpha,omitempty"`    // and exponent, 1.5 if 0
	TailMost  int64   `json:"tail_most_ns,omitempty"`  // its largest value, 1 s if 0
	Outliers  float64 `json:"outliers,omitempty"`      // probability of being late by just OutlierDelay
	OutlierBy int64   `json:"outlier_by_ns,omitempty"` //
	Loss      float64 `json:"loss,omitempty"`          // probability
	LossBurst float64 `json:"loss_burst,omitempty"`    // mean number of packets lost in a row, 0 or 1: each by itself
	Duplicate float64 `json:"duplicate,omitempty"`     // probability of arriving twice
	Reorder   float64 `json:"reorder,omitempty"`       // probability of being overtaken:
	ReorderBy int64   `json:"reorder_by_ns,omitempty"` // by what comes within so much time
}

// Check tells what cannot be.
func (s *LinkSpec) Check() error {
	for _, c := range []struct {
		name  string
		value float64
	}{
		{"tail", s.Tail}, {"outliers", s.Outliers}, {"loss", s.Loss}, {"duplicate", s.Duplicate}, {"reorder", s.Reorder},
	} {
		if !(c.value >= 0 && c.value <= 1) {
			return fmt.Errorf("%s is %v, not a probability", c.name, c.value)
		}
	}
	for _, c := range []struct {
		name  string
		value int64
	}{
		{"propagation", s.Propagation}, {"rate", s.Rate}, {"queue", int64(s.Queue)}, {"jitter", s.Jitter}, {"tail_least", s.TailLeast},
		{"tail_most", s.TailMost}, {"outlier_by", s.OutlierBy}, {"reorder_by", s.ReorderBy},
	} {
		if c.value < 0 || c.value > 1<<50 {
			return fmt.Errorf("%s is %d, which is not from 0 to 2^50", c.name, c.value)
		}
	}
	switch {
	case s.Rate > 0 && s.Rate < 8:
		return fmt.Errorf("rate is %d, less than a byte in a second", s.Rate)
	case !(s.TailAlpha >= 0 && s.TailAlpha < 1e6):
		return fmt.Errorf("tail_alpha is %v, not from 0 to a million", s.TailAlpha)
	case !(s.LossBurst >= 0 && s.LossBurst < 1e6):
		return fmt.Errorf("loss_burst is %v, not from 0 to a million", s.LossBurst)
	case s.LossBurst > 1 && s.Loss > s.LossBurst/(s.LossBurst+1):
		return fmt.Errorf("loss is %v, which runs of %v packets cannot make", s.Loss, s.LossBurst)
	}
	return nil
}
