package match

import "testing"

// Ends that say differently how many bytes a message has make the same message, whichever is read first.
func TestBytesOfBothEnds(t *testing.T) {
	key := Key{Form: declaredForm, A: 1, B: 2}
	send, receive := Endpoint{Time: 1, Direction: Send, Key: key, Bytes: 100}, Endpoint{Time: 2, Host: 1, Direction: Receive, Key: key, Bytes: 60}
	for _, order := range [][]Endpoint{{send, receive}, {receive, send}} {
		var found []Message
		m := NewMatcher(0, func(x Message) { found = append(found, x) })
		m.Hosts(2)
		for _, e := range order {
			m.Add(e, nil)
		}
		m.Settle(nil)
		if len(found) != 1 || found[0].Bytes != 100 {
			t.Errorf("direction %v first: %+v, want one message of 100 bytes", order[0].Direction, found)
		}
	}
}
