package ingest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A set that was deleted is nowhere, and comes back as it was: at once, and after a restart; when its time is over it is gone.
func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	s := importPath(t, e, "kept", userSpaceSet(t, true, requests))
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	id, events := s.ID(), s.Status().Events
	discard := func() {
		t.Helper()
		if err := e.Discard(id); err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Set(id); ok || len(e.Sets()) != 0 {
			t.Error("a deleted set is still shown")
		}
		if d := e.Discarded(); len(d) != 1 || d[0].ID != id || d[0].Name != "kept" {
			t.Errorf("to be had back: %v", d)
		}
	}
	recovered := func() {
		t.Helper()
		s, err := e.Recover(id)
		if err != nil {
			t.Fatal(err)
		}
		if st := s.Status(); st.State != Ready || st.Events != events || st.Name != "kept" {
			t.Errorf("it came back as %+v", st)
		}
		if threads, _ := s.Hosts()[0].Threads(0); len(threads) != 3 {
			t.Errorf("it came back with %d rows", len(threads))
		}
		if len(e.Discarded()) != 0 {
			t.Error("it can be had back twice")
		}
	}
	reopen := func() {
		t.Helper()
		if err := e.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		e = openEngine(t, dir, Options{})
	}
	discard()
	wantFault(t, "deleted twice", e.Discard(id), NotFound)
	recovered()
	discard()
	reopen()
	recovered()
	discard()
	e.sweep(time.Now().Add(9 * time.Minute))
	recovered()
	discard()
	e.sweep(time.Now().Add(11 * time.Minute))
	if _, err := e.Recover(id); err == nil {
		t.Error("a removed set came back")
	}
	if left, _ := os.ReadDir(dir + "/sets"); len(left) != 0 {
		t.Errorf("on the disk is left %v", left)
	}
	reopen()
	if len(e.Sets())+len(e.Discarded()) != 0 {
		t.Error("a removed set is there after a restart")
	}
}

// An upload that was interrupted goes on after its set was deleted and had back; one that nobody goes on with is removed.
func TestUnfinishedUploads(t *testing.T) {
	dir := t.TempDir()
	e := openEngine(t, dir, Options{UnfinishedBytes: 1000})
	s, err := e.Create("half")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "a.tar", 0, 600, bytes.NewReader(make([]byte, 200))); err != nil {
		t.Fatal(err)
	}
	if err := e.Discard(s.ID()); err != nil {
		t.Fatal(err)
	}
	other, err := e.Create("other")
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Upload(t.Context(), "b.tar", 0, 500, strings.NewReader("x"))
	wantFault(t, "more than all uploads may hold, one of them deleted lately", err, TooLarge)
	held := filepath.Join(s.path("files"), "a.tar")
	if err := os.Rename(held, held+".away"); err != nil {
		t.Fatal(err)
	}
	if s, err = e.Recover(s.ID()); err != nil {
		t.Fatal(err)
	}
	_, err = s.Upload(t.Context(), "a.tar", 200, 600, strings.NewReader("x"))
	wantFault(t, "more of a set that cannot be shown", err, Conflict)
	if err := s.Rename("half of it"); err != nil {
		t.Fatal(err)
	}
	if st := s.Status(); st.State != Failed || !st.Unshown || st.Name != "half of it" || !strings.Contains(st.Error, "a.tar, 200 bytes of which") || !strings.Contains(st.Error, "as sets/"+s.ID()+"/files/a.tar") {
		t.Errorf("without its file it is %+v", st)
	}
	// It is deleted and had back like others, also over a start, and is as it was once the file is there.
	for range 2 {
		if err := e.Discard(s.ID()); err != nil {
			t.Fatal(err)
		}
		if s, err = e.Recover(s.ID()); err != nil || !s.Status().Unshown {
			t.Fatalf("had back it is %+v, %v", s.Status(), err)
		}
		closeEngine(t, e)
		e = openEngine(t, dir, Options{UnfinishedBytes: 1000})
		s, other = byName(e, "half of it"), byName(e, "other")
	}
	if err := os.Rename(held+".away", held); err != nil {
		t.Fatal(err)
	}
	if err := e.Discard(s.ID()); err != nil {
		t.Fatal(err)
	}
	if s, err = e.Recover(s.ID()); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Upload(t.Context(), "a.tar", 200, 600, bytes.NewReader(make([]byte, 200))); n != 400 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if st := s.Status(); len(st.Stages) != 1 || st.Stages[0].Name != "upload" || st.Stages[0].Done != 400 || st.Stages[0].Total != 600 || st.Expires == "" {
		t.Errorf("the status is %+v", st)
	}
	_, err = s.Upload(t.Context(), "b.tar", 0, 500, strings.NewReader("x"))
	wantFault(t, "more than all uploads may hold, in one set", err, TooLarge)
	n, err := other.Upload(t.Context(), "b.tar", 0, -1, bytes.NewReader(make([]byte, 500)))
	wantFault(t, "more than all uploads may hold, unannounced", err, TooLarge)
	if n != 0 {
		t.Errorf("%d bytes of it are held", n)
	}

	e.sweep(time.Now().Add(23 * time.Hour))
	if len(e.Sets()) != 2 {
		t.Fatal("an upload is removed too early")
	}
	e.sweep(time.Now().Add(25 * time.Hour))
	if left, _ := os.ReadDir(dir + "/sets"); len(e.Sets()) != 0 || len(left) != 0 {
		t.Errorf("%d uploads are left, on the disk %v", len(e.Sets()), left)
	}
	for range maxUnfinished {
		if _, err := e.Create("one of many"); err != nil {
			t.Fatal(err)
		}
	}
	_, err = e.Create("one too many")
	wantFault(t, "one too many", err, Conflict)
}
