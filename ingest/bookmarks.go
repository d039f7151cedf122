package ingest

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"synchroscope/catalog"
)

// # Bookmarks
//
// A bookmark stands on a row at a time of the host's own clock, as everything that is stored does. Where that lies in
// reference time is asked of the newest clock map each time, so a better synchronization, or another reference host,
// moves the bookmark along with the event that it was set on; a stored reference time would stay behind.

// Limits of the bookmarks of a set.
const (
	MaxBookmarks    = 1000
	MaxBookmarkText = 4000 // bytes
	MaxBookmarkKey  = 64   // bytes
)

// A Bookmark is a note on a time and a row.
type Bookmark struct {
	ID      uint32 // of those of its set
	Host    int32  // index
	TID     int64  // of the row's thread, -1 for the host's own row
	Time    int64  // local ns of the host
	Text    string
	Created time.Time
	// Key is chosen by whoever adds it, so that adding it once more adds none; "" for no such key.
	Key string

	Window *[2]int64 // that it was set in, from a local ns of the host to another; nil for none
}

// Bookmarks returns the bookmarks of the set in the order they were made in.
func (s *Set) Bookmarks() ([]Bookmark, error) {
	rows, err := s.e.catalog.Bookmarks(s.id)
	if err != nil {
		return nil, err
	}
	list := make([]Bookmark, len(rows))
	for i, row := range rows {
		list[i] = Bookmark(row)
	}
	return list, nil
}

// AddBookmark keeps a new bookmark, and returns it with its number and the time it was made. Faults say what of it
// cannot be, or that there are too many. One that has the key of a bookmark that is kept takes its place: whoever did not hear
// that it was kept adds it again.
func (s *Set) AddBookmark(b Bookmark) (Bookmark, error) {
	text, err := bookmarkText(b.Text)
	if err != nil {
		return b, err
	}
	if b.TID < -1 {
		return b, faultf(Invalid, "there is no thread %d", b.TID)
	}
	if b.Window != nil && b.Window[0] >= b.Window[1] {
		return b, faultf(Invalid, "the window of a bookmark ends after it begins")
	}
	if b.Host < 0 || int(b.Host) >= len(s.Hosts()) {
		return b, faultf(Conflict, "the hosts of the set are not known yet")
	}
	if len(b.Key) > MaxBookmarkKey {
		return b, faultf(Invalid, "the key of a bookmark has at most %d bytes", MaxBookmarkKey)
	}
	s.marking.Lock()
	defer s.marking.Unlock()
	rows, err := s.e.catalog.Bookmarks(s.id)
	if err != nil {
		return b, err
	}
	if i := slices.IndexFunc(rows, func(row catalog.Bookmark) bool { return b.Key != "" && row.Key == b.Key }); i >= 0 {
		b.ID, b.Text, b.Created = rows[i].ID, text, rows[i].Created
		return b, s.keep(b)
	}
	if len(rows) >= MaxBookmarks {
		return b, faultf(Conflict, "the set has %d bookmarks, and no more are kept", len(rows))
	}
	set, err := s.e.catalog.Set(s.id)
	if err != nil {
		return b, err
	}
	// A number is given once: whoever has a list that is not of now would edit or delete the bookmark of another.
	last := set.Marked
	if n := len(rows); n > 0 {
		last = max(last, rows[n-1].ID)
	}
	b.ID, b.Text, b.Created = last+1, text, time.Now().UTC().Truncate(time.Second)
	return b, s.keep(b)
}

// keep stores a bookmark of a set that is not being deleted. s.marking is held.
func (s *Set) keep(b Bookmark) error {
	s.mu.Lock()
	open := s.enter()
	s.mu.Unlock()
	if !open {
		return faultf(NotFound, "the set is deleted")
	}
	defer s.busy.Done()
	return s.e.catalog.PutBookmark(s.id, catalog.Bookmark(b))
}

// EditBookmark gives a bookmark another text.
func (s *Set) EditBookmark(id uint32, text string) (Bookmark, error) {
	text, err := bookmarkText(text)
	if err != nil {
		return Bookmark{}, err
	}
	s.marking.Lock()
	defer s.marking.Unlock()
	b, err := s.bookmark(id)
	if err != nil {
		return b, err
	}
	b.Text = text
	return b, s.keep(b)
}

// DeleteBookmark removes a bookmark.
func (s *Set) DeleteBookmark(id uint32) error {
	s.marking.Lock()
	defer s.marking.Unlock()
	if _, err := s.bookmark(id); err != nil {
		return err
	}
	return s.e.catalog.DropBookmark(s.id, id)
}

func (s *Set) bookmark(id uint32) (Bookmark, error) {
	list, err := s.Bookmarks()
	if err != nil {
		return Bookmark{}, err
	}
	i := slices.IndexFunc(list, func(b Bookmark) bool { return b.ID == id })
	if i < 0 {
		return Bookmark{}, faultf(NotFound, "there is no bookmark %d", id)
	}
	return list[i], nil
}

// bookmarkText checks and cleans a text: what cannot be seen is left out of it, but for ends of lines.
func bookmarkText(text string) (string, error) {
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD")))
	switch {
	case text == "":
		return "", faultf(Invalid, "a bookmark needs a text")
	case len(text) > MaxBookmarkText:
		return "", faultf(Invalid, "the text of a bookmark has at most %d bytes", MaxBookmarkText)
	}
	return text, nil
}
