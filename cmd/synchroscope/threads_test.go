package main

import (
	"strings"
	"testing"

	"synchroscope/trace/ctf/text/texttest"
)

// Without a trace of the kernel events are of the thread that they say; with one nobody knows who recorded what no switch was ahead of.
func TestEventsOfTheThreadTheySay(t *testing.T) {
	application := traceOf("ust", "ust", `event-context {_vtid i32}
event 0 tick
  fields {value u32}
file s
packet cpu=0
1.000000000 tick value=1 | vtid=12
1.100000000 tick value=2 | vtid=13
`)
	kernel := traceOf("kernel", "kernel", `event 0 block_rq_issue
  fields {sector u64}
file s
packet cpu=0
1.000000000 block_rq_issue sector=1
`)
	for traces, want := range map[string]string{application: "value=1", application + kernel: ""} {
		var out, errs strings.Builder
		code := run([]string{"events", "--where", "thread == 12", texttest.Dir(t, traces)}, &out, &errs)
		if got := out.String(); code != 0 || strings.Contains(got, "value=1") != (want != "") || strings.Contains(got, "value=2") {
			t.Errorf("exit %d, printed %q and %q, want %q", code, got, errs.String(), want)
		}
	}
}
