package graph

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
)

// processor is the processor time of the process so far, in ns.
func processor(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

// memory is a field of /proc/self/status, in bytes.
func memory(b *testing.B, field string) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			fmt.Sscanf(rest, "%d kB", &kib)
			return kib << 10
		}
	}
	return 0
}

// A million operations on random pairs, spanning tree and reference together, by processor
// time, growing tables and collecting garbage included; beside it the recomputation
// from scratch, at ten moments of the same run. Memory is what the run added, its peak.
func BenchmarkRandomPairs(b *testing.B) {
	for _, hosts := range []int{10_000, 20_000, 40_000, 60_000} {
		b.Run(fmt.Sprintf("%dk", hosts/1000), func(b *testing.B) {
			const operations = 1_000_000
			edges := pairs(hosts, operations)
			before := memory(b, "VmRSS")
			var took, again int64
			var changes, references int
			for b.Loop() {
				changes, references = 0, 0
				var f Forest
				begin := processor(b)
				f.Grow(hosts)
				for _, e := range edges {
					c := improve(&f, e)
					if c.Edges {
						changes++
					}
					if c.Reference {
						references++
					}
				}
				took += processor(b) - begin
			}
			peak := memory(b, "VmHWM") - before
			for i := 1; i <= 10; i++ {
				sorted := byWeight(edges[:len(edges)*i/10])
				begin := processor(b)
				scratch(hosts, sorted)
				again += processor(b) - begin
			}
			each := float64(took) / float64(b.N) / operations
			b.ReportMetric(each, "ns/operation")
			b.ReportMetric(float64(again)/10/1e6, "ms/scratch")
			b.ReportMetric(float64(again)/10/each, "times")
			b.ReportMetric(float64(changes), "changes")
			b.ReportMetric(float64(references), "references")
			b.ReportMetric(float64(peak)/1e6, "MB")
		})
	}
}

// The links of the forest get worse and better again, one after the other.
func BenchmarkWorsening(b *testing.B) {
	for _, hosts := range []int{20, 1000, 10_000} {
		b.Run(fmt.Sprint(hosts), func(b *testing.B) {
			var f Forest
			f.Grow(hosts)
			edges := pairs(hosts, 50*hosts)
			for _, e := range edges {
				improve(&f, e)
			}
			tree, _ := scratch(hosts, byWeight(edges))
			for i := 0; b.Loop(); i++ {
				e := tree[i/2%len(tree)]
				if i%2 == 0 {
					e.Weight = 1 << 41
				}
				f.Set(e)
			}
		})
	}
}
