package validate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/simulate/validate"
)

const small = `scenario small "Two machines that talk in three ways"
duration 2s
host left
  clock offset=3s rate=85 walk=0.01 uptime=1h
host right
  clock offset=-3s rate=-40 walk=0.01 frequency=2893MHz uptime=2h
link left right propagation=30us rate=1Gbps jitter=3us loss=0.2%
workload daemons
workload pingpong from=left to=right period=10ms
workload pingpong from=right to=left period=20ms protocol=udp
workload copy from=left to=right size=2MiB
`

// cluster makes a small one.
func cluster(t *testing.T) string {
	t.Helper()
	s, err := scenario.Parse(strings.NewReader(small), "small", scenario.Options{Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if _, err := simulate.Run(context.Background(), s, simulate.Options{Seed: 7, Out: dir}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// failed are the checks that fail.
func failed(t *testing.T, dir string) (names []string, report string) {
	t.Helper()
	r, err := validate.Dir(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Checks {
		if c.Failed > 0 {
			names = append(names, c.Name)
		} else if c.Done == 0 {
			t.Errorf("%s looked at nothing", c.Name)
		}
	}
	if r.OK() != (len(names) == 0) {
		t.Errorf("OK is %v, but %v failed", r.OK(), names)
	}
	return names, b.String()
}

// TestClocks: a clock that is coarse, slow or set back is no reason to doubt anything.
func TestClocks(t *testing.T) {
	for _, clock := range []string{"clock resolution=4ms", "clock frequency=24MHz", "clock frequency=1MHz", "clock frequency=3290MHz uptime=20d", "clock frequency=999MHz uptime=900d",
		"step at=1s by=-300ms", "step at=700ms by=2s"} {
		text := strings.Replace(small, "host right\n  clock offset=-3s rate=-40 walk=0.01 frequency=2893MHz uptime=2h", "host right\n  "+clock, 1)
		s, err := scenario.Parse(strings.NewReader(text), "small", scenario.Options{Seed: 7})
		if err != nil || text == small {
			t.Fatal(clock, err)
		}
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := simulate.Run(context.Background(), s, simulate.Options{Seed: 7, Out: dir}); err != nil {
			t.Fatal(err)
		}
		if names, report := failed(t, dir); len(names) > 0 {
			t.Errorf("%s: %v fail:\n%s", clock, names, report)
		}
	}
}

// TestDir: what is simulated is consistent, and what is changed in traces or truth is found.
func TestDir(t *testing.T) {
	whole := cluster(t)
	if names, report := failed(t, whole); len(names) > 0 {
		t.Fatalf("%v fail:\n%s", names, report)
	}
	json := func(from, to string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, truth.File), func(b []byte) []byte {
				place := regexp.MustCompile(from).FindSubmatchIndex(b)
				if place == nil {
					t.Fatalf("%s is not in truth.json", from)
				}
				return slices.Concat(b[:place[2]], []byte(to), b[place[3]:])
			})
		}
	}
	message := func(change func(all []byte, record []byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, truth.Messages), func(b []byte) []byte { return change(b, plain(t, b)) })
		}
	}
	add := func(at int, by int64) func(all, record []byte) []byte {
		return func(all, record []byte) []byte {
			binary.LittleEndian.PutUint64(record[at:], uint64(int64(binary.LittleEndian.Uint64(record[at:]))+by))
			return all
		}
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
		checks []string // that must fail
	}{
		{"the rate of a clock", json(`"rate_ppm":(85)`, "85.01"), []string{validate.Clocks, validate.Endpoints}},
		{"the seed", json(`"seed": "(7)"`, "8"), []string{validate.Clocks, validate.Endpoints}},
		{"a sample", json(`\[1000000000,"\d+(\d\d)"`, "99"), []string{validate.Clocks}},
		{"the number of cycles per second", json(`"frequency_hz":(2893000000)`, "2893000001"), []string{validate.Clocks, validate.Endpoints}},
		{"the time of sending, by a ns", message(add(0, 1)), []string{validate.Endpoints}},
		{"the time of receiving, by a ns", message(add(8, 1)), []string{validate.Endpoints}},
		{"the time of receiving, to before it was sent", message(add(8, -15e6)), []string{validate.Endpoints}},
		{"a port", message(func(all, record []byte) []byte { record[36]++; return all }), []string{validate.Endpoints}},
		{"that a message was recorded", message(func(all, record []byte) []byte { record[47] &^= 1; return all }), []string{validate.Counts, validate.Endpoints}},
		{"a message is gone", message(func(all, record []byte) []byte {
			i := bytes.Index(all, record)
			return slices.Concat(all[:i], all[i+56:])
		}), []string{validate.Counts, validate.Endpoints}},
		{"a message is there twice", message(func(all, record []byte) []byte { return append(all, record...) }), []string{validate.Counts, validate.Endpoints}},
		{"that a message was received", message(func(all, record []byte) []byte {
			binary.LittleEndian.PutUint64(record[8:], math.MaxUint64)
			return all
		}), []string{validate.Endpoints}},
		{"that a message was received, and was recorded then", message(func(all, record []byte) []byte {
			binary.LittleEndian.PutUint64(record[8:], math.MaxUint64)
			record[47] &^= 2
			record[50] = 0
			return all
		}), []string{validate.Endpoints}},
		{"that a message was recorded when it was received", message(func(all, record []byte) []byte { record[47] &^= 2; return all }), []string{validate.Endpoints}},
		{"that a message was lost", message(func(all, record []byte) []byte {
			r := lost(t, all)
			binary.LittleEndian.PutUint64(r[8:], binary.LittleEndian.Uint64(r)+50_000)
			r[50] = 1
			return all
		}), []string{validate.Endpoints}},
		{"how many packets a message is", message(func(all, record []byte) []byte { record[48]++; return all }), []string{validate.Endpoints}},
		{"how often a message was received", message(func(all, record []byte) []byte { record[50]++; return all }), []string{validate.Counts, validate.Endpoints}},
		{"that a message was translated", message(func(all, record []byte) []byte { record[47] |= 8; return all }), []string{validate.Endpoints}},
		{"that a message was joined", message(func(all, record []byte) []byte { record[47] |= 4; return all }), []string{validate.Endpoints}},
		{"when a message was received, in truth.json", json(`"received":\d+(\d\d),`, "7"), []string{validate.Endpoints}},
		{"how many packets were lost", json(`"lost":(\d+)`, "9999"), []string{validate.Counts}},
		{"how many packets were lost, to more than were carried", json(`"carried":(\d+)`, "9"), []string{validate.Counts}},
		{"how many packets a trace has", json(`"packets":(\d+)`, "9999"), []string{validate.Counts}},
		{"how many packets a trace has lost", json(`"lost_packets":(0)`, "1"), []string{validate.Counts}},
		{"that a trace lost events of which none of its packets tell", json(`"lost_events":0(),"packets"`, `,"untold_events":1`), []string{validate.Counts}},
		{"a stream is cut", func(t *testing.T, dir string) {
			edit(t, filepath.Join(dir, "left", "kernel", "channel0_0"), func(b []byte) []byte { return b[:len(b)-5000] })
		}, []string{validate.Counts, validate.Anomalies}},
		{"which thread runs next", switched(true, 48), []string{validate.Schedule}},
		{"the name of the thread before", switched(false, 0), []string{validate.Names}},
		{"the priority of the thread before", switched(false, 20), []string{validate.Names}},
		{"that the thread before sleeps", switched(false, 24), []string{validate.Waking}},
		{"the name of the thread that runs next", switched(true, 33), []string{validate.Names}},
		{"the priority of the thread that runs next", switched(true, 52), []string{validate.Names}},
		{"what a received segment acknowledges", received(func(h []byte) { h[11] ^= 1 }), []string{validate.Endpoints}},
		{"what a received segment acknowledges, to what was never sent", received(func(h []byte) {
			binary.BigEndian.PutUint32(h[8:], binary.BigEndian.Uint32(h[8:])+1e6)
		}), []string{validate.Endpoints, validate.Sequence}},
		{"the flags of a received segment", received(func(h []byte) { h[13] ^= 8 }), []string{validate.Endpoints}},
		{"the window of a received segment", received(func(h []byte) { h[14] ^= 1 }), []string{validate.Endpoints}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "changed")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			c.change(t, dir)
			names, report := failed(t, dir)
			for _, want := range c.checks {
				if !slices.Contains(names, want) {
					t.Errorf("%s holds; %v fail:\n%s", want, names, report)
				}
			}
		})
	}
}

