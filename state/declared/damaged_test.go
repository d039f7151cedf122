package declared_test

import (
	"bytes"
	"testing"

	"synchroscope/state/declared"
	"synchroscope/state/history"
	"synchroscope/state/kernel/kerneltest"
)

// A damaged state over a sound history is refused, or what follows is handled: it never panics.
func TestRestoreDamagedGoesOn(t *testing.T) {
	d, err := declared.Parse("declarations", `
calls work
begin work:in  what=job row=queue
end   work:out row=queue
spans request
begin req:in  id=n what=job
end   req:out id=n
`)
	if err != nil {
		t.Fatal(err)
	}
	steps, end := kerneltest.Parse(t, `
0.1 cpu=0 lttng_ust_statedump:bin_info baddr=50 memsz=100 path="/a/app" is_pic=1 | vtid=12 vpid=11 procname="app"
0.2 cpu=0 lttng_ust_dl:dlopen baddr=180 memsz=100 path="/a/lib.so" | vtid=12 vpid=11 procname="app"
0.3 cpu=0 lttng_ust_statedump:start n=1 | vtid=12 vpid=11 procname="app"
1 cpu=0 lttng_ust_cyg_profile:func_entry addr=100 call_site=1 | vtid=12 vpid=11 procname="app"
2 cpu=0 lttng_ust_cyg_profile:func_entry addr=200 call_site=1 | vtid=12 vpid=11 procname="app"
2.1 cpu=0 work:in job="a" queue=3 | vtid=13 vpid=11 procname="app"
2.2 cpu=0 req:in n=1 job="b" | vtid=13 vpid=11 procname="app"
2.3 cpu=0 req:in n=2 job="c" | vtid=13 vpid=11 procname="app"
lost cpu=0 8 9
3 cpu=0 lttng_ust_cyg_profile:func_exit addr=200 call_site=1 | vtid=12 vpid=11 procname="app"
4 cpu=0 req:out n=1 | vtid=13 vpid=11 procname="app"
4.1 cpu=0 req:in n=3 job="c" | vtid=13 vpid=11 procname="app"
5 cpu=0 work:in job="b" queue=3 | vtid=13 vpid=11 procname="app"
6 cpu=0 work:out queue=3 | vtid=13 vpid=11 procname="app"
6.1 cpu=0 lttng_ust_statedump:bin_info baddr=60 memsz=10 path="/a/app" is_pic=0 | vtid=12 vpid=11 procname="app"
6.2 cpu=0 lttng_ust_statedump:end n=1 | vtid=12 vpid=11 procname="app"
6.3 cpu=0 lttng_ust_lib:unload baddr=180 | vtid=12 vpid=11 procname="app"
7 cpu=0 lttng_ust_cyg_profile:func_entry addr=200 call_site=1 | vtid=14 vpid=11 procname="app"
10 cpu=0 work:in job="b" queue=4 | vtid=12 vpid=11 procname="tool"
`)
	const half = 9
	h := newHost(t, d)
	for _, s := range steps[:half] {
		h.take(t, s)
	}
	checkpoint, err := h.Writer.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	state := h.model.AppendState(nil)
	goesOn := func(state []byte) error {
		w, err := history.Resume(h.file.Clone(), checkpoint)
		if err != nil {
			t.Fatal(err)
		}
		m := declared.New(w, d, true)
		if err := m.Restore(bytes.NewReader(state)); err != nil {
			return err
		}
		for _, s := range steps[half:] {
			handle := func() error { return m.Handle(s.Event) }
			if s.Event == nil {
				handle = func() error { return m.Lost(s.Begin, s.End) }
			}
			if handle() != nil {
				return nil // the writer's, of times that go back
			}
		}
		m.Advance(end)
		return nil
	}
	kerneltest.Damage(t, state, goesOn)
}
