package network

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"synchroscope/sync/hull"
)

// A Report is a solution as `sync --json` and the HTTP API print it. Times in
// ns since 1970 are strings, for they exceed 2^53; durations are numbers.
type Report struct {
	Reference string         `json:"reference"` // host name, "" without hosts
	Version   int64          `json:"version"`
	Final     bool           `json:"final"`
	Hosts     []HostReport   `json:"hosts"`
	Links     []LinkReport   `json:"links"`
	Matching  MatchingReport `json:"matching"`
}

type HostReport struct {
	Name      string       `json:"name"`
	ID        string       `json:"id"`
	Component int          `json:"component"`
	Reference bool         `json:"reference"` // of its component
	Error     *RangeReport `json:"error_ns"`  // null where unknown
	Map       []Piece      `json:"map"`
	Bounds    []Bound      `json:"error"` // empty where unknown
}

type RangeReport struct {
	Min int64 `json:"min"`
	Max int64 `json:"max"`
}

// A Piece is one straight piece of a clock map.
type Piece struct {
	Begin          Time  `json:"begin"`
	End            Time  `json:"end"`
	ReferenceBegin Time  `json:"reference_begin"`
	ReferenceEnd   Time  `json:"reference_end"`
	Rate           Float `json:"rate"` // reference ns per local ns
}

// A Bound is written as [local ns, bound ns]. Between two of them the larger holds.
type Bound struct{ Local, Bound int64 }

type LinkReport struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Class string `json:"class"`

	InTree bool `json:"in_tree"`

	// b = alpha·a + beta, null unless there is such a line.
	Alpha      *Float `json:"alpha"`
	Beta       *Float `json:"beta"`
	AlphaMin   *Float `json:"alpha_min"`
	AlphaMax   *Float `json:"alpha_max"`
	AlphaExact string `json:"alpha_exact,omitempty"` // 34 significant digits
	BetaExact  string `json:"beta_exact,omitempty"`

	Messages DirectionsReport `json:"messages"`
	Accurate int              `json:"accurate"`
	Hull     SidesReport      `json:"hull"`
	Upper    [][2]Time        `json:"upper"` // the hulls' points, (a, b)
	Lower    [][2]Time        `json:"lower"`
	Segments int              `json:"segments"` // pieces of the link's own line

	Error      *SpreadReport `json:"error_ns"`   // null where unknown
	Relaxed    int64         `json:"relaxed_ns"` // class fail: by how much the constraints must give way
	Violations int           `json:"violations"`
	Latency    LatencyReport `json:"latency_ns"`
}

type DirectionsReport struct {
	AToB int `json:"a_to_b"`
	BToA int `json:"b_to_a"`
}

type SidesReport struct {
	Lower int `json:"lower"`
	Upper int `json:"upper"`
}

type SpreadReport struct {
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	Max    int64 `json:"max"`
}

type LatencyReport struct {
	AToB *QuantilesReport `json:"a_to_b"` // null without messages
	BToA *QuantilesReport `json:"b_to_a"`
}

type QuantilesReport struct {
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	P99    int64 `json:"p99"`
}

type MatchingReport struct {
	Sent              int64 `json:"sent"`
	Received          int64 `json:"received"`
	Matched           int64 `json:"matched"`
	Retransmitted     int64 `json:"retransmitted"`
	Ambiguous         int64 `json:"ambiguous"`
	Loopback          int64 `json:"loopback"`
	UnmatchedSent     int64 `json:"unmatched_sent"`
	UnmatchedReceived int64 `json:"unmatched_received"`
	Evicted           int64 `json:"evicted"`
}

// Report returns the solution in its public form.
func (s *Solution) Report() Report {
	r := Report{
		Version: s.Version, Final: s.Final,
		Hosts: []HostReport{}, Links: []LinkReport{},
		Matching: MatchingReport(s.Counts),
	}
	if s.Reference >= 0 {
		r.Reference = s.Hosts[s.Reference].Name
	}
	for i := range s.Hosts {
		r.Hosts = append(r.Hosts, s.reportHost(int32(i)))
	}
	for i := range s.Links {
		r.Links = append(r.Links, s.reportLink(&s.Links[i]))
	}
	return r
}

