package query_test

import (
	"context"
	"strconv"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
	"synchroscope/state/kernel"
	"synchroscope/state/query"
)

// Columns of decades, in which the time of six CPUs does not fit a number, show how they were used as well as others, and so does one of no width
// beside them.
func TestUseOfLongColumns(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const end = 1 << 62
	var cpus []attribute.Quark
	for i := range 6 {
		cpus = append(cpus, w.Attributes().Path("CPUs", strconv.Itoa(i)))
	}
	status := func(at int64, cpu int, s kernel.CPUStatus) {
		if err := w.Modify(at, cpus[cpu], history.Int(int64(s))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 {
		status(0, i, kernel.CPUIdle)
		status(0, 2+i, kernel.CPUUser)
		status(0, 4+i, kernel.CPUUser)
	}
	status(end/2, 4, kernel.CPUIdle)
	status(end/2, 5, kernel.CPUIdle)
	if err := w.Finish(end); err != nil {
		t.Fatal(err)
	}
	use, err := query.Use(context.Background(), w.History(), cpus, []int64{0, 0, end / 2, end/2 + 2, end})
	if err != nil {
		t.Fatal(err)
	}
	for c, user := range []uint8{170, 170, 85, 85} {
		if r := at(use, c); r.State != query.Mixed || r.Mix[kernel.CPUUser] != user || r.Mix[kernel.CPUIdle] != 255-user {
			t.Errorf("column %d: %+v, want %d parts of user space and the rest idle", c, r, user)
		}
	}
}
