package simulate_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"synchroscope/simulate"
	"synchroscope/simulate/scenario"
	"synchroscope/simulate/truth"
	"synchroscope/simulate/validate"
	"synchroscope/simulate/workload"
	"synchroscope/trace/ctf"
)

// kinds are workloads, how often at least things happen in two seconds of them on four machines,
// and what never does: events, programs that are switched to, and messages of a protocol from host to host.
var kinds = []struct {
	workload string
	often    map[string]int
	never    string
}{
	{"web clients=a server=b cache=c database=d think=40ms slow=10% slow_query=100ms", map[string]int{
		"program wget": 50, "program httpd": 100, "program memcached": 30, "program postgres": 20, "tcp a b": 200, "tcp b c": 40, "tcp b d": 20, "tcp d b": 20,
		"sched_process_fork": 50, "sched_process_exit": 50, "syscall_entry_futex": 5, "block_rq_issue": 3, "irq_handler_entry": 200, "syscall_entry_wait4": 50,
	}, "tcp a d"},
	{"copy from=a to=b size=4MiB files=2 pause=100ms", map[string]int{
		"tcp a b": 100, "tcp b a": 20, "block_rq_issue": 10, "program ssh": 20, "program sshd": 20, "syscall_entry_sendto": 100, "syscall_entry_recvfrom": 20,
	}, "udp a b"},
	{"copy from=a to=b size=100MiB rate=1MB", map[string]int{"tcp a b": 60, "syscall_entry_clock_nanosleep": 50}, "tcp a c"},
	{"pingpong from=a to=b,c period=20ms", map[string]int{"tcp a b": 95, "tcp b a": 90, "tcp a c": 95, "program echod": 150}, "tcp b c"},
	{"pingpong from=a to=b protocol=udp period=0 work=500us", map[string]int{"udp a b": 1000, "udp b a": 1000}, "tcp a b"},
	{"pingpong from=a to=b protocol=icmp period=10ms size=1000", map[string]int{"icmp a b": 190, "icmp b a": 190}, "udp a b"},
	{"mpi ranks=2 step=100ms barrier=3 save=10", map[string]int{"program solver": 300, "tcp a b": 200, "tcp d a": 200, "block_rq_issue": 2}, "udp a b"},
	{"mpi hosts=a,b,c reduce=tree bytes=200KiB halo=100KiB step=100ms", map[string]int{"program solver": 100, "tcp a b": 100, "tcp c a": 50}, "tcp a d"},
	{"mpi hosts=a ranks=3 step=5ms reduce=none", map[string]int{"program solver": 200, "net_if_receive_skb": 500}, "tcp a b"},
	{"gossip period=20ms", map[string]int{"udp a b": 30, "udp c d": 30, "udp d a": 30, "program gossipd": 500}, "tcp a b"},
	{"balancer clients=a balancer=b servers=c,d rate=200 policy=turn", map[string]int{"tcp a b": 250, "tcp b c": 100, "tcp b d": 100, "program haproxy": 200, "program appserver": 200}, "tcp a c"},
	{"balancer clients=a balancer=b servers=c,d rate=200 policy=least", map[string]int{"tcp b c": 100, "program haproxy": 200}, "tcp a d"},
	{"quiet hosts=a,b busy=300ms quiet=400ms", map[string]int{"tcp a b": 20, "tcp b a": 20, "program batch": 20, "block_rq_issue": 1}, "tcp a c"},
	{"load hosts=a processes=4 burst=10ms disk=4MB", map[string]int{"program crunch": 200, "program dd": 10, "block_rq_issue": 10}, "tcp a b"},
	{"threads hosts=a count=500 processes=7 period=200ms within=300ms turnover=5% shared=50%", map[string]int{
		"sched_process_fork": 600, "sched_process_exit": 80, "program worker": 100, "program timer": 100, "sched_switch": 5000,
	}, "tcp a b"},
	{"storm hosts=a between=50us", map[string]int{"syscall_entry_getpid": 1000, "syscall_exit_getpid": 1000, "syscall_entry_umask": 1000, "program storm": 30}, "tcp a b"},
	{"daemons activity=5", map[string]int{"program node_exporter": 20, "program cron": 3, "program sh": 1, "sched_wakeup": 500}, "tcp a b"},
}

