package match

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace/tracetest"
)

// Events in, one line for each: the endpoint, or "none". "$4" and "$6" stand
// for the path of the network headers.
func TestExtractor(t *testing.T) {
	datadriven.RunTest(t, "testdata/extractor", func(t *testing.T, d *datadriven.TestData) string {
		long := strings.NewReplacer("$4", "network_header.ipv4", "$6", "network_header.ipv6")
		x, again := NewExtractor(7), NewExtractor(7) // again is stopped and resumed between any two events
		var source tracetest.Source
		var out strings.Builder
		for _, ev := range source.Parse(t, long.Replace(d.Input)) {
			e, ok := x.Extract(ev)
			resumed := NewExtractor(7)
			if err := resumed.Restore(again.AppendState(nil)); err != nil {
				t.Fatal(err)
			}
			again = resumed
			if f, fok := again.Extract(ev); f != e || fok != ok {
				t.Errorf("at %d a resumed extractor finds %+v, %t, not %+v, %t", ev.Time, f, fok, e, ok)
			}
			if !ok {
				out.WriteString("none\n")
				continue
			}
			side := "send"
			if e.Direction == Receive {
				side = "receive"
			}
			fmt.Fprintf(&out, "%s at %d host %d cpu %d thread %d: protocol %d form %d %016x %016x %016x %016x, %d bytes",
				side, e.Time, e.Host, e.CPU, e.Thread, e.Key.Protocol, e.Key.Form, e.Key.A, e.Key.B, e.Key.C, e.Key.D, e.Bytes)
			if e.Source != [16]byte{} {
				fmt.Fprintf(&out, ", %v > %v", netip.AddrFrom16(e.Source).Unmap(), netip.AddrFrom16(e.Destination).Unmap())
			}
			if e.Payload > 0 {
				fmt.Fprintf(&out, ", %d of data", e.Payload)
			}
			if e.Empty {
				out.WriteString(", no data")
			}
			if e.Key.opens() {
				out.WriteString(", opens")
			}
			out.WriteByte('\n')
		}
		return out.String()
	})
}

// A damaged state is refused.
func TestDamagedExtractor(t *testing.T) {
	state := NewExtractor(0).AppendState(nil)
	for _, b := range [][]byte{nil, state[1:], append([]byte{recentLen}, state[1:]...)} {
		if NewExtractor(0).Restore(b) == nil {
			t.Errorf("%d bytes beginning with %v were taken", len(b), b[:min(1, len(b))])
		}
	}
}
