package ingest

import (
	"time"

	"synchroscope/catalog"
)

// A StageStatus is how far one part of the way from archives to histories is, in bytes of what it reads.
type StageStatus struct {
	Name  string   `json:"name"`   // upload, unpack or read
	Done  int64    `json:"done"`   // bytes
	Total int64    `json:"total"`  // bytes, -1 while unknown
	Rate  float64  `json:"rate"`   // bytes per second over the last seconds, 0 where it does not move
	Left  *float64 `json:"left_s"` // seconds at the rate of the last third of the time that this was watched; null before that can be told, and where it does not move
}

const (
	stageUpload = iota
	stageUnpack
	stageRead
)

// A rate tells what is left once it was watched for a while, and once so much was done that the slow begin of a stage, while traces are
// opened and others of its work go on, is no matter; of a long stage after some time all the same.
const (
	watchedLeast = 1500 * time.Millisecond
	watchedLong  = 15 * time.Second
	doneLeast    = 20 // one part in so many
)

// stageStatuses tells of the stages up to the one under way; none of a set that is ready or failed. s.mu is held.
func (s *Set) stageStatuses() []StageStatus {
	stages := []StageStatus{}
	var received, size int64
	archives, known := false, true
	for _, f := range s.row.Files {
		if f.Path == "" {
			received += f.Received
			size += max(f.Size, f.Received)
			known = known && f.Size >= 0
			archives = true
		}
	}
	if !known {
		size = -1
	}
	switch s.row.State {
	case catalog.Uploading:
		if archives {
			stages = append(stages, s.stageStatus(stageUpload, "upload", received, size))
		}
	case catalog.Extracting, catalog.Reading:
		if archives {
			stages = append(stages, StageStatus{Name: "upload", Done: received, Total: received})
		}
		if s.row.State == catalog.Extracting {
			var read, total int64
			for _, f := range s.row.Files {
				total += f.Received
			}
			for _, u := range s.unpackings {
				read += u.read.Load()
			}
			return append(stages, s.stageStatus(stageUnpack, "unpack", min(read, total), total))
		}
		if archives {
			stages = append(stages, StageStatus{Name: "unpack", Done: received, Total: received})
		}
		var read, total int64
		for _, h := range s.hosts {
			read += h.consumed()
			total += h.bytes()
		}
		stages = append(stages, s.stageStatus(stageRead, "read", read, total))
	}
	return stages
}

// stageStatus is a stage under way, with its rate.
func (s *Set) stageStatus(which int, name string, done, total int64) StageStatus {
	st := StageStatus{Name: name, Done: done, Total: total}
	r := &s.rates[which]
	st.Rate = r.now(done)
	if passed, moved := r.moved(done); st.Rate > 0 && total >= 0 && (passed >= watchedLong || passed >= watchedLeast && moved >= total/doneLeast) {
		if rate := r.steady(done); rate > 0 {
			left := float64(total-done) / rate
			st.Left = &left
		}
	}
	return st
}
