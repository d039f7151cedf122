package handlers

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"synchroscope/ingest"
	"synchroscope/simulate/simulatetest"
	"synchroscope/sync/network"
)

// A bookmark stays with what it was set on: its local time is the same under any clocks, its reference time is by the newest.
func TestBookmarks(t *testing.T) {
	s := newSite(t, Options{})
	id := s.create("shop")
	path := "/api/sets/" + id + "/bookmarks"
	if got := s.get(path).body; got != "{\"bookmarks\":[]}\n" {
		t.Errorf("a new set has %s", got)
	}
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(simulatetest.Shop(t, 1).Archive))
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ := s.engine.Set(id)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}

	var begin int64
	for _, h := range set.Status().Hosts {
		if h.Name == "db" {
			begin, _ = strconv.ParseInt(h.LocalBegin, 10, 64)
		}
	}
	at := begin + 4e8
	lock := decode[bookmark](t, s.want(201, "POST", path, fmt.Sprintf(`{"host": "db", "tid": 205, "local_time": "%d", "text": " holds <b>the lock\u0007\r\n\u202eand more "}`, at)))
	if lock.ID != 1 || lock.Host != "db" || lock.TID != 205 || int64(lock.LocalTime) != at || lock.Text != "holds <b>the lock\nand more" {
		t.Errorf("the new one is %+v", lock)
	}
	// By reference time it is the same local one, to the ns that a map there and back may cost.
	same := decode[bookmark](t, s.want(201, "POST", path, fmt.Sprintf(`{"host": "db", "time": "%d", "text": "same"}`, *lock.Time)))
	if d := same.LocalTime - lock.LocalTime; d < -1 || d > 1 || same.TID != -1 || same.ID != 2 {
		t.Errorf("by reference time it is %+v, not %+v", same, lock)
	}

	// The window that one was set in is kept, by the host's own clock.
	seen := decode[bookmark](t, s.want(201, "POST", path, fmt.Sprintf(`{"host": "db", "local_time": "%d", "text": "seen", "local_window": ["%d", "%d"]}`, at, at-5, at+7)))
	if w := seen.LocalWindow; w == nil || int64(w[0]) != at-5 || int64(w[1]) != at+7 || lock.LocalWindow != nil {
		t.Errorf("in a window: %+v", seen)
	}
	if list := decode[struct{ Bookmarks []bookmark }](t, s.get(path)).Bookmarks; len(list) != 3 || list[2].LocalWindow == nil || *list[2].LocalWindow != *seen.LocalWindow {
		t.Errorf("with a window they are %+v", list)
	}
	for _, window := range []string{`["5", "5"]`, `["5"]`, `["x", "7"]`} {
		s.want(400, "POST", path, fmt.Sprintf(`{"host": "db", "local_time": "%d", "text": "seen", "local_window": %s}`, at, window))
	}
	s.want(204, "DELETE", path+"/3", "")

	// Who did not hear an answer asks again, with the same key, and there is one.
	var keyed [2]bookmark
	for i, text := range []string{"once", "once more"} {
		keyed[i] = decode[bookmark](t, s.want(201, "POST", path, fmt.Sprintf(`{"host": "db", "local_time": "%d", "text": %q, "key": "k.1"}`, at, text)))
		if keyed[i].ID != keyed[0].ID || keyed[i].Text != text {
			t.Errorf("with a key it is %+v", keyed[i])
		}
	}
	s.want(400, "POST", path, fmt.Sprintf(`{"host": "db", "local_time": "%d", "text": "x", "key": %q}`, at, strings.Repeat("k", ingest.MaxBookmarkKey+1)))
	if list := decode[struct{ Bookmarks []bookmark }](t, s.get(path)).Bookmarks; len(list) != 3 || list[2].Text != "once more" {
		t.Errorf("with one key for two there are %+v", list)
	}
	s.want(204, "DELETE", fmt.Sprintf("%s/%d", path, keyed[0].ID), "")

	// No number is given twice, so whoever still lists one that was deleted does not edit or delete the bookmark of another.
	another := decode[bookmark](t, s.want(201, "POST", path, fmt.Sprintf(`{"host": "db", "local_time": "%d", "text": "another"}`, at)))
	if keyed[0].ID <= seen.ID || another.ID <= keyed[0].ID {
		t.Errorf("numbers %d, deleted, then %d, deleted, then %d", seen.ID, keyed[0].ID, another.ID)
	}
	for _, gone := range []uint32{seen.ID, keyed[0].ID} {
		s.want(404, "PATCH", fmt.Sprintf("%s/%d", path, gone), `{"text": "edited by who does not know"}`)
		s.want(404, "DELETE", fmt.Sprintf("%s/%d", path, gone), "")
	}
	s.want(204, "DELETE", fmt.Sprintf("%s/%d", path, another.ID), "")

	// With the clock of db as the reference its reference time is its local one.
	report := decode[network.Report](t, s.get("/api/sets/"+id+"/sync"))
	if report.Reference == "db" {
		t.Fatal("db is the reference already")
	}
	s.want(200, "POST", "/api/sets/"+id+"/sync", `{"reference": "db"}`)
	list := decode[struct{ Bookmarks []bookmark }](t, s.get(path)).Bookmarks
	if len(list) != 2 || list[0].LocalTime != lock.LocalTime || *list[0].Time != lock.LocalTime {
		t.Errorf("by the clock of db it is %+v", list)
	}

	edited := decode[bookmark](t, s.want(200, "PATCH", path+"/1", `{"text": "let go"}`))
	if edited.Text != "let go" || edited.Created != lock.Created || edited.LocalTime != lock.LocalTime {
		t.Errorf("edited: %+v", edited)
	}
	s.want(204, "DELETE", path+"/2", "")
	s.want(404, "DELETE", path+"/2", "")
	if got := s.want(404, "PATCH", path+"/2", `{"text": "x"}`).sentence(); got != "There is no bookmark 2." {
		t.Errorf("one that is deleted: %s", got)
	}

	for body, sentence := range map[string]string{
		`{"host": "nobody", "time": "5", "text": "x"}`:                                       `The trace set has no host "nobody".`,
		`{"host": "db", "text": "x"}`:                                                        `A bookmark has either "local_time" or "time".`,
		`{"host": "db", "time": "5", "local_time": "5", "text": "x"}`:                        `A bookmark has either "local_time" or "time".`,
		`{"host": "db", "time": "later", "text": "x"}`:                                       `"time" must be a time in ns, not "later".`,
		`{"host": "db", "time": "5", "text": "  \u0000 "}`:                                   `A bookmark needs a text.`,
		`{"host": "db", "time": "5", "tid": -7, "text": "x"}`:                                `There is no thread -7.`,
		`{"host": "db", "time": "5", "text": "` + strings.Repeat("é", 2001) + `"}`:           `The text of a bookmark has at most 4000 bytes.`,
		`{"host": "db", "time": "5", "text": "x", "colour": "red"}`:                          `The body has "colour", which means nothing here; it must be ` + bookmarkLike + `.`,
		`{"host": "db", "local_time": "` + strconv.Itoa(1<<62) + `0", "tid":1, "text": "x"}`: `"local_time" must be a time in ns, not "46116860184273879040".`,
	} {
		if got := s.want(400, "POST", path, body).sentence(); got != sentence {
			t.Errorf("%.80s: %s, want %s", body, got, sentence)
		}
	}
	if !testing.Short() { // one goroutine makes a thousand commits
		for n := 1; n < ingest.MaxBookmarks; n++ {
			if _, err := set.AddBookmark(ingest.Bookmark{TID: -1, Text: "one of many"}); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.want(409, "POST", path, `{"host": "db", "time": "5", "text": "one too many"}`).sentence(); got != "The set has 1000 bookmarks, and no more are kept." {
			t.Errorf("one too many: %s", got)
		}
	}
	s.want(204, "DELETE", "/api/sets/"+id, "")
	s.want(404, "GET", path, "")
}
