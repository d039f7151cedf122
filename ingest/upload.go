package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
)

const (
	maxFiles    = 1000
	maxFileName = 200      // bytes
	syncEvery   = 64 << 20 // bytes of an upload that a crash may cost
	keepEvery   = time.Second
	reserve     = 256 << 20 // bytes of the disk that uploads and archives leave free
)

// fileName is the last element of a name that a browser gave, if it can be that of a file.
func fileName(name string) (string, error) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	bad := func(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) }
	if len(name) > maxFileName {
		return "", faultf(Invalid, "the name of an archive has at most %d bytes: %q has %d", maxFileName, shorten(name), len(name))
	}
	if name == "" || name == "." || name == ".." || strings.ContainsFunc(name, bad) {
		return "", faultf(Invalid, "%q cannot be the name of an archive", shorten(name))
	}
	return name, nil
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

// Upload appends a piece of an archive at offset; total is -1 where unknown. It returns
// the bytes of the file held now, also with an error: what arrived before it is kept. An offset
// other than what is held is a Conflict.
func (s *Set) Upload(ctx context.Context, filename string, offset, total int64, r io.Reader) (int64, error) {
	name, err := fileName(filename)
	if err != nil {
		return 0, err
	}
	file, err := s.claim(name, offset, total)
	if err != nil {
		return file.Received, err
	}
	defer s.endUpload(name)
	held, err := s.receive(ctx, file, r)
	if errors.Is(err, errDeleted) {
		return held, faultf(NotFound, "the set is deleted")
	}
	return held, err
}

// claim is beginUpload where all uploads together leave room for it. Of several at once each counts those before it.
func (s *Set) claim(name string, offset, total int64) (catalog.File, error) {
	s.e.claiming.Lock()
	defer s.e.claiming.Unlock()
	if _, others := s.e.unfinished(s, name); others+max(total, offset) > s.e.o.UnfinishedBytes {
		return catalog.File{}, crowded(name, others)
	}
	return s.beginUpload(name, offset, total)
}

func crowded(name string, others int64) error {
	return faultf(TooLarge, "%s: this server holds %d bytes of uploads that were not finished and takes no more; finish some of them, or delete them for good, first", name, others)
}

// beginUpload finds the row of a file, or makes it, and claims it for this piece.
func (s *Set) beginUpload(name string, offset, total int64) (catalog.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unshown {
		return catalog.File{}, faultf(Conflict, "%s: the set takes no archive, for it cannot be shown", name)
	}
	if s.row.State == catalog.Failed {
		row, err := s.e.catalog.Move(s.id, catalog.Uploading, func(row *catalog.Set) { row.Error, row.Again = "", false })
		if err != nil {
			return catalog.File{}, err
		}
		s.row, s.run = row, nil
		if err := s.forgetTraces(); err != nil {
			return catalog.File{}, err
		}
		if !s.row.Spared {
			if err := os.RemoveAll(s.path("files")); err != nil {
				return catalog.File{}, err
			}
		}
	}
	file := catalog.File{Name: name, Size: total, Index: s.row.Next}
	at := s.file(name)
	var old []catalog.File // one, or none
	if at >= 0 && s.row.State == catalog.Uploading && s.givesWay(s.row.Files[at]) {
		at, old = -1, []catalog.File{s.row.Files[at]}
	}
	if at >= 0 {
		file = s.row.Files[at]
	}
	var others int64
	for _, f := range s.row.Files {
		if f.Name != name && f.Path == "" {
			others += f.Received
		}
	}
	size := max(total, file.Received)
	switch {
	case s.row.State != catalog.Uploading:
		return file, faultf(Conflict, "the set takes no archive any more: its import has begun")
	case at >= 0 && file.Path != "":
		return file, faultf(Conflict, "the set has %s already", name)
	case s.uploading[name]:
		return file, faultf(Conflict, "%s is being uploaded already", name)
	case offset != file.Received:
		return file, faultf(Conflict, "%s: a piece at byte %d does not follow the %d bytes that are held", name, offset, file.Received)
	case total >= 0 && file.Size >= 0 && total != file.Size:
		return file, faultf(Conflict, "%s: a total of %d bytes was announced, now it is %d", name, file.Size, total)
	case at < 0 && len(s.row.Files)-len(old) >= maxFiles:
		return file, faultf(TooLarge, "a set takes at most %d archives", maxFiles)
	case others+size > s.e.o.UploadBytes:
		return file, faultf(TooLarge, "%s: the archives of a set are at most %d bytes together", name, s.e.o.UploadBytes)
	}
	if free, ok := freeBytes(s.e.dir); ok && size-file.Received+reserve > free {
		return file, faultf(NoRoom, "%s: the disk of the server has no room for its %d bytes", name, size)
	}
	row, err := s.e.catalog.Update(s.id, func(row *catalog.Set) {
		row.Files = slices.DeleteFunc(row.Files, func(f catalog.File) bool { return slices.Contains(old, f) })
		if at < 0 {
			row.Files = append(row.Files, file)
			row.Next++
		} else if total >= 0 {
			row.Files[at].Size = total
			file.Size = total
		}
	})
	if err != nil {
		return file, err
	}
	if !s.enter() {
		return file, faultf(NotFound, "the set is gone")
	}
	for _, f := range old {
		if filepath.IsAbs(f.Path) {
			continue // it is somebody else's
		}
		if err := os.RemoveAll(s.source(f)); err != nil {
			s.log.Warn("what gave way to an upload is not removed", "file", name, "error", err)
		}
	}
	if len(old) > 0 {
		s.anomalies = s.givenDamages(row.Files)
	}
	s.row = row
	s.uploading[name] = true
	s.touched = time.Now()
	s.mark()
	return file, nil
}

