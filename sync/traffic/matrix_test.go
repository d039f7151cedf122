package traffic

import (
	"testing"

	"synchroscope/sync/match"
)

// What a matrix says that it takes grows with pairs and with how far latencies spread, not with messages.
func TestMatrixBytes(t *testing.T) {
	var m Matrix
	pass := func(from, to int32, latency int64) int {
		m.Add(&Passage{Message: match.Message{From: from, To: to}, ReceivedAt: latency, Error: 10, Related: true})
		return m.Bytes()
	}
	one := pass(0, 1, 1000)
	if same := pass(0, 1, 1000); same != one || one <= 0 {
		t.Errorf("%d bytes, with an equal message %d", one, same)
	}
	two := pass(0, 1, 1<<40)
	if two < one+8*32*25 {
		t.Errorf("%d bytes, with latencies 30 powers of two apart %d", one, two)
	}
	if three := pass(1, 0, 1000); three != two+one {
		t.Errorf("%d bytes, with a second pair that is like the first was %d", two, three)
	}
}