// switched changes the lowest bit of a byte of a switch, counted from prev_comm on: of one from a thread that goes to
// sleep to the idle thread of its CPU, or of the next one, away from that.
func switched(next bool, place int) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		edit(t, filepath.Join(dir, "left", "kernel", "channel0_0"), func(b []byte) []byte {
			idle := append([]byte("swapper/0"), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0)
			asleep := append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, idle...)
			at := len(b)/2 + bytes.Index(b[len(b)/2:], asleep) - 24
			if next {
				at += 24 + len(asleep)
				at += bytes.Index(b[at:], idle)
			}
			b[at+place] ^= 1
			return b
		})
	}
}

// received changes a header of TCP that was received as it was sent.
func received(change func(header []byte)) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		all, err := os.ReadFile(filepath.Join(dir, truth.Messages))
		if err != nil {
			t.Fatal(err)
		}
		for at := 16 + 56*200; at < len(all); at += 56 {
			r := all[at : at+56]
			if r[46] != 6 || r[47] != 3 || r[48] != 1 || r[50] != 1 || r[16] != 0 {
				continue // no plain segment from left to right
			}
			le, be := binary.LittleEndian, binary.BigEndian
			header := be.AppendUint16(be.AppendUint16(nil, le.Uint16(r[36:])), le.Uint16(r[38:]))
			header = be.AppendUint32(header, le.Uint32(r[40:]))
			for _, stream := range []string{"channel0_0", "channel0_1"} {
				found := false
				edit(t, filepath.Join(dir, "right", "kernel", stream), func(b []byte) []byte {
					const syn = 2
					if i := bytes.Index(b, header); i >= 0 && b[i+13]&syn == 0 {
						found = true
						change(b[i : i+20])
					}
					return b
				})
				if found {
					return
				}
			}
		}
		t.Fatal("there is no such segment")
	}
}

