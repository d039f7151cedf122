package ingest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
)

// What goes along with the files of another set: what is said of its damaged archives, and its bookmarks.

// keep writes what goes along into a file.
func (g *giving) keep(name string, list any) error {
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return durable.WriteFile(filepath.Join(g.to, givenFolder, name), b)
}

// readGiven reads such a file, if there is one. One that is damaged costs what is in it, not the set.
func (s *Set) readGiven(name string, list any) {
	b, err := readBounded(s.path(givenFolder, name), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = json.Unmarshal(b, list)
	}
	if err != nil {
		s.log.Error("what another set gave cannot be read", "file", name, "error", err)
	}
}

// lacksAll tells whether nothing could be had of an archive of the set.
func (s *Set) lacksAll(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.anomalies, func(a HostAnomaly) bool { return a.Kind == unreadableArchive && a.Stream == name })
}

// damages keeps what is said of the archives of the other set of which something lacks.
func (g *giving) damages() error {
	g.from.mu.Lock()
	list := slices.Clone(g.from.anomalies)
	g.from.mu.Unlock()
	list = slices.DeleteFunc(list, func(a HostAnomaly) bool { return !lacking(a.Kind) })
	if len(list) == 0 {
		return nil
	}
	return g.keep(givenDamageFile, list)
}

// lacking tells whether anomalies of a kind are of archives of which something lacks.
func lacking(kind string) bool { return kind == damagedArchive || kind == unreadableArchive }

// givenDamages are those, without what was uploaded anew, or is extracted anew where it is.
func (s *Set) givenDamages(files []catalog.File) (list []HostAnomaly) {
	s.readGiven(givenDamageFile, &list)
	return slices.DeleteFunc(list, func(a HostAnomaly) bool {
		return slices.ContainsFunc(files, func(f catalog.File) bool { return f.Name == a.Stream && !isGiven(f) })
	})
}

// A givenBookmark is one of another set.
type givenBookmark struct {
	Number uint32           `json:"number"`
	On     string           `json:"on"`    // what tells its host from others
	Named  string           `json:"named"` // and what that is called, where more of its traces come to be told apart in another way
	Is     catalog.Bookmark `json:"is"`
}

// bookmarks keeps those of the other set for when the hosts are found.
func (g *giving) bookmarks() error {
	rows, err := g.from.Bookmarks()
	if err != nil || len(rows) == 0 {
		return err
	}
	list := make([]givenBookmark, len(rows))
	hosts := g.from.Hosts()
	for i, b := range rows {
		list[i] = givenBookmark{Number: b.ID, Is: catalog.Bookmark(b)}
		if int(b.Host) < len(hosts) {
			list[i].On, list[i].Named = hosts[b.Host].row.ID, hosts[b.Host].row.Name
		}
		list[i].Is.Key = "" // of a page that shows the other
	}
	return g.keep(givenMarksFile, list)
}

// placeBookmarks puts those on the hosts that were found, before anybody can set one. Of a set that is read once more it does nothing where there are any.
func (s *Set) placeBookmarks(rows []catalog.Host) error {
	var list []givenBookmark
	s.readGiven(givenMarksFile, &list)
	if s.again() {
		if have, err := s.e.catalog.Bookmarks(s.id); err != nil || len(have) > 0 {
			return err
		}
	}
	for _, b := range list {
		host := slices.IndexFunc(rows, func(h catalog.Host) bool { return h.ID == b.On })
		if host < 0 {
			host = slices.IndexFunc(rows, func(h catalog.Host) bool { return h.Name == b.Named })
		}
		if host < 0 {
			s.log.Warn("the host of a given bookmark is not found", "host", b.Named, "text", b.Is.Text)
			continue
		}
		b.Is.ID, b.Is.Host = b.Number, int32(host)
		if err := s.e.catalog.PutBookmark(s.id, b.Is); err != nil {
			return err
		}
	}
	return nil
}
