package record_test

import (
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/internal/peer"
	"synchroscope/simulate/chance"
	"synchroscope/simulate/network"
	"synchroscope/simulate/record"
	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/writer"
)

// true time is the clock
type even struct{}

func (even) Cycles(t int64) uint64 { return uint64(t) }

func begin(t *testing.T, o record.Options) *record.Recorder {
	t.Helper()
	o.Hostname, o.Clock, o.Chance = "web", even{}, chance.New(1, t.Name())
	o.CPUs = max(o.CPUs, 1)
	if o.Dir == "" {
		o.Dir = filepath.Join(t.TempDir(), "kernel")
	}
	r, err := record.Begin(1000, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, dir string) (texts []string, names map[string]int, r *ctf.Reader) {
	t.Helper()
	tr, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err = ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	names = map[string]int{}
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return texts, names, r
		}
		if err != nil {
			t.Fatal(err)
		}
		names[ev.Class.Name]++
		texts = append(texts, string(ev.AppendText(nil)))
	}
}

// field is a text field of all events of a trace, in the order they were recorded.
func field(t *testing.T, dir, name string) (values []string) {
	t.Helper()
	tr, err := ctf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return values
		}
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, string(ev.Bytes(ev.Class.Field(name))))
	}
}

func task(name string, tid int32) *record.Task {
	k := &record.Task{TID: tid, PID: tid, Parent: 1, Prio: 120}
	k.SetComm(name)
	return k
}

var segment = network.Header{
	Source: 10<<24 | 1, Destination: 10<<24 | 2, SourcePort: 40000, DestinationPort: 80, Seq: 1<<31 + 5, Ack: 7, Length: 1500, ID: 77,
	Fragment: 0x4000, Flags: network.ACK | network.PSH, Window: 502, Protocol: network.TCP, TTL: 64, Words: 8,
}

// everything writes an event of each kind.
func everything(t *testing.T, s *record.Stream, calls []string) {
	a, b := task("bash", 12), task("a name that is too long", 70000)
	q := &record.Request{Device: 8 << 20, Sector: 1 << 33, Sectors: 8, Write: true, Sync: true}
	now := int64(1000)
	at := func() int64 { now += 100; return now }
	datagram, echo := segment, segment
	datagram.Protocol, echo.Protocol = network.UDP, network.ICMP
	for i, ok := range []bool{
		s.DumpStart(at()), s.DumpProcess(at(), a, true, record.Waiting, 1, 1<<63), s.DumpNamespace(at(), a),
		s.DumpInterface(at(), "eth0", 10<<24|3), s.DumpDisk(at(), 8<<20, "sda"), s.DumpIRQ(at(), 25, "PCI-MSI", "eth0"), s.DumpEnd(at()),
		s.SchedSwitch(at(), a, 1, b), s.SchedWaking(at(), b, 3), s.SchedWakeup(at(), b, 3), s.SchedWakeupNew(at(), b, 3),
		s.SchedMigrateTask(at(), b, 1, 2), s.ProcessFork(at(), a, b), s.ProcessExec(at(), "/bin/sh", b), s.ProcessExit(at(), b),
		s.ProcessFree(at(), b), s.ProcessWait(at(), &a.Comm, 12, 120), s.CPUIdle(at(), 2, 0), s.CPUIdle(at(), record.Awake, 0),
		s.PageFault(at(), 1<<63, 0x400000, 7), s.IRQEntry(at(), 25, "eth0"), s.IRQExit(at(), 25),
		s.SoftIRQRaise(at(), record.SoftNetRX), s.SoftIRQEntry(at(), record.SoftNetRX), s.SoftIRQExit(at(), record.SoftNetRX),
		s.HRTimerStart(at(), 1<<63, record.TickTimer, -5, 10, 10), s.HRTimerExpire(at(), 1<<63, 12, record.TickTimer), s.HRTimerExpired(at(), 1<<63), s.HRTimerCancel(at(), 1<<63),
		s.TimerStart(at(), 1<<63, record.RetransTimer, 10, 2, 1<<20), s.TimerExpire(at(), 1<<63, 12, record.RetransTimer), s.TimerExpired(at(), 1<<63), s.TimerCancel(at(), 1<<63),
		s.BlockInsert(at(), q, a), s.BlockIssue(at(), q, a), s.BlockComplete(at(), q),
		s.NetQueue(at(), 1<<63, "eth0", &segment), s.NetXmit(at(), 1<<63, "eth0", 1500), s.NetReceive(at(), 1<<63, "eth0", &segment),
		s.NetQueue(at(), 1<<63, "eth0", &datagram), s.NetReceive(at(), 1<<63, "eth0", &datagram),
		s.NetQueue(at(), 1<<63, "eth0", &echo), s.NetReceive(at()+1<<40, 1<<63, "eth0", &echo),
	} {
		if !ok {
			t.Errorf("event %d is not recorded", i)
		}
	}
	now += 1 << 40
	args := &record.Args{Int: [8]uint64{4, 5, 6, 10<<24 | 9, 7, 8, 9, 10}, Text: "/etc/hosts"}
	for _, name := range calls {
		c := record.Call(name)
		s.SyscallEntry(at(), c, args)
		s.SyscallExit(at(), c, args)
	}
}

// Every kind of event that can be written is read again, once, in both formats, and babeltrace2 agrees
// without a warning.
func TestKinds(t *testing.T) {
	for _, f := range []writer.Format{writer.CTF18, writer.CTF2} {
		dir := filepath.Join(t.TempDir(), "kernel")
		r := begin(t, record.Options{Dir: dir, Format: f})
		var calls []string
		model, _, err := ctf.Metadata(dir)
		if err != nil {
			t.Fatal(err)
		}
		classes := model.Streams[0].Events
		for _, c := range classes {
			if name, ok := strings.CutPrefix(c.Name, "syscall_entry_"); ok {
				calls = append(calls, name)
			}
		}
		everything(t, r.CPU(0), calls)
		sum, err := r.Close(1 << 62)
		if err != nil {
			t.Fatal(err)
		}
		texts, names, reader := read(t, dir)
		if int64(len(texts)) != sum.Events || len(reader.Anomalies()) > 0 {
			t.Errorf("%d events read, %d written; %v", len(texts), sum.Events, reader.Anomalies())
		}
		for _, c := range classes {
			if names[c.Name] == 0 && c.Name != "x86_exceptions_page_fault_kernel" && c.Name != "lttng_statedump_file_descriptor" {
				t.Errorf("no %s was written", c.Name)
			}
		}
		if testing.Verbose() {
			t.Log(strings.Join(texts, "\n"))
		}
		if f == writer.CTF18 {
			babeltrace(t, dir, len(texts))
		}
	}
}

// babeltrace holds a trace against babeltrace2: it reads so many events and says nothing.
func babeltrace(t *testing.T, dir string, n int) {
	t.Helper()
	tool, ok := peer.Program(t, "babeltrace2")
	if !ok {
		return
	}
	var errs strings.Builder
	cmd := exec.Command(tool, dir)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 || strings.Count(string(out), "\n") != n {
		t.Errorf("babeltrace2: %v, %d events for %d: %s", err, strings.Count(string(out), "\n"), n, errs.String())
	}
}