// TestKinds: every kind of workload does what it is for, on machines that do what machines can.
func TestKinds(t *testing.T) {
	seen := make(map[string]bool)
	for _, k := range kinds {
		seen[strings.Fields(k.workload)[0]] = true
		t.Run(k.workload, func(t *testing.T) {
			text := `scenario kind "A kind of workload"
duration 2s
host {a,b,c,d} cpus=2
switch s
link {a,b,c,d} s propagation=10us rate=1Gbps jitter=2us
workload ` + k.workload
			s, err := scenario.Parse(strings.NewReader(text), "kind", scenario.Options{Seed: 3, Workload: workload.Check})
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := simulate.Run(t.Context(), s, simulate.Options{Seed: 3, Out: dir}); err != nil {
				t.Fatal(err)
			}
			did := count(t, dir)
			for what, least := range k.often {
				if did[what] < least {
					t.Errorf("%s: %d times, want at least %d", what, did[what], least)
				}
			}
			if did[k.never] > 0 {
				t.Errorf("%s: %d times, want none", k.never, did[k.never])
			}
			report, err := validate.Dir(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if !report.OK() {
				var b bytes.Buffer
				report.WriteTo(&b)
				t.Errorf("it is not consistent:\n%s", b.String())
			}
		})
	}
	for _, k := range workload.Kinds() {
		if !seen[k.Name] {
			t.Errorf("nothing tries %s", k.Name)
		}
	}
}

// count is how often things happened.
func count(t *testing.T, dir string) map[string]int {
	t.Helper()
	did := make(map[string]int)
	dirs, err := ctf.Discover(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		tr, err := ctf.Open(d)
		if err != nil {
			t.Fatal(err)
		}
		r, err := ctf.NewReader([]*ctf.Trace{tr}, ctf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for {
			ev, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			did[ev.Class.Name]++
			if ev.Class.Name == "sched_switch" {
				did["program "+string(ev.Bytes(ev.Class.Field("next_comm")))]++
			}
		}
		r.Close()
	}
	known, err := truth.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	protocols := map[uint8]string{1: "icmp", 6: "tcp", 17: "udp"}
	err = truth.ReadMessages(dir, func(m *truth.Message) error {
		did[protocols[m.Protocol]+" "+known.Hosts[m.From].Name+" "+known.Hosts[m.To].Name]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return did
}

// Two workloads that listen at one port cannot be, unless the program there is the same for both. That is told where the
// scenario is read, with both lines.
func TestPorts(t *testing.T) {
	for _, c := range []struct{ first, second, says string }{
		{"pingpong from=a to=b port=80", "web clients=a server=b cache=a database=a", "ports:6: web: tcp port 80 of b is that of pingpong in line 5 already"},
		{"pingpong from=a to=b", "pingpong from=c to=b reply=5000", "ports:6: pingpong: tcp port 7 of b is that of pingpong in line 5 already"},
		{"pingpong from=a to=b,c protocol=udp", "pingpong from=a to=c protocol=udp", "ports:6: pingpong: udp port 7 of c is that of pingpong in line 5 already"},
		{"pingpong from=a to=b protocol=udp port=7946", "gossip", "ports:6: gossip: udp port 7946 of b is that of pingpong in line 5 already"},
		{"mpi ranks=2", "pingpong from=a to=c port=6001", "ports:6: pingpong: tcp port 6001 of c is that of mpi in line 5 already"},
		{"balancer clients=a balancer=b servers=c", "balancer clients=a balancer=a servers=c", "ports:6: balancer: tcp port 8080 of c is that of balancer in line 5 already"},
		{"copy from=a to=b size=10000", "pingpong from=a to=b port=22", "ports:6: pingpong: tcp port 22 of b is that of copy in line 5 already"},
		{"pingpong from=a to=b", "pingpong from=a to=b protocol=udp", ""},
		{"pingpong from=a to=b protocol=icmp", "pingpong from=c to=b protocol=icmp", ""},
		{"pingpong from=a to=b", "pingpong from=a to=c", ""},
		{"copy from=a to=b size=10000", "copy from=c to=b size=10000", ""},
	} {
		text := "scenario ports \"Two that listen\"\nduration 300ms\nhost {a,b,c}\nlink {a,b,c} {b,c,a}\nworkload " + c.first + "\nworkload " + c.second
		s, err := scenario.Parse(strings.NewReader(text), "ports", scenario.Options{Workload: workload.Check})
		if c.says != "" {
			if err == nil || err.Error() != c.says {
				t.Errorf("%s, %s: %v", c.first, c.second, err)
			}
			continue
		}
		if err == nil {
			_, err = simulate.Run(t.Context(), s, simulate.Options{Out: t.TempDir()})
		}
		if err != nil {
			t.Errorf("%s, %s: %v", c.first, c.second, err)
		}
	}
}
