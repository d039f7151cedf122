// Package network carries packets between simulated machines.
package network

import "fmt"

// A LinkSpec is how one direction of a link behaves. The zero value is a link that takes
// no time at all and never fails.
type LinkSpec struct {
	Propagation int64 `json:"propagation_ns,omitempty"` // every packet takes this long,
	Rate        int64 `json:"rate_bps,omitempty"`       // and its bits go at this rate (bits per second, 0: at once) one packet after the other,
	Queue       int   `json:"queue_packets,omitempty"`  // of which so many can wait (0: 1000); more are dropped

	// Jitter is a delay of its own for each packet: log-normal, half of them below the median.
	JitterMedian int64   `json:"jitter_median_ns,omitempty"`
	JitterSigma  float64 `json:"jitter_sigma,omitempty"`
	// Tail is a further delay that a packet has with some probability: Pareto, TailMin at least, beyond
	// x with probability (TailMin/x)^TailAlpha.
	Tail      float64 `json:"tail,omitempty"`
	TailMin   int64   `json:"tail_min_ns,omitempty"`
	TailAlpha float64 `json:"tail_alpha,omitempty"`
	// Outlier is the probability that a packet is late by OutlierDelay, and others pass it.
	Outlier      float64 `json:"outlier,omitempty"`
	OutlierDelay int64   `json:"outlier_delay_ns,omitempty"`

	Loss      float64 `json:"loss,omitempty"`       // probability that a packet is lost,
	LossBurst float64 `json:"loss_burst,omitempty"` // so many in a row on average; 1 if 0
	Duplicate float64 `json:"duplicate,omitempty"`  // probability that a packet comes twice
	// Reorder is the probability that a packet waits for ReorderDelay while others pass it.
	// Packets keep their order but for this, outliers and duplicates.
	Reorder      float64 `json:"reorder,omitempty"`
	ReorderDelay int64   `json:"reorder_delay_ns,omitempty"`
}

// Check tells what cannot be.
func (s LinkSpec) Check() error {
	const hour = 3600 * 1_000_000_000
	for _, p := range []struct {
		name  string
		value float64
		max   float64
	}{
		{"propagation", float64(s.Propagation), hour},
		{"rate", float64(s.Rate), 1e15},
		{"queue", float64(s.Queue), 1e9},
		{"median of the jitter", float64(s.JitterMedian), hour},
		{"sigma of the jitter", s.JitterSigma, 5},
		{"probability of the tail", s.Tail, 1},
		{"minimum of the tail", float64(s.TailMin), hour},
		{"alpha of the tail", s.TailAlpha, 1000},
		{"probability of outliers", s.Outlier, 1},
		{"delay of outliers", float64(s.OutlierDelay), hour},
		{"probability of loss", s.Loss, 1},
		{"mean length of losses in a row", s.LossBurst, 1e6},
		{"probability of duplication", s.Duplicate, 1},
		{"probability of reordering", s.Reorder, 1},
		{"delay of reordering", float64(s.ReorderDelay), hour},
	} {
		if !(p.value >= 0 && p.value <= p.max) {
			return fmt.Errorf("the %s of a link is from 0 to %.15g", p.name, p.max)
		}
	}
	if s.Tail > 0 && (s.TailMin == 0 || s.TailAlpha == 0) {
		return fmt.Errorf("a link with a tail has a minimum and an alpha of it")
	}
	if s.LossBurst > 0 && s.LossBurst < 1 {
		return fmt.Errorf("losses in a row are 1 or more on average")
	}
	return nil
}
