package filter_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/trace"
	"synchroscope/trace/filter"
	"synchroscope/trace/tracetest"
)

// testdata/parse has filters and what they are understood as, or what is wrong with them.
func TestParse(t *testing.T) {
	datadriven.RunTest(t, "testdata/parse", func(t *testing.T, d *datadriven.TestData) string {
		f, err := filter.Parse(d.Input)
		if err != nil {
			return err.Error() + "\n"
		}
		again, err := filter.Parse(f.String())
		if err != nil || again.String() != f.String() {
			t.Errorf("%s: %q is read as %v, %v", d.Pos, f, again, err)
		}
		return f.String() + "\n"
	})
}

// testdata/match has events in the text form and filters that want them or not.
func TestMatch(t *testing.T) {
	var ev *trace.Event
	datadriven.RunTest(t, "testdata/match", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd == "event" {
			ev = tracetest.Parse(t, d.Input)[0]
			return ""
		}
		var out strings.Builder
		for line := range strings.Lines(d.Input) {
			line = strings.TrimSpace(line)
			f, err := filter.Parse(line)
			if err != nil {
				t.Fatalf("%s: %s: %v", d.Pos, line, err)
			}
			answer := "no: "
			if f.Compile(ev.Class, "web").Match(ev, ev.Time) {
				answer = "yes:"
			}
			fmt.Fprintln(&out, answer, line)
		}
		return out.String()
	})
}

// The bounds that keep a filter from the network cheap.
func TestLimits(t *testing.T) {
	for _, test := range []struct{ name, filter, problem string }{
		{"long", strings.Repeat("a==1||", 700) + "a==1", "longer than 4096 bytes"},
		{"nested", strings.Repeat("(", 65) + "a==1" + strings.Repeat(")", 65), "nested deeper than 64"},
		{"negated", strings.Repeat("!", 65) + "a==1", "nested deeper than 64"},
		{"path", "a" + strings.Repeat(".a", 32) + " == 1", "more than 32 elements"},
		{"pattern", `a =~ "` + strings.Repeat("*a", 129) + `"`, "longer than 256 bytes"},
	} {
		if _, err := filter.Parse(test.filter); err == nil || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.problem)
		}
	}
	for _, s := range []string{
		strings.Repeat("a==1||", 682) + "a==1",
		strings.Repeat("(", 63) + "a==1" + strings.Repeat(")", 63),
		"a" + strings.Repeat(".a", 31) + " == 1",
		`a =~ "` + strings.Repeat("*a", 128) + `"`,
	} {
		if _, err := filter.Parse(s); err != nil {
			t.Errorf("%.20s…: %v", s, err)
		}
	}
}

// What depends on the name or the host alone is decided once.
func TestNever(t *testing.T) {
	ev := tracetest.Parse(t, "1.5 sched_switch prev_tid=12")[0]
	for s, never := range map[string]bool{
		`name == "sched_switch"`:                 false,
		`name == "irq" && prev_tid == 12`:        true,
		`name == "irq" || prev_tid == 12`:        false,
		`host == "db" || tid == 5 || ! time > 0`: false,
		`host == "db" || tid == 5`:               true,
		`!(host == "web" || tid == 5)`:           true,
	} {
		f, err := filter.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Compile(ev.Class, "web").Never(); got != never {
			t.Errorf("%s: never is %v", s, got)
		}
	}
}

func TestMissing(t *testing.T) {
	events := tracetest.Parse(t, "1.5 a x=1\n1.6 b y.z=2")
	f, err := filter.Parse(`x == 1 || y.z == q || name == "a" || w == 1 && has(w) || .name =~ "x"`)
	if err != nil {
		t.Fatal(err)
	}
	got := f.Missing([]*trace.Class{events[0].Class, events[1].Class})
	if want := "q w .name"; strings.Join(got, " ") != want {
		t.Errorf("missing are %q, want %q", got, want)
	}
}

