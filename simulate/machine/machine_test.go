package machine_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestPingPong(t *testing.T) {
	c := build(t, setup{hosts: 2, cpus: 2, seed: 1, link: gigabit})
	answers := 0
	pingPong(c, 100, 64, &answers)
	events := c.run(t, 1_000_000_000)
	if answers != 100 {
		t.Errorf("%d answers", answers)
	}
	t.Log(events, "events", c.machines[0].Stats(), c.machines[0].Transport(), len(c.told))
	out := babeltrace(t, c.dir, events)
	if f := os.Getenv("LOOK"); f != "" {
		os.WriteFile(f, []byte(out), 0o644)
	}
}

// babeltrace holds traces against babeltrace2: it reads so many events and says nothing.
func babeltrace(t *testing.T, dir string, n int64) string {
	t.Helper()
	tool, err := exec.LookPath("babeltrace2")
	if err != nil {
		t.Log("babeltrace2 is not installed")
		return ""
	}
	var errs strings.Builder
	cmd := exec.Command(tool, dir)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if got := strings.Count(string(out), "\n"); err != nil || errs.Len() > 0 || int64(got) != n {
		t.Errorf("babeltrace2: %v, %d events for %d: %s", err, got, n, errs.String())
	}
	return string(out)
}
