package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/trace/ctf/text/texttest"
)

// Whatever files and folders are called, each that is no trace has one line on stderr that a
// terminal survives, and the JSON names all others.
func TestOddNames(t *testing.T) {
	root := t.TempDir()
	name := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune("\n\t\x1b\"\\ %*[")), rapid.RuneFrom([]rune("ab"))), 1, 30, 80)
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		args := []string{"check", "--json", "--"}
		good, bad := 0, 0
		for i := range rapid.IntRange(1, 4).Draw(t, "paths") {
			n := name.Filter(func(s string) bool { return filepath.IsLocal(s) && !strings.ContainsAny(s, "/\x00") }).Draw(t, "name")
			if rapid.IntRange(0, 9).Draw(t, "broken") == 0 {
				n += "\xff"
			}
			path := filepath.Join(dir, string(rune('a'+i))+n)
			args = append(args, path)
			kind := rapid.IntRange(0, 4).Draw(t, "kind")
			if kind <= 1 {
				good++
			} else {
				bad++
			}
			switch kind {
			case 0, 1:
				err = folder(path, metadata)
			case 2:
				err = folder(path, "/* CTF 1.8 */ trace {")
			case 3:
				err = os.Mkdir(path, 0o755)
			case 4:
				err = os.WriteFile(path, []byte("no archive"), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}

		var stdout, stderr bytes.Buffer
		code := run(args, &stdout, &stderr)
		if want := map[bool]int{true: exitOK, false: exitFault}[bad == 0]; code != want {
			t.Fatalf("exit code %d, want %d; stderr %q", code, want, &stderr)
		}
		lines := strings.SplitAfter(stderr.String(), "\n")
		if len(lines) != bad+1 {
			t.Fatalf("%d lines for %d that are no trace: %q", len(lines)-1, bad, &stderr)
		}
		for _, line := range lines[:bad] {
			if !strings.HasPrefix(line, "synchroscope: ") || printable(strings.TrimSuffix(line, "\n"))+"\n" != line {
				t.Fatalf("stderr has %q", line)
			}
		}
		var report checkReport
		if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || len(report.Traces) != good || len(report.Errors) != bad {
			t.Fatalf("%v: %d traces and %d errors, want %d and %d", err, len(report.Traces), len(report.Errors), good, bad)
		}

		stdout.Reset()
		run(append([]string{"check"}, args[2:]...), &stdout, &stderr)
		if good > 0 && strings.Count(stdout.String(), "\n") != 1+good+2 {
			t.Fatalf("a table of %d traces is\n%q", good, &stdout)
		}
	})
}

// folder makes a trace of one event, if the metadata is good.
func folder(path, metadata string) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(path, "metadata"), []byte(metadata), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(path, "channel0_0"), ticks(1), 0o644)
}

func TestSpan(t *testing.T) {
	for _, test := range []struct {
		begin, end int64
		want       string
	}{
		{5, 5, "0.000000005 0s"},
		{0, 999, "0.000000000 999ns"},
		{0, 1_234_567, "0.000000000 1.235ms"},
		{-1_500_000_000, 61_000_400_000, "-1.500000000 1m2.5s"},
		{-9e18, 9e18, "-9000000000.000000000 more than 292 years"},
	} {
		r := traceReport{Begin: new(decimal(test.begin)), End: new(decimal(test.end))}
		begin, span := r.span()
		if got := begin + " " + span; got != test.want {
			t.Errorf("from %d to %d: %s, want %s", test.begin, test.end, got, test.want)
		}
	}
}

// traceOf is a trace of a domain, the rest of which begins behind the header of its events.
func traceOf(name, domain, rest string) string {
	return `
-- ` + name + `.trace --
ctf 1.8 le
env hostname="web"
env domain="` + domain + `"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
` + rest
}

// workAndDisk are the traces of an application, of one that does not tell its threads, and of the kernel below them.
var workAndDisk = traceOf("ust", "ust", `event-context {_vtid i32}
event 0 tick
  fields {value u32; share f64; _tag u8{x=0 y=1}; _v variant<_tag>{x u32; y u32}}
event 1 tock
  fields {value u32}
file s
packet cpu=0
1.000000000 tock value=1 | vtid=12
`) + traceOf("bare", "ust", `event 0 tack
  fields {value u32}
file s
packet cpu=0
1.000000000 tack value=1
`) + traceOf("kernel", "kernel", `event 0 block_rq_issue
  fields {sector u64}
file s
packet cpu=0
1.000000000 block_rq_issue sector=1
`)

