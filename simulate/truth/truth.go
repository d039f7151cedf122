// Package truth writes and reads what really happened in a simulated cluster:
// the clocks, every message, every loss. docs/format/truth.md describes the files.
package truth

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"synchroscope/simulate/clock"
)

// A Truth is what truth.json says, but for the messages.
type Truth struct {
	Scenario     string
	Seed         uint64
	End          int64 // true ns; it begins at 0
	Hosts        []Host
	Network      Network
	MessageCount int64
	listed       []listed // nil if there is none
}

// A Host is a machine.
type Host struct {
	Name    string     `json:"name"`
	CPUs    int        `json:"cpus"`
	Clock   clock.Spec `json:"clock"`
	Boots   []Boot     `json:"boots"`
	Samples []Sample   `json:"samples"` // only as it is read; a Writer takes them of the clock
	Traces  []Trace    `json:"traces"`
}

// A Boot is a time in which the machine was up.
type Boot struct {
	Begin  int64   `json:"begin"`
	End    *int64  `json:"end"` // nil for the last
	Origin Integer `json:"origin"`
}

// A Trace is a directory.
type Trace struct {
	Path    string `json:"path"` // below that of the cluster, with slashes
	Boot    int    `json:"boot"` // index in Boots
	Begin   int64  `json:"begin"`
	End     int64  `json:"end"`
	Events  int64  `json:"events"`                  // that it has
	Lost    int64  `json:"lost_events"`             // that its packets say were discarded
	Untold  int64  `json:"untold_events,omitempty"` // that were discarded, and no packet that there is says so
	Packets int64  `json:"packets"`
	// Packets that were lost, and the events in them, which nobody can know from the trace.
	LostPackets int64 `json:"lost_packets"`
	Missing     int64 `json:"missing_events"`
	// Packets that it says were sent and received, but for those over the loopback device.
	Sent     int64 `json:"recorded_sent"`
	Received int64 `json:"recorded_received"`
	Cut      bool  `json:"cut"` // it ends in mid-packet
}

// Network is what became of packets on links.
type Network struct {
	Carried    int64 `json:"carried"` // counted on each link
	Lost       int64 `json:"lost"`
	Dropped    int64 `json:"dropped"`
	Unroutable int64 `json:"unroutable"`
	Duplicated int64 `json:"duplicated"`
}

// Counts are those of a host, or of all.
type Counts struct {
	Events int64 `json:"events"`
	Lost   int64 `json:"lost_events"`
	// Packets that the traces say were sent and received.
	Sent     int64 `json:"recorded_sent"`
	Received int64 `json:"recorded_received"`
}

// Counts adds up the traces of a host.
func (h *Host) Counts() (c Counts) {
	for _, t := range h.Traces {
		c.Events += t.Events
		c.Lost += t.Lost
		c.Sent += t.Sent
		c.Received += t.Received
	}
	return c
}

// Counts adds up all hosts.
func (t *Truth) Counts() (c Counts) {
	for i := range t.Hosts {
		h := t.Hosts[i].Counts()
		c.Events += h.Events
		c.Lost += h.Lost
		c.Sent += h.Sent
		c.Received += h.Received
	}
	return c
}

// An Integer is a string in JSON.
type Integer int64

// MarshalJSON is the number in quotes.
func (i Integer) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatInt(int64(i), 10)), nil
}

// UnmarshalJSON takes nothing but that.
func (i *Integer) UnmarshalJSON(b []byte) error {
	if len(b) < 3 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("%.40s is no integer in quotes", b)
	}
	v, err := strconv.ParseInt(string(b[1:len(b)-1]), 10, 64)
	*i = Integer(v)
	return err
}

// A Sample is what a clock showed.
type Sample struct {
	True, Local int64
	Down        bool // the machine was; Local means nothing
}

func (s Sample) append(b []byte) []byte {
	b = append(strconv.AppendInt(append(b, '['), s.True, 10), ',')
	if s.Down {
		return append(b, "null]"...)
	}
	return append(strconv.AppendInt(append(b, '"'), s.Local, 10), '"', ']')
}

