package main

import (
	"path/filepath"
	"testing"

	"synchroscope/simulate/truth"
)

// Traces that begin late, a machine that boots twice and a tracer that overflows: what check counts
// of them is what the truth says, as is what it counts of the others, see TestSimulated.
func TestCheckedCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("makes large traces")
	}
	for _, test := range []struct {
		scenario, duration string
		exact              bool
	}{
		{"late-start", "15s", true},
		{"reboot", "30s", true},
		{"islands", "5s", true},
		{"s9", "10m", true},
		{"scp", "5s", false},
	} {
		t.Run(test.scenario, func(t *testing.T) {
			checkSimulated(t, test.scenario, test.duration, test.exact)
		})
	}
}

// checkSimulated simulates a scenario into dir and compares what check counts there with the truth.
func checkSimulated(t *testing.T, scenario, duration string, exact bool) (dir string, known *truth.Truth, report checkReport) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "out")
	ask(t, &struct{}{}, "simulate", "--json", "--scenario", scenario, "--seed", "7", "--duration", duration, "--out", dir)
	known, err := truth.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, &report, "check", "--json", dir)
	compareCounts(t, known, &report)
	comparePairs(t, dir, &report, exact)
	return dir, known, report
}

// compareCounts compares events, lost events and packets, of each trace and in total.
func compareCounts(t *testing.T, known *truth.Truth, report *checkReport) {
	t.Helper()
	total := truth.Counts{Events: report.Events, Lost: report.LostEvents, Sent: report.Messages.Sent, Received: report.Messages.Received}
	if total != known.Counts() {
		t.Errorf("check counts %+v; the truth has %+v", total, known.Counts())
	}
	found := make(map[string]truth.Counts)
	for _, r := range report.Traces {
		name := filepath.Join(filepath.Base(filepath.Dir(r.Path)), filepath.Base(r.Path))
		var ends endsReport // left out where the trace has no such events, as it is where none were recorded
		if r.Messages != nil {
			ends = *r.Messages
		}
		found[filepath.ToSlash(name)] = truth.Counts{Events: r.Events, Lost: r.LostEvents, Sent: ends.Sent, Received: ends.Received}
	}
	traces := 0
	for _, h := range known.Hosts {
		for _, tr := range h.Traces {
			traces++
			if want := (truth.Counts{Events: tr.Events, Lost: tr.Lost, Sent: tr.Sent, Received: tr.Received}); found[tr.Path] != want {
				t.Errorf("check counts %+v in %s; the truth has %+v", found[tr.Path], tr.Path, want)
			}
		}
	}
	if len(report.Traces) != traces {
		t.Errorf("check finds %d traces of %d", len(report.Traces), traces)
	}
}

// comparePairs compares the messages. Where it is not exact, some were sent or received in other pieces, more than
// once, or with other headers, and not all that the truth has can be told from others; but never are there more.
func comparePairs(t *testing.T, dir string, report *checkReport, exact bool) {
	t.Helper()
	sent, both, parts := int64(0), int64(0), int64(0) // parts: at least some of it was received
	if err := truth.ReadMessages(dir, func(m *truth.Message) error {
		if m.RecordedSent {
			sent++
		}
		if m.RecordedSent && m.RecordedReceived && m.Received >= 0 {
			both++
		}
		if m.RecordedSent && m.TimesReceived > 0 && (m.RecordedReceived || m.Received < 0) {
			parts++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	m := report.Messages
	if m.Sent != sent {
		t.Errorf("check counts %d sent packets; the truth has %d messages whose sending was recorded", m.Sent, sent)
	}
	if m.Matched > parts || exact && m.Matched != both || m.Matched < both/2 {
		t.Errorf("check makes %d pairs; the truth has %d messages that were recorded at both ends, and of %d a part", m.Matched, both, parts)
	}
}