// Declared states of events and fields that no trace has are told of, with what may be meant, and lines of which nothing can come, with the cause; they
// are no reason to fail.
func TestCheckTellsUnmetStates(t *testing.T) {
	traces := texttest.Dir(t, workAndDisk)
	for states, want := range map[string]string{
		"calls work\nbegin tikc\nend tick\n":                                                               "synchroscope-states: begin tikc: no trace has an event with that name; is tick meant?",
		"calls work\nbegin tick what=nothing\nend tick\n":                                                  "synchroscope-states: begin tick: no such event has a field nothing",
		"calls work\nbegin tick\nend tock\n":                                                               "",
		"spans a\nbegin tick id=value\nend tock id=value\nspans b\nbegin tick id=value\nend t* id=value\n": "synchroscope-states: line 5: begin tick: nothing comes of it, for line 2, begin tick of spans a, is before it and takes all events that fit",
		"spans a\nbegin tick id=v.x\nbegin tick id=v.y\nend tock id=value\n":                               "",
		"spans io\nbegin block_rq_issue id=sector\nend tock id=value\n":                                    "synchroscope-states: line 2: begin block_rq_issue: nothing comes of it, for only traces of the kernel have events with that name, and states are declared of those of applications",
		"calls work\nbegin tick row=share\nend tock row=value\n":                                           "synchroscope-states: line 2: begin tick: nothing comes of it, for row wants an integer, and share of tick is a number with a fraction",
		"calls work\nbegin tack\nend tock\n":                                                               "synchroscope-states: line 2: begin tack: nothing comes of it, for calls without row= are those of a thread, and no event that fits tells its thread; record it with lttng add-context -u -t vtid, or say with row= whose they are",
	} {
		if err := os.WriteFile(filepath.Join(traces, "synchroscope-states"), []byte(states), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"check", traces}, &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
			t.Errorf("exit code %d, stderr %q of %q", code, &stderr, states)
		}
		if got := stdout.String(); want != "" && !strings.Contains(got, "\n\n"+want+"\n") || want == "" && strings.Contains(got, "synchroscope-states") {
			t.Errorf("%q: want %q in\n%s", states, want, got)
		}
	}
}

// So it is with declared ends of messages, which sync tells of too.
func TestUnmetEndpointsAreTold(t *testing.T) {
	traces := filepath.Join(t.TempDir(), "traces")
	if err := folder(traces, metadata); err != nil {
		t.Fatal(err)
	}
	const want = "receive tick: no such event has a field nothing"
	if err := os.WriteFile(filepath.Join(traces, "synchroscope-endpoints"), []byte("message m\nreceive tick key=nothing\nsend tick key=nothing\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"check", traces}, &stdout, &stderr); code != exitOK || !strings.Contains(stdout.String(), "synchroscope-endpoints: "+want+"\n") {
		t.Errorf("exit code %d, %s", code, &stdout)
	}
	stderr.Reset()
	if run([]string{"sync", traces}, &stdout, &stderr); !strings.Contains(stderr.String(), "synchroscope: endpoints: "+want+"\n") {
		t.Errorf("sync tells %q", &stderr)
	}
}

// A mistake in what declares states is told before anything is imported, and is in the way of no command that does not need them. The
// file may lie beside the streams of a trace, and is none.
func TestCheckTellsMistakesInStates(t *testing.T) {
	for states, want := range map[string]struct {
		code  int
		fault string
	}{
		"calls work\nbegin a as=user\nend b\n": {exitOK, ""},
		"calls work\nbegin a as=waiting\n":     {exitFault, `traces/synchroscope-states:2: as is user, syscall, blocked or wait, not "waiting"` + "\n"},
	} {
		traces := filepath.Join(t.TempDir(), "traces")
		if err := folder(traces, metadata); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(traces, "synchroscope-states"), []byte(states), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := run([]string{"check", "--json", traces}, &stdout, &stderr); code != want.code || !strings.HasSuffix(stderr.String(), want.fault) || (stderr.Len() == 0) != (want.fault == "") {
			t.Errorf("exit code %d, stderr %q of %q", code, &stderr, states)
		}
		var report checkReport
		if err := json.Unmarshal(stdout.Bytes(), &report); err != nil || len(report.Traces) != 1 || report.anomalies() > 0 || (len(report.Errors) == 0) != (want.fault == "") {
			t.Errorf("%v, %s", err, &stdout)
		}
		stderr.Reset()
		if code := run([]string{"events", traces}, &stdout, &stderr); code != exitOK {
			t.Errorf("events: exit code %d, stderr %q", code, &stderr)
		}
	}
}
