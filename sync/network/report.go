package network

// A Report is a solution as `sync --json` and the HTTP API print it. Times in
// ns since 1970 are strings, for they exceed 2^53; durations are numbers.
type Report struct {
	Reference string         `json:"reference"` // host name, "" without hosts
	Version   int64          `json:"version"`
	Final     bool           `json:"final"`
	Hosts     []HostReport   `json:"hosts"`
	Links     []LinkReport   `json:"links"`
	Pinned    *PinnedReport  `json:"pinned"` // null if the reference is the best
	Matching  MatchingReport `json:"matching"`
	Options   OptionsReport  `json:"options"`
}

// An OptionsReport says what the solution was made by.
type OptionsReport struct {
	Method    string      `json:"method"`
	Reference *string     `json:"reference"` // pinned; null if the best was chosen
	Exclude   [][2]string `json:"exclude"`
	Window    *[2]Time    `json:"window"` // null for all of the time
}

// A PinnedReport is what it costs that another than the best host was made the reference.
type PinnedReport struct {
	Host  string `json:"host"`
	Best  string `json:"best"`
	Hosts int    `json:"hosts"`   // of the component
	Loss  *int64 `json:"loss_ns"` // by which their median errors add up to more; null where unknown
}

type HostReport struct {
	Name      string       `json:"name"`
	ID        string       `json:"id"`
	Component int          `json:"component"`
	Reference bool         `json:"reference"` // of its component
	Error     *RangeReport `json:"error_ns"`  // null where unknown
	Map       []Piece      `json:"map"`       // what it recorded
	Knots     [][2]Time    `json:"knots"`     // local and reference time where the whole map bends; exact, as the ends of pieces are not
	Bounds    []Bound      `json:"error"`     // empty where unknown
	Window    *[2]Time     `json:"window"`    // in which messages counted, local ns; null for all of the time
	Tick      int64        `json:"tick_ns"`   // by which its clock advances at once; 0 if it shows every ns, or nothing is known

	Addresses []AddressReport `json:"addresses"` // by time
	Aliases   []AliasReport   `json:"aliases"`

	// What the bounds rest on: nothing at a reference, on a cap elsewhere.
	Assumption *string `json:"assumption"` // "none", "rate cap"; null where nothing is bounded
	RateCap    *Float  `json:"rate_cap"`   // change of rate per second; null without a cap

	// By how much the errors of its component would add up to more, were it the reference: 0 of the best, null where unknown.
	Loss *int64 `json:"reference_loss_ns"`

	Candidate *CandidateReport `json:"as_reference"`         // null where unknown, or a host would have no bound
	Bounded   *BoundedReport   `json:"as_reference_bounded"` // null where there are others and none of them would have a bound
}

// A CandidateReport is what the errors of a component's hosts would be, were one of them the reference.
type CandidateReport struct {
	Sum      int64  `json:"sum_ns"`
	Most     int64  `json:"most_ns"`
	Farthest string `json:"farthest"` // the host with the largest error
}

// A BoundedReport is the same of those hosts that would have a bound.
type BoundedReport struct {
	CandidateReport
	Unbounded int `json:"unbounded"` // hosts of the component that would have none, and are in no sum
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

	InTree   bool `json:"in_tree"`
	Excluded bool `json:"excluded"` // it was not to be used

	// b = alpha·a + beta, null unless there is such a line.
	Alpha      *Float `json:"alpha"`
	Beta       *Float `json:"beta"`
	AlphaMin   *Float `json:"alpha_min"`
	AlphaMax   *Float `json:"alpha_max"`
	AlphaExact string `json:"alpha_exact,omitempty"` // 34 significant digits
	BetaExact  string `json:"beta_exact,omitempty"`

	Apart *ApartReport `json:"lines_apart_ns"` // null unless alpha_min and alpha_max exist

	Messages DirectionsReport `json:"messages"`
	Accurate int              `json:"accurate"`
	Hull     SidesReport      `json:"hull"`
	Upper    [][2]Time        `json:"upper"` // the hulls' points, (a, b)
	Lower    [][2]Time        `json:"lower"`
	Segments int              `json:"segments"` // pieces of the link's own clock

	Path       [][2]Time             `json:"path"`       // its knots (a, b) where it is no line
	Shape      *string               `json:"shape"`      // "one line", "pieces", "steps"; null where nothing is known of it
	Assumption *string               `json:"assumption"` // what error_ns rests on: "rate cap", null where it is
	RateCap    *Float                `json:"rate_cap"`
	Cuts       []ContradictionReport `json:"cuts"` // for each step, or for what nothing explains, messages that contradict each other

	Error      *SpreadReport `json:"error_ns"`   // null where unknown
	Force      *ForceReport  `json:"in_force"`   // null outside the tree, and by methods that bound nothing
	Loop       *LoopReport   `json:"loop_ns"`    // null in the tree, while not final, and where something around the loop has no bound
	Relaxed    int64         `json:"relaxed_ns"` // class fail: by how much the constraints must give way
	Violations int           `json:"violations"`
	Latency    LatencyReport `json:"latency_ns"`
}

// A ForceReport is a link as the maps of its hosts have it; see [Force].
type ForceReport struct {
	Begin    Time          `json:"begin"` // by a's clock
	End      Time          `json:"end"`
	BBegin   Time          `json:"b_begin"` // what b's shows then
	BEnd     Time          `json:"b_end"`
	Segments int           `json:"segments"`
	Rate     *RatesReport  `json:"rate"`     // null where every piece bridges a step
	Error    *SpreadReport `json:"error_ns"` // null where unknown
	Ends     *[2]int64     `json:"ends_ns"`  // the bounds at begin and end
}

// A RatesReport is of the slowest and the fastest piece, b's ns per a's.
type RatesReport struct {
	Min Float `json:"min"`
	Max Float `json:"max"`
}

// An ApartReport is how far the lines of alpha_min and alpha_max are apart; see [Apart].
type ApartReport struct {
	First  int64  `json:"first"`
	Middle int64  `json:"middle"`
	Last   int64  `json:"last"`
	Clock  string `json:"clock"` // the host whose time begin and end are
	Begin  Time   `json:"begin"`
	End    Time   `json:"end"`
}

type ContradictionReport struct {
	Upper [][2]Time `json:"upper"` // (a, b)
	Lower [][2]Time `json:"lower"`
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

// A LoopReport is a link's own estimate against the way through the tree.
type LoopReport struct {
	Residual   int64 `json:"residual"`
	Bound      int64 `json:"bound"` // of both together
	Consistent bool  `json:"consistent"`
	Hops       int   `json:"hops"` // of the way through the tree
}

type LatencyReport struct {
	AToB *QuantilesReport `json:"a_to_b"` // null without messages that count, and between hosts that nothing relates
	BToA *QuantilesReport `json:"b_to_a"`
}

type QuantilesReport struct {
	Min    int64 `json:"min"`
	Median int64 `json:"median"`
	P99    int64 `json:"p99"`
	Of     int   `json:"of"` // messages that median and p99 are of: all, or a sample
}

type MatchingReport struct {
	Sent              int64 `json:"sent"`
	Received          int64 `json:"received"`
	Matched           int64 `json:"matched"`
	Retransmitted     int64 `json:"retransmitted"`
	Ambiguous         int64 `json:"ambiguous"`
	Loopback          int64 `json:"loopback"`
	Pieces            int64 `json:"pieces"` // of packets that were cut or joined on their way
	UnmatchedSent     int64 `json:"unmatched_sent"`
	UnmatchedReceived int64 `json:"unmatched_received"`
	Evicted           int64 `json:"evicted"`
}
