package ingest

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/query"
	"synchroscope/trace/ctf/text/texttest"
)

// containers is a machine with two containers: in both, thread 7 of process 1 records events, and their threads are 507 and 607 on the
// machine; DUMP tells so. The thread of the machine that has the number 7 is another one, and records none.
const containers = "\n-- kernel.trace --\n" + boxKernel + `event 0 sched_switch
  fields {prev_comm string; prev_tid i32; prev_prio i32; prev_state i64; next_comm string; next_tid i32; next_prio i32}
event 1 lttng_statedump_process_state
  fields {tid i32; vtid i32; pid i32; vpid i32; ppid i32; name string; type i32; status i32; ns_level i32; ns_inum u32}
file s0
packet cpu=0
0.500000000 sched_switch prev_comm="swapper/0" prev_tid=0 prev_prio=20 prev_state=0 next_comm="java" next_tid=507 next_prio=20
9.000000000 sched_switch prev_comm="java" prev_tid=507 prev_prio=20 prev_state=1 next_comm="swapper/0" next_tid=0 next_prio=20
file s1
packet cpu=1
0.100000000 sched_switch prev_comm="swapper/1" prev_tid=0 prev_prio=20 prev_state=0 next_comm="other" next_tid=7 next_prio=20
DUMP0.500000000 sched_switch prev_comm="other" prev_tid=7 prev_prio=20 prev_state=1 next_comm="java" next_tid=607 next_prio=20
9.000000000 sched_switch prev_comm="java" prev_tid=607 prev_prio=20 prev_state=1 next_comm="swapper/1" next_tid=0 next_prio=20
`

const containersDump = `0.200000000 lttng_statedump_process_state tid=501 vtid=1 pid=501 vpid=1 ppid=0 name="java" type=0 status=5 ns_level=1 ns_inum=4026532001
0.200000000 lttng_statedump_process_state tid=507 vtid=7 pid=501 vpid=1 ppid=0 name="java" type=0 status=5 ns_level=1 ns_inum=4026532001
0.200000000 lttng_statedump_process_state tid=507 vtid=507 pid=501 vpid=501 ppid=0 name="java" type=0 status=5 ns_level=0 ns_inum=4026531836
0.200000000 lttng_statedump_process_state tid=601 vtid=1 pid=601 vpid=1 ppid=0 name="java" type=0 status=5 ns_level=1 ns_inum=4026532002
0.200000000 lttng_statedump_process_state tid=607 vtid=7 pid=601 vpid=1 ppid=0 name="java" type=0 status=5 ns_level=1 ns_inum=4026532002
0.200000000 lttng_statedump_process_state tid=7 vtid=7 pid=7 vpid=7 ppid=0 name="other" type=0 status=5 ns_level=0 ns_inum=4026531836
`

// inContainer is a trace of user space that was recorded under a host name, on a CPU.
func inContainer(host string, cpu int, addr string, ns int64) string {
	context, value := "", ""
	if ns != 0 {
		context, value = "; _pid_ns u64", fmt.Sprintf(" pid_ns=%d", ns)
	}
	return fmt.Sprintf(`-- %[1]s-%[2]d.trace --
ctf 1.8 le
env hostname="%[1]s"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event-context {_vtid i32; _vpid i32; _procname string%[4]s}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
packet cpu=%[2]d
1.000000000 lttng_ust_cyg_profile:func_entry addr=%[3]s | vtid=7 vpid=1 procname="java"%[5]s
`, host, cpu, addr, context, value)
}

// What applications in containers did stands at the rows of their threads, which have other numbers on the machine: not at those of other
// threads with the same number. Where it cannot be told which threads they are, they have rows of their own.
func TestContainers(t *testing.T) {
	const uuid = " uuid=2a6422d0-6cee-11e0-8c08-cb07d7b3a564"
	for _, test := range []struct {
		name, user, dump string
		want             string // of rows that have calls: number or name, and the call
	}{
		{"other host names", inContainer("web1", 0, "0x10", 0) + inContainer("web2", 1, "0x20", 0), containersDump, "507 0x10; 607 0x20; "},
		{"namespaces recorded", inContainer("box", 0, "0x10", 4026532001) + inContainer("box", 1, "0x20", 4026532002), containersDump, "507 0x10; 607 0x20; "},
		{"nothing but ids", inContainer("box", 0, "0x10", 0) + inContainer("box", 1, "0x20", 0), containersDump, "507 0x10; 607 0x20; "},
		{"no state dump", inContainer("web1", 0, "0x10", 0) + inContainer("web2", 1, "0x20", 0), "", "507 0x10; 607 0x20; "},
		{"CPUs of which nothing is known", inContainer("web1", 5, "0x10", 0) + inContainer("web2", 6, "0x20", 0), containersDump, "java 7 in web1 0x10; java 7 in web2 0x20; "},
		{"such a CPU, and a namespace", inContainer("box", 5, "0x10", 4026532001) + inContainer("box", 1, "0x20", 4026532002), containersDump, "507 0x10; 607 0x20; "},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.ReplaceAll(strings.Replace(containers, "DUMP", test.dump, 1)+test.user, "clock c", "clock c"+uuid)
			s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", texttest.Dir(t, text))
			if err := s.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(s.Hosts()) != 1 {
				t.Fatalf("%d hosts", len(s.Hosts()))
			}
			h := s.Hosts()[0]
			threads, _ := h.Threads(0)
			got := ""
			for _, th := range threads {
				d, err := query.At(t.Context(), h.History(), h.History().Attributes().Lookup("Threads", fmt.Sprint(th.TID)), 2e9)
				if err != nil {
					t.Fatal(err)
				}
				if d.Function == "" {
					continue
				}
				if th.TID < 1<<22 {
					got += fmt.Sprintf("%d %s; ", th.TID, d.Function)
				} else {
					got += fmt.Sprintf("%s %s; ", th.Name, d.Function)
				}
			}
			if got != test.want {
				t.Errorf("calls of %s, want %s", got, test.want)
			}
		})
	}
}
