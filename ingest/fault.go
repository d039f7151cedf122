package ingest

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"synchroscope/trace/archive"
)

// A Fault is an error that is the input's, not ours. Its message is shown to the user: in a terminal as it is,
// behind the name of the program; on pages and in the API as a [Fault.Sentence].
type Fault struct {
	Kind    FaultKind
	Message string
}

type FaultKind uint8

const (
	Invalid  FaultKind = iota // 400 or, for archives and traces, 422
	NotFound                  // 404
	Conflict                  // 409
	TooLarge                  // 413
	Damage                    // 500, of files that the import made
	NoRoom                    // 507, the disk is full: what there is stays, and the same can be asked for again
)

func (f *Fault) Error() string { return f.Message }

// Sentence is the message with a capital letter and a full stop. Names of files that it begins with stay as they are.
func (f *Fault) Sentence() string { return Sentence(f.Message) }

// Sentence makes a whole sentence of a message.
func Sentence(message string) string {
	if message == "" {
		return ""
	}
	first, rest, _ := strings.Cut(message, " ")
	switch first {
	case "the", "a", "an", "no", "none", "there": // what messages begin with that do not begin with a name
		message = strings.ToUpper(first[:1]) + first[1:] + " " + rest
	}
	if strings.HasSuffix(message, ".") || strings.HasSuffix(message, "…") {
		return message
	}
	return message + "."
}

func faultf(kind FaultKind, format string, args ...any) *Fault {
	return &Fault{kind, fmt.Sprintf(format, args...)}
}

// Why work that is under way ends early.
var (
	errStopped = errors.New("the server stops")
	errDeleted = errors.New("the set is deleted")
)

// stopped tells whether err says that the work was ended, not that it failed.
func stopped(err error) bool {
	return errors.Is(err, errStopped) || errors.Is(err, errDeleted)
}

// asFault gives what ended an import the form that is shown to the user: faults of archives and
// traces as they are, without the folder of the set, which means nothing to a stranger.
func (s *Set) asFault(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	sentence := s.relative(err.Error())
	if roomless(err) {
		return faultf(NoRoom, "the disk of the server is full: %s", sentence)
	}
	var a *archive.Error
	if errors.As(err, &a) {
		return faultf(Invalid, "%s", sentence)
	}
	return faultf(Conflict, "the import failed: %s", sentence)
}

// roomless tells whether an error is that the disk is full.
func roomless(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Kind == NoRoom || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// relative takes folders of the server out of a sentence: files are called as in their archive or
// in the folder that was given.
func (s *Set) relative(sentence string) string {
	s.mu.Lock()
	files := s.row.Files
	s.mu.Unlock()
	for _, f := range files {
		sentence = strings.ReplaceAll(sentence, s.extracted(f)+"/", "")
		sentence = strings.ReplaceAll(sentence, s.extracted(f)+partial+"/", "")
		if isGiven(f) {
			sentence = strings.ReplaceAll(sentence, s.source(f)+"/", "")
		}
		if f.Path != "" {
			sentence = strings.ReplaceAll(sentence, s.source(f), f.Name)
		}
	}
	return s.withoutFolder(sentence)
}

// withoutFolder takes the set's folder, and what is around it, out of a sentence.
func (s *Set) withoutFolder(sentence string) string {
	for _, dir := range []string{s.dir, s.e.dir} {
		sentence = strings.ReplaceAll(sentence, dir+"/", "")
	}
	return sentence
}