func (s *Set) endUpload(name string) {
	s.mu.Lock()
	delete(s.uploading, name)
	s.touched = time.Now()
	s.mu.Unlock()
	s.busy.Done()
	s.mark()
}

// receive copies a piece to the end of the file and tells the catalogue what is durable.
func (s *Set) receive(ctx context.Context, file catalog.File, r io.Reader) (held int64, err error) {
	held = file.Received
	if err := os.MkdirAll(s.path("files"), 0o700); err != nil {
		return held, err
	}
	f, err := os.OpenFile(s.uploaded(file.Name), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return held, err
	}
	defer f.Close()
	if err := f.Truncate(held); err != nil {
		return held, err
	}
	if held == 0 {
		// The file must be found after a crash, not only its bytes be there.
		for _, dir := range []string{s.path("files"), s.dir, filepath.Dir(s.dir)} {
			if err := durable.SyncFolder(dir); err != nil {
				return held, err
			}
		}
	}
	u := s.ahead(file)
	most, beyond := s.most(file, held)
	durable, kept := held, time.Now()
	keep := func() error {
		kept = time.Now()
		if held != durable {
			if err := f.Sync(); err != nil {
				return err
			}
			if err := s.received(file.Name, held); err != nil {
				return err
			}
			durable = held
		}
		u.tell(held, held == file.Size)
		return nil
	}
	buf := make([]byte, 256<<10)
	for {
		if ctx.Err() != nil || s.ctx.Err() != nil {
			return held, errors.Join(firstCause(ctx, s.ctx), keep())
		}
		n, rerr := r.Read(buf)
		switch {
		case file.Size >= 0 && held+int64(n) > file.Size:
			return held, errors.Join(faultf(Invalid, "%s: more than the %d bytes that were announced", file.Name, file.Size), keep())
		case held+int64(n) > most:
			return held, errors.Join(beyond, keep())
		}
		if _, err := f.WriteAt(buf[:n], held); err != nil {
			return held, errors.Join(err, keep())
		}
		held += int64(n)
		u.tell(held, false)
		if rerr == io.EOF {
			return held, keep()
		}
		if rerr != nil {
			if cause := firstCause(s.ctx, ctx); cause != nil { // which is why it broke off; a deadline that passes ends the request too
				return held, errors.Join(cause, keep())
			}
			return held, errors.Join(fmt.Errorf("%s: the upload broke off: %w", file.Name, rerr), keep())
		}
		if held-durable >= syncEvery || time.Since(kept) >= keepEvery {
			if err := keep(); err != nil {
				return held, err
			}
			most, beyond = s.most(file, held)
		}
	}
}

