package handlers

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"synchroscope/ingest"
)

// A deleted set answers to nothing, is listed among those that can be had back, and comes back once; what is removed does not.
func TestDeletedSets(t *testing.T) {
	s := newSite(t, Options{})
	id := s.create("shop")
	s.want(200, "PUT", "/api/sets/"+id+"/files/a.tar", "abc", "Content-Range", "bytes 0-2/9")
	s.want(204, "DELETE", "/api/sets/"+id, "")
	for _, path := range []string{"", "/report", "/sync", "/sync/milestones"} {
		s.want(404, "GET", "/api/sets/"+id+path, "").checkSentence(t)
	}
	s.want(404, "PUT", "/api/sets/"+id+"/files/a.tar", "def", "Content-Range", "bytes 3-5/9").checkSentence(t)
	s.want(404, "DELETE", "/api/sets/"+id, "").checkSentence(t)
	// Its page says so, and has it back.
	page := s.want(404, "GET", "/sets/"+id, "").body
	if words := regexp.MustCompile(`(?s)The trace set “<bdi>shop</bdi>” was deleted\..*Until \d\d:\d\d UTC it can be had back as it was\..*<form method="post" action=""><button`); !words.MatchString(page) {
		t.Errorf("the page of a deleted set is %s", page)
	}
	list := decode[[]ingest.Discarded](t, s.want(200, "GET", "/api/deleted", ""))
	if len(list) != 1 || list[0].ID != id || list[0].Name != "shop" || list[0].Until <= list[0].Deleted {
		t.Errorf("to be had back: %+v", list)
	}
	back := decode[ingest.Status](t, s.want(200, "POST", "/api/deleted/"+id+"/recover", ""))
	if back.Name != "shop" || len(back.Files) != 1 || back.Files[0].Received != 3 {
		t.Errorf("it came back as %+v", back)
	}
	s.want(404, "POST", "/api/deleted/"+id+"/recover", "").checkSentence(t)
	s.want(200, "PUT", "/api/sets/"+id+"/files/a.tar", "def", "Content-Range", "bytes 3-5/9")
	s.want(204, "DELETE", "/api/sets/"+id, "")
	s.want(403, "POST", "/sets/"+id, "", "Sec-Fetch-Site", "cross-site")
	s.want(404, "GET", "/sets/"+id, "")
	for range 2 { // the second finds it there
		if page := s.want(200, "POST", "/sets/"+id, "").body; !strings.Contains(page, "<title>shop · Synchroscope</title>") {
			t.Errorf("Undo leads to %s", page)
		}
	}
	s.want(200, "GET", "/sets/"+id, "")

	s.want(404, "DELETE", "/api/deleted/"+id, "").checkSentence(t) // it is not deleted
	s.want(204, "DELETE", "/api/sets/"+id, "")
	s.want(403, "DELETE", "/api/deleted/"+id, "", "Sec-Fetch-Site", "cross-site").checkSentence(t)
	s.want(204, "DELETE", "/api/deleted/"+id, "")
	s.want(404, "POST", "/api/deleted/"+id+"/recover", "").checkSentence(t)
	s.want(404, "POST", "/sets/"+id, "")
	s.want(404, "DELETE", "/api/deleted/../x", "")
	if page := s.want(404, "GET", "/sets/"+id, "").body; !strings.Contains(page, "There is no trace set with this id.") {
		t.Errorf("the page of a set that is gone is %s", page)
	}
}

// A deletion does not wait for an upload that stands still: what had arrived is there when the set is had back.
func TestDeletedWhileAnUploadStandsStill(t *testing.T) {
	dir := t.TempDir()
	s := openSite(t, dir, Options{})
	id := s.create("shop")
	sends, body := io.Pipe()
	sent := make(chan error, 1)
	go func() {
		r, err := http.NewRequest("PUT", s.http.URL+"/api/sets/"+id+"/files/a.tar", sends)
		if err != nil {
			sent <- err
			return
		}
		r.Header.Set("Content-Range", "bytes 0-8/9")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			err = nil // the connection may be gone before it is told
		} else if response.Body.Close(); response.StatusCode != http.StatusNotFound {
			err = fmt.Errorf("the upload was told %s", response.Status)
		}
		sent <- err
	}()
	if _, err := body.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	for arrived, end := int64(0), time.Now().Add(20*time.Second); arrived < 3 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if files, _ := filepath.Glob(filepath.Join(dir, "*", id, "files", "a.tar")); len(files) == 1 {
			if info, err := os.Stat(files[0]); err == nil {
				arrived = info.Size()
			}
		}
	}
	deleted := make(chan struct{})
	go func() {
		defer close(deleted)
		s.want(204, "DELETE", "/api/sets/"+id, "")
	}()
	select {
	case <-deleted:
	case <-time.After(20 * time.Second):
		t.Error("the deletion waits for the upload")
	}
	body.Close()
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	<-deleted
	back := decode[ingest.Status](t, s.want(200, "POST", "/api/deleted/"+id+"/recover", ""))
	if len(back.Files) != 1 || back.Files[0].Received != 3 {
		t.Errorf("it came back as %+v", back)
	}
	s.want(200, "PUT", "/api/sets/"+id+"/files/a.tar", "defghi", "Content-Range", "bytes 3-8/9")
}