// UnmarshalJSON reads [TRUE, "LOCAL"] or [TRUE, null].
func (s *Sample) UnmarshalJSON(b []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(b, &pair); err != nil || len(pair) != 2 {
		return fmt.Errorf("%.60s is no sample", b)
	}
	if err := json.Unmarshal(pair[0], &s.True); err != nil {
		return err
	}
	if s.Down = bytes.Equal(pair[1], []byte("null")); s.Down {
		return nil
	}
	return json.Unmarshal(pair[1], (*Integer)(&s.Local))
}

// document is truth.json as it is read.
type document struct {
	Scenario string            `json:"scenario"`
	Seed     string            `json:"seed"`
	Begin    Integer           `json:"begin"`
	End      Integer           `json:"end"`
	Epoch    Integer           `json:"epoch"`
	Hosts    []Host            `json:"hosts"`
	Events   int64             `json:"events"`
	Lost     int64             `json:"lost_events"`
	Sent     int64             `json:"recorded_sent"`
	Received int64             `json:"recorded_received"`
	ByHost   map[string]Counts `json:"by_host"`
	Network  Network           `json:"network"`
	File     string            `json:"messages_file"`
	Count    int64             `json:"message_count"`
	Messages []listed          `json:"messages"`
}

// Read reads truth.json in a directory. It takes nothing that a Writer would not have
// written.
func Read(dir string) (*Truth, error) {
	path := filepath.Join(dir, File)
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var d document
	in := json.NewDecoder(file)
	in.DisallowUnknownFields()
	if err := in.Decode(&d); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, fmt.Errorf("%s goes on behind its end", path)
	}
	t, err := d.check()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func (d *document) check() (*Truth, error) {
	seed, err := strconv.ParseUint(d.Seed, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the seed %q is no number", d.Seed)
	}
	t := &Truth{Scenario: d.Scenario, Seed: seed, End: int64(d.End), Hosts: d.Hosts, Network: d.Network, MessageCount: d.Count, listed: d.Messages}
	switch {
	case d.Begin != 0 || d.End <= 0 || d.Epoch != clock.Epoch:
		return nil, errors.New("it does not begin at 0, does not end after that, or has another epoch")
	case d.File != Messages:
		return nil, fmt.Errorf("the messages are in %q; they are always in %s", d.File, Messages)
	case (Counts{d.Events, d.Lost, d.Sent, d.Received}) != t.Counts():
		return nil, errors.New("the events, the lost events or the packets of the traces do not add up")
	case int64(len(d.Messages)) != d.Count && (d.Messages != nil || d.Count <= maxListed):
		return nil, fmt.Errorf("%d messages are listed, message_count says %d", len(d.Messages), d.Count)
	case len(d.ByHost) != len(d.Hosts):
		return nil, errors.New("by_host has not just the hosts")
	}
	for i := range t.Hosts {
		h := &t.Hosts[i]
		if c, ok := d.ByHost[h.Name]; !ok || c != h.Counts() {
			return nil, fmt.Errorf("by_host is not what the traces of %q add up to", h.Name)
		}
		if err := h.check(t.End); err != nil {
			return nil, fmt.Errorf("host %q: %w", h.Name, err)
		}
	}
	return t, nil
}

func (h *Host) check(end int64) error {
	if err := h.Clock.Check(); err != nil {
		return err
	}
	for _, tr := range h.Traces {
		if tr.Boot < 0 || tr.Boot >= len(h.Boots) || tr.Begin < 0 || tr.End < tr.Begin || tr.End > end {
			return fmt.Errorf("the trace %q is of no boot, or of no time", tr.Path)
		}
		if !filepath.IsLocal(filepath.FromSlash(tr.Path)) {
			return fmt.Errorf("the trace %q is not in the directory", tr.Path)
		}
	}
	last := int64(-1)
	for _, s := range h.Samples {
		if s.True <= last {
			return fmt.Errorf("the sample at %d comes after that at %d", s.True, last)
		}
		last = s.True
	}
	if last != end {
		return fmt.Errorf("the last sample is at %d, the end at %d", last, end)
	}
	return nil
}
