package tracetest

import (
	"testing"

	"synchroscope/trace"
)

func TestFields(t *testing.T) {
	events := Parse(t, `
		# two switches and a packet
		12.000000123 cpu=3 sched_switch prev_comm="bash" prev_tid=12 next_comm="swapper/0" next_tid=0
		12.5 sched_switch prev_comm="a b" prev_tid=-1 next_comm="" next_tid=18446744073709551615
		-1.25 net_if_receive_skb network_header.ipv4.saddr=[10,0,0,1] network_header.ipv4.transport_header.tcp.seq=5
	`)
	if len(events) != 3 {
		t.Fatalf("%d events, want 3", len(events))
	}
	e := events[0]
	tid, comm := e.Class.Field("prev_tid"), e.Class.Field("prev_comm")
	if e.Time != 12_000_000_123 || e.CPU != 3 || e.Class.Name != "sched_switch" {
		t.Errorf("got time %d, CPU %d, name %s", e.Time, e.CPU, e.Class.Name)
	}
	if e.Int(tid) != 12 || string(e.Bytes(comm)) != "bash" {
		t.Errorf("got prev_tid %d, prev_comm %q", e.Int(tid), e.Bytes(comm))
	}
	if e = events[1]; e.Int(e.Class.Field("prev_tid")) != -1 || e.CPU != -1 {
		t.Errorf("got prev_tid %d, CPU %d, want -1 twice", e.Int(e.Class.Field("prev_tid")), e.CPU)
	}
	e = events[2]
	addr := e.Class.Field("network_header.ipv4.saddr")
	if e.Time != -1_250_000_000 || e.Len(addr) != 4 || e.At(addr, 0) != 10 || e.At(addr, 3) != 1 {
		t.Errorf("got time %d, %d elements, %d…%d", e.Time, e.Len(addr), e.At(addr, 0), e.At(addr, 3))
	}
	if seq := e.Class.Field("network_header.ipv4.transport_header.tcp.seq"); e.Int(seq) != 5 {
		t.Errorf("got seq %d, want 5", e.Int(seq))
	}
	if none := e.Class.Field("network_header.ipv6"); none != nil || e.Has(none) || e.Int(none) != 0 || e.Bytes(none) != nil {
		t.Error("a field that is not there has a value")
	}
}

func TestClassesAreShared(t *testing.T) {
	events := Parse(t, "1 a x=1\n2 a x=2\n3 a y=1\n4 b x=1")
	if events[0].Class != events[1].Class {
		t.Error("two events of one shape have two classes")
	}
	for i, want := range []int{0, 0, 1, 2} {
		if got := events[i].Class.Index; got != want {
			t.Errorf("event %d has class %d, want %d", i, got, want)
		}
	}
}

// The text form is read back as it was written.
func TestRoundTrip(t *testing.T) {
	for _, text := range []string{
		``,
		`a=1 b=-2 c=18446744073709551615 d=0xff`,
		`comm="x \"y\"\n" empty=""`,
		`f=1.5 g=2.0 h=-1e+300 i=NaN j=+Inf`,
		`yes=true no=false all=[true,false]`,
		`proto=6:"_tcp":"other"`,
		`s={a=1 t={b="x" c=[1,2,3]}} e=[] after=9`,
		`l=["a","bc",""] m=[{x=1 y="k"},{x=2 y="long"}] after=9`,
		`"odd name"=1 x={"a.b"=2}`,
	} {
		e := Parse(t, "0 e "+text)[0]
		if got := string(e.AppendText(nil)); got != text {
			t.Errorf("wrote\n%s, read back\n%s", text, got)
		}
	}
}

// A line as it is printed of many hosts is read back: host, CPU and contexts.
func TestLines(t *testing.T) {
	for line, want := range map[string]struct {
		host string
		cpu  int32
		name string
		text string
	}{
		`1.5 web cpu=2 open name="/etc" | vpid=12 procname="ls"`: {"web", 2, "open", `name="/etc" | vpid=12 procname="ls"`},
		`1.5 web open name="/etc"`:                               {"web", -1, "open", `name="/etc" | `},
		`1.5 web cpu=0 open  | vpid=1`:                           {"web", 0, "open", ` | vpid=1`},
		`1.5 web cpu=0 open`:                                     {"web", 0, "open", ` | `},
		`1.5 web open | tid=1 x=[1,2] tid=2`:                     {"web", -1, "open", ` | tid=1 x=[1,2] tid=2`},
		`1.5 open cpu=3 x=1`:                                     {"", -1, "open", `cpu=3 x=1 | `},
		`1.5 open cpu=3`:                                         {"", -1, "open", `cpu=3 | `},
		`1.5 open cpu=3 | cpu=4`:                                 {"", -1, "open", `cpu=3 | cpu=4`},
		`1.5 cpu=3 open cpu=4`:                                   {"", 3, "open", `cpu=4 | `},
		`1.5 "cpu=1" cpu=3 "a b" "c d"=1`:                        {"cpu=1", 3, "a b", `"c d"=1 | `},
		`1.5 "db (2)" "x y"`:                                     {"db (2)", -1, "x y", ` | `},
		`1.5 open "c d"=1`:                                       {"", -1, "open", `"c d"=1 | `},
		`1.5 open a=1 a=2`:                                       {"", -1, "open", `a=1 a=2 | `},
		`1.5 open l=[1:"a",2:"b",1:"a"]`:                         {"", -1, "open", `l=[1:"a",2:"b",1:"a"] | `},
		`1.5 open l=[{n=1:"a"},{n=2:"b"}] m=[[1],[18446744073709551615]]`: {"", -1, "open",
			`l=[{n=1:"a"},{n=2:"b"}] m=[[1],[18446744073709551615]] | `},
	} {
		host, e, err := new(Source).Line(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		text := string(e.AppendContext(append(e.AppendText(nil), " | "...)))
		if host != want.host || e.CPU != want.cpu || e.Class.Name != want.name || text != want.text {
			t.Errorf("%s: host %q, CPU %d, event %q, %s", line, host, e.CPU, e.Class.Name, text)
		}
	}
}

// Names that are no single word are in quotes.
func TestNames(t *testing.T) {
	for _, name := range []string{"sched_switch", "my app:open", "", "cpu=3", "12", "a|b", "a.b"} {
		line := string(trace.AppendName([]byte("1 cpu=2 "), name)) + " x=1"
		if e := Parse(t, line)[0]; e.Class.Name != name || e.CPU != 2 || e.Int(e.Class.Field("x")) != 1 {
			t.Errorf("%s: event %q on CPU %d", line, e.Class.Name, e.CPU)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, line := range []string{"", "x e", "1", "1.0000000001 e", "1 cpu=x e", "1 h e a", "1 h cpu=1 e a", "1 h cpu=x e", "1 e a=1 | b=1 | c=1", "1 e | b", "1 e a=1 a=2 a=3", "1 e a=[1,[2]]", "1 e a=[[1],[2,3]]", "1 e a=[{x=1},{y=2}]", "1 e a=", "1 e a=x", `1 e a="`, "1 e a=[1", "1 e a=[1 2]", "1 e a={b=1", "1 e =1"} {
		if _, err := new(Source).Event(line); err == nil {
			t.Errorf("%q: no error", line)
		}
	}
}
