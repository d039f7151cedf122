package network_test

import (
	"io"
	"math"
	"testing"

	"synchroscope/sync/hull"
	"synchroscope/trace/ctf"
)

// Three hosts of which only applications were traced: declared events make the messages, though
// both connections have the same key fields. Every message event says when it truly was.
func TestUserSpace(t *testing.T) {
	hosts := open(t, "ust-3hosts.tar.gz")
	s := synchronize(t, hosts, []int{0, 1, 2})
	again := synchronize(t, hosts, []int{2, 0, 1})
	if s.Counts.Matched != 12000 || s.Counts != again.Counts {
		t.Errorf("%+v, in another order %+v", s.Counts, again.Counts)
	}
	want := expected(t, "ust-3hosts.tar.gz")
	truth := make(map[string]struct{ offset, ppm float64 })
	for host, s := range want.Offset {
		truth[host] = struct{ offset, ppm float64 }{1e9 * s, want.Rate[host]}
	}
	a := number(t, s, "hostA")
	if s.Reference != a || len(s.Links) != 2 || len(truth) != 3 {
		t.Fatalf("the reference is %d, there are %d links", s.Reference, len(s.Links))
	}
	for _, k := range s.Links {
		if k.Class != hull.Accurate || k.AToB != 3000 || k.BToA != 3000 || k.Violations != 0 {
			t.Errorf("%s-%s: %v, %d and %d messages, %d violations", s.Hosts[k.A].Name, s.Hosts[k.B].Name, k.Class, k.AToB, k.BToA, k.Violations)
		}
		flattest, _ := k.AlphaMin.Float64()
		steepest, _ := k.AlphaMax.Float64()
		x, y := truth[s.Hosts[k.A].Name], truth[s.Hosts[k.B].Name]
		if rate := (1 + y.ppm/1e6) / (1 + x.ppm/1e6); flattest > rate || rate > steepest {
			t.Errorf("%s-%s: the true rate %.9f is not in %.9f to %.9f", s.Hosts[k.A].Name, s.Hosts[k.B].Name, rate, flattest, steepest)
		}
	}
	// The true time of a reading is reading/rate - c; a message event says no less, and little more.
	var c []float64
	var origin int64
	for _, h := range hosts {
		least := math.Inf(-1)
		eachMessage(t, h, func(local, true int64) {
			if origin == 0 {
				origin = local - true // of hostA, so that all is small enough for a float64
			}
			least = max(least, float64(local-origin)/(1+truth[h.Name].ppm/1e6)-float64(true))
		})
		c = append(c, least)
	}
	for i, h := range hosts {
		clock, host := truth[h.Name], &s.Hosts[i]
		worst, checked := 0.0, 0
		eachMessage(t, h, func(local, _ int64) {
			reference := float64(host.Map.Reference(local) - origin)
			off := math.Abs(reference - (float64(local-origin)/(1+clock.ppm/1e6) - c[i] + c[a]))
			bound, ok := host.Map.Error(local)
			if !ok || off > float64(bound)+100 {
				t.Fatalf("%s at %d: the map is %.0f ns off, its bound is %d, %v", h.Name, local, off, bound, ok)
			}
			// The offset was that when the clock was set, less than two seconds before the first message.
			if since := math.Abs(float64(local-origin) - reference - clock.offset); checked == 0 && since > float64(bound)+2e9*math.Abs(clock.ppm)/1e6 {
				t.Errorf("%s: the offset at the beginning is %.0f ns from the true one", h.Name, since)
			}
			worst = max(worst, off)
			checked++
		})
		t.Logf("%s: %d messages, the map is at most %.0f ns off", h.Name, checked, worst)
		if checked < 6000 || host.Component != s.Hosts[a].Component {
			t.Errorf("%s: %d messages, component %d", h.Name, checked, host.Component)
		}
	}
}

// eachMessage yields local and true time of the message events of a host.
func eachMessage(t *testing.T, h ctf.HostTraces, yield func(local, true int64)) {
	t.Helper()
	r, err := ctf.NewReader(h.Traces, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		ev, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if f := ev.Class.Field("true_ns"); f != nil {
			yield(ev.Recorded, ev.Int(f))
		}
	}
}
