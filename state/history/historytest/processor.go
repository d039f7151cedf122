package historytest

import (
	"syscall"
	"time"
)

// ProcessorTime is what the process has used so far. Figures are made of it,
// because a shared machine gives a process less than all of a core.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
