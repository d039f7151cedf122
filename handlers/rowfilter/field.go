package rowfilter

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/trace/filter"
)

// A Deed is something that a thread does or has at a moment.
type Deed uint8

// The deeds. They number [Subject.Deeds].
const (
	Status   Deed = iota // kernel.Status
	Syscall              // the system call it is in, in any status
	CPU                  // it runs or is queued on, or ran on last
	Priority             // as sched_switch counts
	Function             // of the application, or span, that it is in
	Deeds                // how many there are

	NoDeed = Deeds // of a field that no moment changes
)

// A Value is a number or a text, whichever the field is.
type Value struct {
	Number int64
	Text   string
}

// Values are what is known of a deed: which values it can have. The zero Values say that
// nothing is known.
type Values struct {
	Known  bool
	Absent bool // it can be that there is none
	Some   []Value
}

// A Subject is what is known of a thread. Deeds are by Deed.
type Subject struct {
	Host, Name, Process string
	TID, PID, PPID      int64
	Deeds               [Deeds]Values
}

type kind uint8

const (
	text kind = iota
	number
	word // a status: a number that has names
)

type field struct {
	kind kind
	deed Deed
	of   func(*Subject) Value // where no moment changes it
}

var fields = map[string]field{
	"host":     {text, NoDeed, func(s *Subject) Value { return Value{Text: s.Host} }},
	"name":     {text, NoDeed, func(s *Subject) Value { return Value{Text: s.Name} }},
	"process":  {text, NoDeed, func(s *Subject) Value { return Value{Text: s.Process} }},
	"tid":      {number, NoDeed, func(s *Subject) Value { return Value{Number: s.TID} }},
	"pid":      {number, NoDeed, func(s *Subject) Value { return Value{Number: s.PID} }},
	"ppid":     {number, NoDeed, func(s *Subject) Value { return Value{Number: s.PPID} }},
	"status":   {word, Status, nil},
	"syscall":  {text, Syscall, nil},
	"cpu":      {number, CPU, nil},
	"prio":     {number, Priority, nil},
	"function": {text, Function, nil},
}

// also are other names of fields, as other parts of the page have them.
var also = map[string]string{"system_call": "syscall", "System_call": "syscall"}

const names = "host, name, process, tid, pid, ppid, status, syscall, cpu, prio and function"

// test is the test of a field by one of its values.
func (f field) test(holds func(Value) bool) test {
	if f.deed == NoDeed {
		return func(s *Subject) Verdict { return decided(holds(f.of(s))) }
	}
	return func(s *Subject) Verdict { return s.Deeds[f.deed].is(holds) }
}

// is tells what a comparison is of all values that are possible. Without a value it is false.
func (v *Values) is(holds func(Value) bool) Verdict {
	if !v.Known {
		return Perhaps
	}
	var out Verdict
	if v.Absent || len(v.Some) == 0 {
		out = Never
	}
	for _, one := range v.Some {
		if out |= decided(holds(one)); out == Perhaps {
			break
		}
	}
	return out
}

// statuses are the words for what a thread does, by kernel.Status.
var statuses = [...][]string{
	{"unknown"},
	{"blocked"},
	{"user", "running", "user space"},
	{"syscall", "running", "system call"},
	{"interrupted", "running"},
	{"waiting", "wait for cpu", "waiting for a CPU"},
	{"stopped", "wait", "not running"},
	{"forked", "forked, not run yet"},
	{"kernel", "running"},
}

const statusWords = "unknown, blocked, user, syscall, kernel, interrupted, running (one of the four before), waiting (for a CPU), stopped and forked"

// status reads a comparison with a word for a status. Of a status that several words
// are said of, one that fits is enough; != and !~ ask that none does.
func status(c filter.Comparison, f field, text string) (test, error) {
	if c.Right.Number {
		return f.test(func(v Value) bool { return c.Number(v.Number) }), nil
	}
	negate := c.Sign == "!=" || c.Sign == "!~"
	if c.Sign != "==" && c.Sign != "=~" && !negate {
		return nil, refuse(c.Right, "a status comes before no other: compare it by == or !=")
	}
	fits := func(n int64) bool {
		return n >= 0 && n < int64(len(statuses)) && slices.ContainsFunc(statuses[n], func(label string) bool {
			if c.Sign == "==" || c.Sign == "!=" {
				return label == text
			}
			return c.Texts(label, "") != negate
		})
	}
	known := false
	for n := range statuses {
		known = known || fits(int64(n))
	}
	if !known {
		return nil, refuse(c.Right, fmt.Sprintf("%q is no status; they are %s", strings.TrimSpace(text), statusWords))
	}
	return f.test(func(v Value) bool { return fits(v.Number) != negate }), nil
}