func (s *Solution) reportHost(i int32) HostReport {
	h := &s.Hosts[i]
	r := HostReport{
		Name: h.Name, ID: h.ID, Component: h.Component,
		Reference: i == h.Reference,
		Map:       []Piece{}, Bounds: []Bound{},
	}
	begin := h.Begin
	for _, k := range h.Map.Knots()[1:] {
		end := min(k.Local, h.End)
		if k == h.Map.Knots()[len(h.Map.Knots())-1] {
			end = h.End
		}
		if end <= begin {
			continue
		}
		r.Map = append(r.Map, Piece{
			Begin: Time(begin), End: Time(end),
			ReferenceBegin: Time(h.Map.Reference(begin)), ReferenceEnd: Time(h.Map.Reference(end)),
			Rate: Float(h.Map.Rate(begin)),
		})
		begin = end
	}
	for _, b := range h.Map.Bounds() {
		r.Bounds = append(r.Bounds, Bound{b[0], b[1]})
		if r.Error == nil {
			r.Error = &RangeReport{b[1], b[1]}
		}
		r.Error.Min, r.Error.Max = min(r.Error.Min, b[1]), max(r.Error.Max, b[1])
	}
	return r
}

func (s *Solution) reportLink(k *Link) LinkReport {
	r := LinkReport{
		A: s.Hosts[k.A].Name, B: s.Hosts[k.B].Name,
		Class: k.Class.String(), InTree: k.InTree,
		Alpha: float(k.Alpha), Beta: float(k.Beta),
		AlphaMin: float(k.AlphaMin), AlphaMax: float(k.AlphaMax),
		Messages: DirectionsReport{k.AToB, k.BToA},
		Accurate: k.Accurate,
		Hull:     SidesReport{len(k.Lower), len(k.Upper)},
		Upper:    reportPoints(k.Upper), Lower: reportPoints(k.Lower),
		Relaxed: k.Relaxed, Violations: k.Violations,
	}
	if k.Alpha != nil {
		r.AlphaExact, r.BetaExact = decimal(k.Alpha), decimal(k.Beta)
		r.Segments = 1
	}
	if k.ErrorMax >= 0 {
		r.Error = &SpreadReport{k.ErrorMin, k.ErrorMedian, k.ErrorMax}
	}
	if k.AToB > 0 {
		q := QuantilesReport(k.Latency[0])
		r.Latency.AToB = &q
	}
	if k.BToA > 0 {
		q := QuantilesReport(k.Latency[1])
		r.Latency.BToA = &q
	}
	return r
}

func reportPoints(points []hull.Point) [][2]Time {
	r := make([][2]Time, len(points))
	for i, p := range points {
		r[i] = [2]Time{Time(p.X), Time(p.Y)}
	}
	return r
}

// A Time is ns, a string in JSON.
type Time int64

func (t Time) MarshalJSON() ([]byte, error) {
	b := append([]byte(nil), '"')
	return append(strconv.AppendInt(b, int64(t), 10), '"'), nil
}

func (t *Time) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*t = Time(v)
	return err
}

// A Float is a number with 17 significant digits in JSON.
type Float float64

func (f Float) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(f), 'g', 17, 64), nil
}

func float(r *big.Rat) *Float {
	if r == nil {
		return nil
	}
	v, _ := r.Float64()
	f := Float(v)
	return &f
}

func (b Bound) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{Time(b.Local), b.Bound}) }

func (b *Bound) UnmarshalJSON(data []byte) error {
	var pair [2]json.Number
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	var err error
	if b.Local, err = pair[0].Int64(); err != nil {
		return err
	}
	b.Bound, err = pair[1].Int64()
	return err
}

// digits is the precision of the exact strings: that of IEEE decimal128.
const digits = 34

// decimal prints r with 34 significant digits, rounded half away from zero.
func decimal(r *big.Rat) string {
	if r.Sign() == 0 {
		return "0"
	}
	// 10^n <= |r| < 10^(n+1): the digits before the point say n, but for fractions.
	abs := new(big.Rat).Abs(r)
	n := len(new(big.Int).Quo(abs.Num(), abs.Denom()).String()) - 1
	for n > -1000 && abs.Cmp(power(n)) < 0 {
		n--
	}
	places := digits - 1 - n
	if places >= 0 {
		return r.FloatString(places)
	}
	scale := power(-places)
	whole := new(big.Rat).Quo(r, scale).FloatString(0)
	return whole + strings.Repeat("0", -places)
}

func power(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}