// most is how many bytes a file may come to have, of which so many are durable, and what is wrong with more. Other
// uploads take of the same room, so it is asked for again and again.
func (s *Set) most(file catalog.File, held int64) (most int64, beyond error) {
	most = held + s.e.o.UploadBytes - s.receivedBytes()
	beyond = faultf(TooLarge, "%s: the archives of a set are at most %d bytes together", file.Name, s.e.o.UploadBytes)
	if file.Size < 0 { // what was announced was counted when it was
		if _, others := s.e.unfinished(s, file.Name); s.e.o.UnfinishedBytes-others < most {
			most, beyond = s.e.o.UnfinishedBytes-others, crowded(file.Name, others)
		}
	}
	if free, ok := freeBytes(s.e.dir); ok && held+free-reserve < most {
		most, beyond = held+free-reserve, faultf(NoRoom, "%s: the disk of the server has no room for more of it", file.Name)
	}
	return most, beyond
}

// received makes it known that so much of a file is durable.
func (s *Set) received(name string, held int64) error {
	return s.update(func(row *catalog.Set) {
		for i := range row.Files {
			if row.Files[i].Name == name {
				row.Files[i].Received = held
			}
		}
	})
}

// firstCause is why the first context that ended did.
func firstCause(contexts ...context.Context) error {
	for _, ctx := range contexts {
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (s *Set) receivedBytes() (sum int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.row.Files {
		if f.Path == "" {
			sum += f.Received
		}
	}
	return sum
}

// file is the position of a name in the row, or -1. s.mu is held.
func (s *Set) file(name string) int {
	return slices.IndexFunc(s.row.Files, func(f catalog.File) bool { return f.Name == name })
}

// restoreUploads cuts every file to what the catalogue knows to be durable, and goes on from where a file ends that has less. What was unpacked of
// them was not synced, and is removed.
func (s *Set) restoreUploads() error {
	if err := s.forgetTraces(); err != nil {
		return err
	}
	less := map[string]int64{}
	for _, f := range s.row.Files {
		if f.Path != "" {
			continue
		}
		info, err := os.Stat(s.uploaded(f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist) && f.Received == 0:
			err = nil
		case errors.Is(err, fs.ErrNotExist):
			err = s.missing(f)
		case err == nil && info.Size() < f.Received:
			less[f.Name] = info.Size()
		case err == nil:
			err = os.Truncate(s.uploaded(f.Name), f.Received)
		}
		if err != nil {
			return err
		}
	}
	if len(less) == 0 {
		return nil
	}
	row, err := s.e.catalog.Update(s.id, func(row *catalog.Set) {
		for i, f := range row.Files {
			if size, ok := less[f.Name]; ok {
				row.Files[i].Received = size
			}
		}
	})
	if err != nil {
		return err
	}
	s.row = row
	s.e.notice("The set %s: of %s less is there than had arrived. The rest can be uploaded again.", named(row), count(len(less), "archive"))
	return nil
}

// missing says what to do about an archive that is not where it was.
func (s *Set) missing(f catalog.File) error {
	at, err := filepath.Rel(s.e.dir, s.uploaded(f.Name))
	if err != nil {
		return err
	}
	return faultf(Conflict, "the archive %s, %s of which had arrived, is missing; once it is in the data directory again, as %s, the next start of the server shows the set, otherwise its archives can be uploaded anew as another set, and this one deleted", f.Name, count(int(f.Received), "byte"), at)
}

// placed is what is at a path of this machine, as a file of a set without a number.
func placed(path string) (f catalog.File, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return f, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return f, faultf(Invalid, "%s cannot be read: %v", path, errors.Unwrap(err))
	}
	if !info.IsDir() && !info.Mode().IsRegular() {
		return f, faultf(Invalid, "%s is neither a folder nor a file", path)
	}
	size := info.Size()
	if info.IsDir() {
		size = 0
	}
	return catalog.File{Name: filepath.Base(path), Path: path, Size: size, Received: size}, nil
}

// addPlaced adds such a file to a set, under a name that it has no other by.
func addPlaced(row *catalog.Set, f catalog.File) {
	base := f.Name
	for n := 2; slices.ContainsFunc(row.Files, func(other catalog.File) bool { return other.Name == f.Name }); n++ {
		f.Name = fmt.Sprintf("%s (%d)", base, n)
	}
	f.Index = row.Next
	row.Files = append(row.Files, f)
	row.Next++
}

// Unbegun tells whether nothing was uploaded to the set, and its import has not begun: it is empty, or an earlier version of the program was killed when it had named
// what is read in place.
func (s *Set) Unbegun() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row.State == catalog.Uploading && len(s.uploading) == 0 && !s.row.Spared && !s.row.Again && !isFolder(s.path(givenFolder)) &&
		!slices.ContainsFunc(s.row.Files, func(f catalog.File) bool { return f.Path == "" })
}
