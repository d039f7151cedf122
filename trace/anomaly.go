package trace

// An Anomaly is something a reader met and survived. Equal ones are counted together.
type Anomaly struct {
	Kind    string `json:"kind"`    // "packet-overlap", "time-back", "truncated", "unknown-event", …
	Stream  string `json:"stream"`  // file, relative to the trace set
	Offset  int64  `json:"offset"`  // bytes into the file of the first one
	Message string `json:"message"` // one plain sentence
	Count   int64  `json:"count"`
}
