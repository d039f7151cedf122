package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// A cost is what a process took from its start to its end.
type cost struct {
	wall      time.Duration
	processor time.Duration // in the program and in the system for it
	resident  int64         // bytes, at most
}

// String is the cost of one run.
func (c cost) String() string {
	return fmt.Sprintf("%.2f s, %.2f s of processors, %d MB", c.wall.Seconds(), c.processor.Seconds(), c.resident/1e6)
}

// An outcome is what build says of the set that it made.
type outcome struct {
	Events   int64            `json:"events"`
	Messages int64            `json:"messages"`
	Hosts    []struct{}       `json:"hosts"`
	Bytes    map[string]int64 `json:"bytes"`
}

func (o *outcome) stored() (sum int64) {
	for _, n := range o.Bytes {
		sum += n
	}
	return sum
}

// build imports the traces with everything on, as users do by default, into a directory that is removed then.
func build(ctx context.Context, program, cache, dir string) (cost, *outcome, error) {
	data, err := os.MkdirTemp(cache, "data-")
	if err != nil {
		return cost{}, nil, err
	}
	defer os.RemoveAll(data)
	c, out, err := measure(ctx, program, "build", "-json", "-data", data, "-name", "bench", dir)
	if err != nil {
		return cost{}, nil, err
	}
	result := new(outcome)
	if err := json.Unmarshal(out, result); err != nil {
		return cost{}, nil, fmt.Errorf("the report of build: %w", err)
	}
	if want, err := simulated(dir); err != nil || result.Events != want {
		return cost{}, nil, fmt.Errorf("build has read %d of %d events, %v", result.Events, want, err)
	}
	return c, result, nil
}

// simulated is how many events there are in the traces, as the simulator says.
func simulated(dir string) (int64, error) {
	text, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		return 0, err
	}
	var truth struct {
		Events int64 `json:"events"`
	}
	return truth.Events, json.Unmarshal(text, &truth)
}

// decode has babeltrace2 decode and merge all events, and drop them.
func decode(ctx context.Context, decoder, dir string) (cost, error) {
	c, _, err := measure(ctx, decoder, dir, "-c", "sink.utils.dummy")
	return c, err
}

// measure runs a program to its end and returns what it took and wrote.
func measure(ctx context.Context, name string, args ...string) (cost, []byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	begin := time.Now()
	err := cmd.Run()
	wall := time.Since(begin)
	if err != nil {
		return cost{}, nil, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	c := cost{wall: wall, processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.resident = int64(usage.Maxrss) << 10 // Linux counts in KiB
	}
	return c, out.Bytes(), nil
}

// readAll reads all files of a directory and returns how many bytes they have.
func readAll(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := io.Copy(io.Discard, f)
		sum += n
		return err
	})
	return sum, err
}
