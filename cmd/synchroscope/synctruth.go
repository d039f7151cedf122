package main

import (
	"errors"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"syscall"

	"synchroscope/simulate/truth"
	"synchroscope/sync/baseline"
	"synchroscope/sync/network"
)

// readTruth reads what really happened from the first PATH that has a truth.json; nil if none has.
func readTruth(paths []string) (*truth.Truth, error) {
	for _, path := range paths {
		t, err := truth.Read(path)
		if err == nil {
			return t, nil
		}
		// A PATH that is an archive is no directory to look in.
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return nil, err
		}
	}
	return nil, nil
}

// readings are the samples of the hosts' clocks by host number. A machine that
// was rebooted is several hosts, of which all but the first have a number behind the name.
func readings(t *truth.Truth, hosts []network.Host) [][]baseline.Reading {
	all := make([][]baseline.Reading, len(hosts))
	for i, h := range hosts {
		name, boot := h.Name, 0
		if base, number, ok := strings.Cut(strings.TrimSuffix(h.Name, ")"), " ("); ok {
			if n, err := strconv.Atoi(number); err == nil {
				name, boot = base, n-1
			}
		}
		for k := range t.Hosts {
			if t.Hosts[k].Name == name && boot < len(t.Hosts[k].Boots) {
				all[i] = readingsOf(&t.Hosts[k], boot)
			}
		}
	}
	return all
}

func readingsOf(h *truth.Host, boot int) []baseline.Reading {
	begin, end := h.Boots[boot].Begin, int64(math.MaxInt64)
	if e := h.Boots[boot].End; e != nil {
		end = *e
	}
	var r []baseline.Reading
	for _, s := range h.Samples {
		if !s.Down && s.True >= begin && s.True <= end {
			r = append(r, baseline.Reading{True: s.True, Local: s.Local})
		}
	}
	return r
}
