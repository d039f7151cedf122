// Package hull finds the clock lines of one link that its messages allow.
package hull

// A Class says how far a link can be trusted.
type Class uint8

const (
	Absent      Class = iota // no message
	Incomplete               // messages in one direction only
	Approximate              // both directions, but not at the same time
	Accurate                 // a line, bounded on both sides
	Fail                     // no single line satisfies all messages
)

// A Point is a constraint: X in the first host's, Y in the second host's local ns.
type Point struct{ X, Y int64 }
