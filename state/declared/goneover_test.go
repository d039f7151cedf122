package declared_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/declared"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
	"synchroscope/state/kernel/kerneltest"
)

// Calls that a thread was seen in before it could be told which one of the machine's it is go over to it with those that are deeper than what is shown: their
// ends are theirs, and end none that is shown.
func TestDeepCallsGoOver(t *testing.T) {
	declared.LimitCalls(t, 2, 8, 16)
	h := &kerneltest.Host{File: new(historytest.Memory)}
	w, err := history.Create(h.File, 0, history.Options{NodeSize: 1024})
	if err != nil {
		t.Fatal(err)
	}
	h.Writer = w
	m, tid := declared.New(w, nil, false), int32(0)
	m.Who = func(kernel.Claim) (int32, bool) { return tid, true }
	var text strings.Builder
	for at, what := range []string{"entry", "entry", "entry", "entry", "exit", "entry", "exit", "exit", "exit", "exit"} {
		fmt.Fprintf(&text, "%d cpu=0 lttng_ust_cyg_profile:func_%s addr=1 | vtid=7 vpid=7\n", at+1, what)
	}
	steps, end := kerneltest.Parse(t, text.String())
	for i, s := range steps {
		if i == 4 {
			tid = 107
		}
		if err := m.Handle(s.Event); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(end); err != nil {
		t.Fatal(err)
	}
	dump := h.Dump(t)
	for _, want := range []string{"Threads/4194304/Stack: 0 -, 1 1, 2 2, 5 -\n", "Threads/107/Stack: 0 -, 5 2, 9 1, 10 -\n"} {
		if !strings.Contains(dump, want) {
			t.Errorf("%q is not in\n%s", want, dump)
		}
	}
}
