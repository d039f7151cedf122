// Command history measures the state history: building, size and queries by
// number of threads, node size and fan-out; partial histories beside full ones; and
// the tree beside memory and SQLite. It writes tables and plots.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"synchroscope/state/history"
)

func main() {
	events := flag.Int("events", 2_000_000, "events of the load")
	few := flag.Int("few", 200_000, "events for SQLite")
	scale := flag.Float64("scale", 1, "GB of intervals, at 25 bytes each, that the run over sizes ends at")
	out := flag.String("out", "results", "the directory for tables and plots")
	flag.Parse()
	if err := run(*events, *few, *scale, *out); err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
}

func run(events, few int, scale float64, out string) error {
	dir, err := os.MkdirTemp("", "bench-history")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	r := &report{dir: out}
	for _, part := range []func(*report, string) error{
		func(r *report, dir string) error { return crowds(r, dir, events) },
		func(r *report, dir string) error { return sweep(r, dir, events) },
		func(r *report, dir string) error { return pages(r, dir, events) },
		func(r *report, dir string) error { return partials(r, dir, events) },
		func(r *report, dir string) error { return stores(r, dir, few) },
		func(r *report, dir string) error { return sizes(r, dir, scale) },
	} {
		if err := part(r, dir); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, "tables.md"), []byte(r.text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func crowds(r *report, dir string, events int) error {
	var results []*result
	for _, threads := range []int{200, 2000, 20000} {
		res, err := measureTree(dir, fmt.Sprintf("%d threads", threads), threads, events, history.Options{})
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	res, err := measureTree(dir, "2000 threads, compressed", 2000, events, history.Options{Compress: true})
	if err != nil {
		return err
	}
	r.table(fmt.Sprintf("Default settings, %d events", events), append(results, res))
	return nil
}

func sweep(r *report, dir string, events int) error {
	nodes := []int{16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20}
	fans := []int{10, 20, 50, 100, 200}
	var results []*result
	built := plot{name: "sweep-build", title: "Building, 2000 threads", x: "node size, KiB", y: "million intervals per second of a core"}
	asked := plot{name: "sweep-pixels", title: "50 rows in 1920 columns, 2000 threads", x: "node size, KiB", y: "ms"}
	for _, fan := range fans {
		b, a := series{name: fmt.Sprint("fan-out ", fan)}, series{name: fmt.Sprint("fan-out ", fan)}
		for _, node := range nodes {
			res, err := measureTree(dir, fmt.Sprintf("%d KiB, %d children", node>>10, fan), 2000, events, history.Options{NodeSize: node, MaxChildren: fan})
			if err != nil {
				return err
			}
			results = append(results, res)
			b.add(float64(node>>10), res.rate())
			a.add(float64(node>>10), res.pixels.Seconds()*1e3)
		}
		built.series, asked.series = append(built.series, b), append(asked.series, a)
	}
	r.table("Node size and fan-out, 2000 threads", results)
	return r.plots(&built, &asked)
}

// pages compares pages that are those of the system with such as are not: smaller
// ones share them. A block always begins and ends with a page.
func pages(r *report, dir string, events int) error {
	var results []*result
	for _, page := range []int{1024, 2048, 4096, 8192, 16384} {
		name := fmt.Sprintf("pages of %d bytes, aligned", page)
		if page < 4096 {
			name = fmt.Sprintf("pages of %d bytes, unaligned", page)
		}
		res, err := measureTree(dir, name, 2000, events, history.Options{NodeSize: 64 << 10, PageSize: page})
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	r.table("Pages, 2000 threads, nodes of 64 KiB", results)
	return nil
}

func partials(r *report, dir string, events int) error {
	var results []*result
	for _, every := range []int{0, 20_000, 50_000, 100_000} {
		res, err := measurePartial(dir, 2000, events, every)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	r.table(fmt.Sprintf("Partial histories, 2000 threads, %d events with statistics; the load itself is part of building", events), results)
	return nil
}

func stores(r *report, dir string, events int) error {
	tree, err := measureTree(dir, "tree", 2000, events, history.Options{})
	if err != nil {
		return err
	}
	memory, err := measureMemory(2000, events)
	if err != nil {
		return err
	}
	results := []*result{tree, memory}
	for _, rtree := range []bool{false, true} {
		res, err := measureTable(dir, rtree, 2000, events)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	r.table(fmt.Sprintf("The tree beside others, 2000 threads, %d events", events), results)
	return nil
}

// sizes builds ever larger trees.
func sizes(r *report, dir string, gigabytes float64) error {
	var results []*result
	shown := plot{name: "sizes", title: "All of a trace in 1920 columns of 50 rows, 2000 threads", x: "million events", y: "ms"}
	line := series{name: "pixels"}
	for events := 500_000; ; events *= 4 {
		res, err := measureTree(dir, fmt.Sprintf("%.1f M events", float64(events)/1e6), 2000, events, history.Options{})
		if err != nil {
			return err
		}
		results = append(results, res)
		line.add(float64(events)/1e6, res.pixels.Seconds()*1e3)
		if float64(res.intervals)*25 >= gigabytes*1e9 {
			break
		}
	}
	shown.series = []series{line}
	r.table("By size, 2000 threads", results)
	return r.plots(&shown)
}
