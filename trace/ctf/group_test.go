package ctf

import "testing"

// A name that would turn the words around it, or command a terminal, has marks in the place of what does so, and is one of a host all the same.
func TestPrintableNames(t *testing.T) {
	named := func(host string) *Trace { return &Trace{dir: "/x", info: Info{Hostname: host}, plan: &plan{}} }
	hosts := Group([]*Trace{named("web\u202eabc"), named("web\u202dabc"), named("db\x1b[2J"), named("\xff"), named("עברית host"), named("one\r\ntwo\tthree")})
	var names []string
	for _, h := range hosts {
		names = append(names, h.Name)
	}
	want := []string{"db\ufffd[2J", "one  two three", "web\ufffdabc", "web\ufffdabc (2)", "עברית host", "\ufffd"}
	if len(names) != len(want) {
		t.Fatalf("hosts %q, want %q", names, want)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("host %d is %q, want %q", i, names[i], want[i])
		}
	}
}
