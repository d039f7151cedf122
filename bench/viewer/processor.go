package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// processor is the time in ms that a process has had a processor, as Linux counts it, in ticks of
// 10 ms; 0 elsewhere.
func processor(pid int) float64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(b), ") ") // the name may hold spaces
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return 10 * (user + system)
}
