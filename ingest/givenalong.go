package ingest

import (
	"encoding/json"
	"errors"
	"io/fs"
	"slices"

	"synchroscope/catalog"
	"synchroscope/internal/durable"
)

// What goes along with the files of another set: what is said of its damaged archives, and its bookmarks.

// takeDamages keeps what is said of the archives of another set of which something lacks.
func (s *Set) takeDamages(from *Set) error {
	from.mu.Lock()
	list := slices.Clone(from.anomalies)
	from.mu.Unlock()
	list = slices.DeleteFunc(list, func(a HostAnomaly) bool { return a.Kind != damagedArchive && a.Kind != unreadableArchive })
	if len(list) == 0 {
		return nil
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return durable.WriteFile(s.path(givenFolder, givenDamageFile), b)
}

// givenDamages are those, without what was uploaded anew.
func (s *Set) givenDamages(files []catalog.File) (list []HostAnomaly, err error) {
	b, err := readBounded(s.path(givenFolder, givenDamageFile), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	return slices.DeleteFunc(list, func(a HostAnomaly) bool {
		return slices.ContainsFunc(files, func(f catalog.File) bool { return f.Name == a.Stream && f.Path == "" })
	}), err
}

// givesWay tells whether a file that another set gave gives way to one of its name: a text does, and an archive of which something lacks. Others may be of other machines.
func (s *Set) givesWay(f catalog.File) bool {
	if !isGiven(f) || isText(f) {
		return isGiven(f)
	}
	list, err := s.givenDamages(nil)
	return err == nil && slices.ContainsFunc(list, func(a HostAnomaly) bool { return a.Stream == f.Name })
}

// A givenBookmark is one of another set.
type givenBookmark struct {
	Number uint32           `json:"number"`
	On     string           `json:"on"` // what tells its host from others
	Is     catalog.Bookmark `json:"is"`
}

// takeBookmarks keeps those of another set for when the hosts are found.
func (s *Set) takeBookmarks(from *Set) error {
	rows, err := from.e.catalog.Bookmarks(from.id)
	if err != nil || len(rows) == 0 {
		return err
	}
	list := make([]givenBookmark, len(rows))
	hosts := from.Hosts()
	for i, b := range rows {
		list[i] = givenBookmark{Number: b.ID, Is: b}
		if int(b.Host) < len(hosts) {
			list[i].On = hosts[b.Host].row.ID
		}
		list[i].Is.Key = "" // of a page that shows the other
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return durable.WriteFile(s.path(givenFolder, givenMarksFile), b)
}

// placeBookmarks puts those on the hosts that were found, before anybody can set one. Of a set that is read once more it does nothing where there are any.
func (s *Set) placeBookmarks(rows []catalog.Host) error {
	b, err := readBounded(s.path(givenFolder, givenMarksFile), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var list []givenBookmark
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil {
		return err
	}
	if s.again() {
		if have, err := s.e.catalog.Bookmarks(s.id); err != nil || len(have) > 0 {
			return err
		}
	}
	for _, b := range list {
		host := slices.IndexFunc(rows, func(h catalog.Host) bool { return h.ID == b.On })
		if host < 0 {
			continue
		}
		b.Is.ID, b.Is.Host = b.Number, int32(host)
		if err := s.e.catalog.PutBookmark(s.id, b.Is); err != nil {
			return err
		}
	}
	return nil
}
