package ingest

import (
	"errors"
	"fmt"

	"synchroscope/catalog"
	"synchroscope/trace"
	"synchroscope/trace/archive"
)

// # Archives that are damaged
//
// One archive that is cut off, damaged or none does not take the others of its set with it. What is sound of it
// (package archive) is imported as if it were all, and what is wrong with it is an anomaly of the set. The import fails where
// no trace can be read of anything, with what is wrong with the first of the archives. What has to do with where and when an
// archive is extracted, as a limit for all of them, fails the import as ever: another one may have more
// of it. A full disk only halts it (halt.go). Nothing of this is stored before the hosts are: after a crash the archives are extracted anew, which comes to the same.
//
// A set takes no archive once its import has begun, so the way to have all of it is another set, of what is here and the whole archive (given.go).

// Kinds of anomalies of archives.
const (
	damagedArchive    = "damaged-archive"    // a part of it is imported
	unreadableArchive = "unreadable-archive" // nothing is
	noTrace           = "no-trace"           // there is nothing in it to import
)

// ofArchive tells whether anomalies of a kind are of archives.
func ofArchive(kind string) bool {
	return kind == damagedArchive || kind == unreadableArchive || kind == noTrace
}

// LeavesOut tells whether something that was given to the set is not in it: an archive, a part of one, a trace, what a host recorded behind where it failed.
func (o Oddity) LeavesOut() bool {
	return ofArchive(o.Kind) || o.Kind == unreadableTrace || o.Kind == hostFailed
}

// hostFailed is the kind of anomaly of a host that could not be read to its end.
const hostFailed = "host-failed"

// A damage is what is wrong with an archive.
type damage struct {
	err    error
	offset int64 // byte of the archive, 0 for none
	kept   bool  // what is sound of it is extracted
	alone  bool  // nothing is wrong with it, but it is taken by itself only
}

// damageOf is what an extraction that ended with err tells of the archive. False is for what is not the archive's fault.
func damageOf(err error) (damage, bool) {
	var a *archive.Error
	if errors.As(err, &a) && a.Own {
		return damage{err: err, offset: a.Offset, kept: a.Kept > 0}, true
	}
	var p *panicked
	return damage{err: err}, errors.As(err, &p)
}

// A panicked decoder cannot read an archive, whatever is wrong with which of them.
type panicked struct {
	file string
	with any
}

func (p *panicked) Error() string {
	return fmt.Sprintf("%s: the program failed on this archive: %v", p.file, p.with)
}

// damaged remembers what is wrong with an archive of the import under way.
func (s *Set) damaged(f catalog.File, d damage) {
	s.log.Warn("an archive is damaged", "file", f.Name, "error", d.err)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.damages == nil {
		s.damages = make(map[int]damage)
	}
	s.damages[f.Index] = d
}

// damageTo returns that.
func (s *Set) damageTo(f catalog.File) (damage, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, ok := s.damages[f.Index]
	return d, ok
}

// anomaly tells of the damage to a file of the set.
func (s *Set) anomaly(f catalog.File, d damage) HostAnomaly {
	kind, comes := unreadableArchive, "nothing of it is imported"
	if d.kept {
		kind, comes = damagedArchive, "what is whole of it is imported, and the rest is missing"
	}
	remedy := "when it is repaired, add it to this set by this name"
	if d.alone {
		remedy = "upload it by itself"
	}
	message := fmt.Sprintf("%s; %s: %s", s.relative(d.err.Error()), comes, remedy)
	return HostAnomaly{Anomaly: trace.Anomaly{Kind: kind, Stream: f.Name, Offset: d.offset, Message: message, Count: 1}}
}

// Incomplete says in short of which archives something is missing in a set.
type Incomplete struct {
	Count    int                 `json:"count"`
	Archives []IncompleteArchive `json:"archives"` // mostDamaged of them
}

// An IncompleteArchive is one of which something is missing.
type IncompleteArchive struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // as that of its anomaly in the report
	Offset int64  `json:"offset"` // byte of the archive, 0 for none
}

// incomplete tells of the archives among anomalies; nil where there are none.
func incomplete(list []HostAnomaly) *Incomplete {
	var out Incomplete
	for _, a := range list {
		if !ofArchive(a.Kind) {
			continue
		}
		if out.Count++; len(out.Archives) < mostDamaged {
			out.Archives = append(out.Archives, IncompleteArchive{a.Stream, a.Kind, a.Offset})
		}
	}
	if out.Count == 0 {
		return nil
	}
	return &out
}

// mostDamaged sentences on archives are in the status of a set.
const mostDamaged = 3

// damagedArchives are sentences on the archives of which something is missing, or in which nothing is.
func damagedArchives(list []HostAnomaly) (sentences []string) {
	more := 0
	for _, a := range list {
		switch {
		case !ofArchive(a.Kind):
		case len(sentences) < mostDamaged:
			sentences = append(sentences, Sentence(a.Message))
		default:
			more++
		}
	}
	switch {
	case more == 1:
		sentences = append(sentences, "1 archive more cannot be read, or not all of it: the import report has it.")
	case more > 1:
		sentences = append(sentences, fmt.Sprintf("%d archives more cannot be read, or not all of them: the import report has them.", more))
	}
	return sentences
}