// What name or host is compared with without quotes is a string, unless an event has a field of that name.
func TestWords(t *testing.T) {
	events := tracetest.Parse(t, `1.5 a comm="a" family=2:"AF_INET" x=1`+"\n"+`1.6 b x=2`)
	classes := []*trace.Class{events[0].Class, events[1].Class}
	for text, want := range map[string]string{
		`host == web && x == 1`:                    `host == "web" && x == 1`,
		`!(db < host) || has(db)`:                  `!"db" < host || has(db)`,
		`name == a || name == b && host != cache`:  `name == "a" || name == "b" && host != "cache"`,
		`name == comm`:                             `name == comm`,
		`name != x`:                                `name != x`,
		`host == .web`:                             `host == .web`,
		`host == $ctx.web`:                         `host == $ctx.web`,
		`host == web.local || host == web[0]`:      `host == web.local || host == web[0]`,
		`host == name && comm == bash && x == web`: `host == name && comm == bash && x == web`,
	} {
		f, err := filter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Words(func() ([]*trace.Class, error) { return classes, nil })
		if err != nil || got.String() != want {
			t.Errorf("%s is read as %v, %v, want %s", text, got, err, want)
		}
	}
	f, err := filter.Parse(`host == "web" && name =~ "a"`)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Words(func() ([]*trace.Class, error) { return nil, errors.New("not to be asked for") }); got != f || err != nil {
		t.Errorf("a filter without words is %v, %v", got, err)
	}

	f, err = filter.Parse(`comm == bash || web.local == host || family == AF_INET || x == one || comm == .sh || has(none) || bash == comm`)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(f.Unquoted(classes), " "); got != "bash web.local AF_INET" {
		t.Errorf("without quotes are %q", got)
	}
}

func TestUnnamed(t *testing.T) {
	events := tracetest.Parse(t, "1.5 sched_switch x=1\n1.6 sched_wakeup y=2")
	f, err := filter.Parse(`name == "sched_swich" || !(name =~ "irq_*") && "sched_switch" == name || name != "sched_swich" || name =~ "sched_*" || .name == "z" || name == sched_wakeup || name < "a"`)
	if err != nil {
		t.Fatal(err)
	}
	classes := []*trace.Class{events[0].Class, events[1].Class}
	if got := strings.Join(f.Unnamed(classes), " "); got != "sched_swich irq_*" {
		t.Errorf("names that no event has are %q", got)
	}
	if got := filter.NearestPattern("*sched_swich*", []string{"sched_switch", "sched_wakeup"}); len(got) != 1 || got[0] != "sched_switch" {
		t.Errorf("near are %q", got)
	}
}

// Classes of different readers may have the same index.
func TestMatcher(t *testing.T) {
	events := tracetest.Parse(t, "1.5 a x=1\n1.6 b x=2\n1.7 a x=3")
	events = append(events, tracetest.Parse(t, "1.5 a y=1 x=5")...)
	f, err := filter.Parse(`name == "a" && x != 3`)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Matcher("", nil)
	for i, want := range []bool{true, false, false, true} {
		if got := m.Match(events[i], 0); got != want {
			t.Errorf("event %d: %v", i, got)
		}
	}
}

const usual = `fields =~ "*worker*" && name =~ "sched_*" && (prev_tid == 12 || next_comm =~ "*kworker*") && cpu < 4 && time > 1.0`

func TestMatchAllocatesNothing(t *testing.T) {
	m, ev := usualMatch(t)
	if n := testing.AllocsPerRun(100, func() { m.Match(ev, ev.Time) }); n != 0 {
		t.Errorf("%v allocations for an event", n)
	}
}

func BenchmarkMatch(b *testing.B) {
	m, ev := usualMatch(b)
	b.ReportAllocs()
	for b.Loop() {
		m.Match(ev, ev.Time)
	}
}

func usualMatch(t testing.TB) (*filter.Matcher, *trace.Event) {
	f, err := filter.Parse(usual)
	if err != nil {
		t.Fatal(err)
	}
	ev := tracetest.Parse(t, `1.5 cpu=2 sched_switch prev_comm="swapper/2" prev_tid=0 next_comm="a kworker/2:1" next_tid=99`)[0]
	m := f.Matcher("web", nil)
	if !m.Match(ev, ev.Time) {
		t.Fatal("the event is not wanted")
	}
	return m, ev
}
