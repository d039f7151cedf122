package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"synchroscope/state/history"
	"synchroscope/trace"
)

// A FileError says that a file which the import made cannot be read, as is met when something is asked for that is in it.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// Kinds of anomalies of files of a host that the import made, by the file's name.
var harms = map[string]string{historyFile: "damaged-history", lossesFile: "damaged-losses", endpointsFile: "damaged-messages"}

// harmed are what cannot be read of the files, in words.
var harmed = map[string]string{historyFile: "a part of the states", lossesFile: "the file of when events were lost", endpointsFile: "the ends of messages", messageLog: "the messages"}

// harmFile is in the folder of a host of which a file was found damaged: the sentence about it, by which the next start reads the host again.
const harmFile = "damaged"

// Damaged tells of an error in answering a question about the set whether a file that the import made is to blame, and says so then in a sentence that names
// host, file, place and cause; else it is nil. Of a file of a host the report has it from then on, and the next start makes it anew if the traces are still there.
func (s *Set) Damaged(err error) *Fault {
	var told *Fault
	if errors.As(err, &told) && told.Kind == Damage {
		return told
	}
	path, cause := blamed(err)
	if path == "" {
		return nil
	}
	for _, h := range s.Hosts() {
		if f := h.damaged(err); f != nil {
			return f
		}
	}
	if path != s.path(messageLog) {
		return nil
	}
	return faultf(Damage, "%s cannot be read: %s: %s; it is made anew from the ends that the hosts noted when they are asked for next", harmed[messageLog], messageLog, s.withoutFolder(cause))
}

// damaged is [Set.Damaged] of a file of the host.
func (h *Host) damaged(err error) *Fault {
	path, cause := blamed(err)
	name := filepath.Base(path)
	if path == "" || path != h.path(name) || harms[name] == "" {
		return nil
	}
	f := faultf(Damage, "%s of %s cannot be read: hosts/%d/%s: %s; the host is read again when the program starts next, if its traces are still there",
		harmed[name], h.row.Name, h.index, name, h.set.withoutFolder(cause))
	h.harm(trace.Anomaly{Kind: harms[name], Stream: name, Message: f.Message, Count: 1})
	return f
}

// passing are errors that are of no file: who asked went away, the set or the server does, or the machine lacks something now.
var passing = []error{
	context.Canceled, context.DeadlineExceeded, errStopped, errDeleted, errDiscarded, fs.ErrClosed, fs.ErrPermission,
	syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EINTR, syscall.ENOSPC, syscall.EDQUOT,
}

// passes tells whether an error is one of these.
func passes(err error) bool {
	return slices.ContainsFunc(passing, func(p error) bool { return errors.Is(err, p) })
}

// blamed is the path of the file that an error is of, and what is wrong with it; "" where it is of none.
func blamed(err error) (path, cause string) {
	var corrupt *history.CorruptError
	var file *FileError
	var missing *fs.PathError
	if passes(err) {
		return "", ""
	}
	switch {
	case errors.As(err, &corrupt) && corrupt.File != "":
		return corrupt.File, strings.TrimPrefix(corrupt.Error(), "history: ")
	case errors.As(err, &file):
		return file.Path, file.Err.Error()
	case errors.As(err, &missing):
		return missing.Path, missing.Err.Error()
	}
	return "", ""
}

// harm notes, once for a file, that it is damaged, for the report and for the next start.
func (h *Host) harm(a trace.Anomaly) {
	if h.set.ctx.Err() != nil {
		return // its files may be on their way elsewhere
	}
	h.harmMu.Lock()
	defer h.harmMu.Unlock()
	if slices.ContainsFunc(h.harms, func(b trace.Anomaly) bool { return b.Stream == a.Stream }) {
		return
	}
	h.harms = append(h.harms, a)
	h.set.log.Error("a file of a host is damaged", "host", h.row.Name, "what", a.Message)
	if err := os.WriteFile(h.path(harmFile), []byte(a.Stream+"\n"+a.Message), 0o600); err != nil {
		h.set.log.Warn("that a host is to be read again at the next start is not noted", "host", h.row.Name, "error", err)
	}
	h.set.mark()
}

// harmsMet are the files of the host that were found damaged.
func (h *Host) harmsMet() []trace.Anomaly {
	h.harmMu.Lock()
	defer h.harmMu.Unlock()
	return slices.Clone(h.harms)
}

// harmBefore says which file of the host an earlier process found damaged, nil if none, and takes it up.
func (h *Host) harmBefore() error {
	b, err := os.ReadFile(h.path(harmFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	name, message, _ := strings.Cut(string(b), "\n")
	h.harmMu.Lock()
	defer h.harmMu.Unlock()
	if kind := harms[name]; kind != "" && len(h.harms) == 0 {
		h.harms = []trace.Anomaly{{Kind: kind, Stream: name, Message: message, Count: 1}}
	}
	return fmt.Errorf("an earlier process found it damaged: %s", message)
}

// unharmed forgets what was damaged of a host that is read from its beginning.
func (h *Host) unharmed() {
	h.harmMu.Lock()
	defer h.harmMu.Unlock()
	h.harms = nil
}
