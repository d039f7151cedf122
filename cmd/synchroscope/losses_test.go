package main

import (
	"bytes"
	"regexp"
	"testing"

	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// perforated is two hosts: of web packets are missing and events are counted as lost, of db packets are missing alone.
var perforated = `
-- web.trace --
` + texttest.Counted(`hostname="web"`) + `
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=1235 discarded=5000 cpu=0
2.500000000 e
-- db.trace --
` + texttest.Counted(`hostname="db"`) + `
file s
packet begin=1.000000000 end=2.000000000 seq=0 discarded=0 cpu=0
1.500000000 e
packet begin=2.000000000 end=3.000000000 seq=2 discarded=0 cpu=0
2.500000000 e
`

// check and build tell events that are lost and whole packets, of which nobody knows how many events they held, of each trace or host and in all; a trace
// that claims more than there can be makes no count overflow.
func TestLostPacketsAreTold(t *testing.T) {
	dir := texttest.Dir(t, perforated)
	said := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := run(append(args, dir), &out, &errs); code != exitOK {
			t.Fatalf("%v: exit %d: %s", args, code, errs.String())
		}
		return out.String()
	}
	for _, x := range []struct{ text, want string }{
		{said("check"), `(?m)^db .* 1 packet  .*\nweb .* 5000, 1234 packets  `},
		{said("check"), `(?m)^2 traces, 2 hosts, 4 events, 5000 and 1235 whole packets of events lost, 3 anomalies$`},
		{said("build", "--data", t.TempDir(), "--name", "perforated"), `(?m)^events +4, 5,000 and 1,235 whole packets of events lost, .*\n(.*\n)*host db .* 1 whole packet of events lost\n.*5,000 and 1,234 whole packets of events lost$`},
	} {
		if !regexp.MustCompile(x.want).MatchString(x.text) {
			t.Errorf("%s is not in\n%s", x.want, x.text)
		}
	}
	var checked checkReport
	ask(t, &checked, "check", "--json", dir)
	if checked.LostEvents != 5000 || checked.LostPackets != 1235 || checked.Traces[0].LostPackets != 1 || checked.Traces[1].LostPackets != 1234 {
		t.Errorf("check tells %+v", checked)
	}
	var built buildReport
	ask(t, &built, "build", "--json", "--data", t.TempDir(), "--name", "perforated", dir)
	if built.LostEvents != 5000 || built.LostPackets != 1235 || built.Hosts[0].LostPackets != 1 || built.Hosts[1].LostPackets != 1234 {
		t.Errorf("build tells %+v", built)
	}

	var events, packets int64
	for range 3 {
		addLost(&events, &packets, []ctf.Loss{{Packets: 1 << 62}, {Count: 2}})
	}
	if events != 6 || packets != mostPackets {
		t.Errorf("%d events and %d packets", events, packets)
	}
}
