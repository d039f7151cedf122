package ingest

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"synchroscope/catalog"
)

// # A whole set as one archive
//
// A set that is ready goes into one archive with everything that was made of it, and out of that again without a trace
// being read: docs/format/set.md. The archive is uploaded like any other, and whoever made it is not trusted: all that
// is known of hosts and numbers is taken anew from the files, which are checked as far as they will be relied on.

// Files at the top of the archive of a whole set.
const (
	manifestFile  = "synchroscope-set.json" // what tells it from an archive of traces
	checksumsFile = "checksums"
)

const (
	manifestFormat  = "synchroscope set"
	manifestVersion = 2 // version 1 had no milestones
	oldestManifest  = 1
	maxManifest     = 64 << 20 // bytes
	maxWholeHosts   = 4096
	maxAdopted      = 256 << 20 // bytes of a file of results that is read whole: all but messages, histories and endpoints
)

// A manifest says what the archive of a whole set holds.
type manifest struct {
	Format     string             `json:"format"`
	Version    int                `json:"version"`
	Name       string             `json:"name"`
	Created    time.Time          `json:"created"`
	Hosts      []manifestHost     `json:"hosts"`
	Unreadable []HostAnomaly      `json:"unreadable,omitempty"`
	Bookmarks  []catalog.Bookmark `json:"bookmarks,omitempty"`
	Milestones []Milestone        `json:"milestones,omitempty"`
}

// A manifestHost is a host with its final checkpoint, whose traces are folders of the archive.
type manifestHost struct {
	catalog.Host
	Length int64  `json:"checkpoint_bytes"`
	CRC    uint32 `json:"checkpoint_crc32c"`
	Failed bool   `json:"failed,omitempty"` // it could not be read to its end
}

// side is the row of the host's checkpoint in a catalogue.
func (h *manifestHost) side() catalog.SideFile {
	f := catalog.SideFile{Generation: 1, Length: h.Length, CRC: h.CRC, Flags: catalog.Done}
	if h.Failed {
		f.Flags = catalog.Broken
	}
	return f
}

// wholeFiles are those at the top of a set's folder that go along, and whether each must be there.
var wholeFiles = map[string]bool{"solution": true, "constraints": true, "messages": true, declarationsFile: false, statesFile: false, symbolsFile: false}

// sumLine is a line of the file of checksums.
func sumLine(sum uint32, size int64, name string) string {
	return fmt.Sprintf("%08x %d %s\n", sum, size, name)
}

// verify holds every file below root against the file of checksums, which names each of them once.
func verify(root string) error {
	text, err := readBounded(filepath.Join(root, checksumsFile), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return faultf(Invalid, "the archive of a whole set is not complete: its end, with the checksums, is missing")
	}
	if err != nil {
		return err
	}
	want := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		var sum uint32
		var size int64
		head, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		length, name, _ := strings.Cut(name, " ")
		if _, err := fmt.Sscanf(head+" "+length, "%08x %d", &sum, &size); err != nil || sumLine(sum, size, name) != line || want[name] != "" {
			return faultf(Invalid, "the archive of a whole set is damaged: %.80q is no line of checksums", line)
		}
		want[name] = line
	}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if name = filepath.ToSlash(name); err != nil || name == checksumsFile {
			return err
		}
		sum, size, err := sumOf(path)
		if err != nil {
			return err
		}
		if want[name] != sumLine(sum, size, name) {
			return faultf(Invalid, "the archive of a whole set is damaged: %s is not what its checksum says", name)
		}
		delete(want, name)
		return nil
	})
	for name := range want {
		if err == nil {
			err = faultf(Invalid, "the archive of a whole set is damaged: %s is missing", name)
		}
	}
	return err
}

// sumOf is the CRC32C and the size of a file.
func sumOf(path string) (sum uint32, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	b := make([]byte, 1<<20)
	for {
		n, err := f.Read(b)
		sum = crc32.Update(sum, castagnoli, b[:n])
		size += int64(n)
		if n == 0 || err != nil {
			return sum, size, endless(err)
		}
	}
}