func edit(t *testing.T, path string, f func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, f(b), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// plain is the record of a message that was recorded on both sides and came as it was sent.
func plain(t *testing.T, b []byte) []byte {
	t.Helper()
	for at := 16 + 56*200; at < len(b); at += 56 {
		r := b[at : at+56]
		if r[47] == 3 && r[48] == 1 && r[50] == 1 && int64(binary.LittleEndian.Uint64(r[8:])) > 0 {
			return r
		}
	}
	t.Fatal("there is no such message")
	return nil
}

// lost is the record of a message that was lost.
func lost(t *testing.T, b []byte) []byte {
	t.Helper()
	for at := 16 + 56*200; at < len(b); at += 56 {
		if r := b[at : at+56]; int64(binary.LittleEndian.Uint64(r[8:])) < 0 && r[48] == 1 && r[50] == 0 {
			return r
		}
	}
	t.Fatal("there is no such message")
	return nil
}

// TestTracing: what a trace does not have, because it was not recorded, was lost, or lies before its beginning or behind its
// end, is missed by nobody, with disks, forks and programs that come and go all the while.
func TestTracing(t *testing.T) {
	const crowded = `scenario crowded "A machine with much to do"
duration 1s
host left cpus=3
host right
link left right propagation=30us rate=1Gbps jitter=3us loss=2%
workload daemons activity=5
workload pingpong from=left to=right period=5ms
workload load processes=4 burst=5ms disk=4MB
workload threads hosts=left count=40 processes=4 period=100ms turnover=0.3
workload copy from=left to=right size=1MiB files=3 pause=100ms
`
	for _, options := range []string{
		"start=300ms", "stop=300ms", "cut=yes", "loss=20% subbuffer=16KiB", "subbuffer=16KiB rate=300kB wake=20ms", "cut=yes loss=10% subbuffer=16KiB rate=1MB start=200ms",
		"omit=block_rq_insert", "omit=block_rq_issue", "omit=block_rq_complete", "omit=sched_process_fork", "omit=sched_process_exec",
		"omit=syscall_entry_*", "omit=syscall_exit_*", "omit=syscall_exit_read", "omit=syscall_entry_futex", "omit=syscall_*", "omit=sched_*", "omit=sched_switch", "omit=lttng_statedump_*",
	} {
		text := strings.Replace(crowded, "cpus=3\n", "cpus=3\n  tracing "+options+"\n", 1)
		s, err := scenario.Parse(strings.NewReader(text), "crowded", scenario.Options{Seed: 7})
		if err != nil {
			t.Fatal(options, err)
		}
		dir := filepath.Join(t.TempDir(), "out")
		if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 7, Out: dir}); err != nil {
			t.Fatal(err)
		}
		report, err := validate.Dir(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if !report.OK() {
			var b strings.Builder
			report.WriteTo(&b)
			t.Errorf("%s:\n%s", options, b.String())
		}
	}
}
