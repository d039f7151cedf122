package ingest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
)

// packedTrace is the anomaly of an archive in an archive, or in a folder that is read in place. What is in it is not looked
// at: who packs archives together often does so with copies of what lies beside them, and how far that goes on nobody says.
const packedTrace = "packed-archive"

// mostPacked are as many archives as are told of, for each file of a set.
const mostPacked = 20

// archiveName is of what archives are called. Of a file that is merely compressed nobody knows that traces are in it.
var archiveName = regexp.MustCompile(`(?i).\.(zip|tar|(tar\.|t)(gz|xz|zst))$`)

// packedIn are the archives below a folder, by their names, as paths from it.
func packedIn(root string) (list []string) {
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || !archiveName.MatchString(entry.Name()) {
			return nil // what cannot be read was told of where traces were looked for
		}
		in, _ := filepath.Rel(root, path)
		if list = append(list, in); len(list) == mostPacked {
			return fs.SkipAll
		}
		return nil
	})
	return list
}

// archivesWords says which archives there are: the first of them by name.
func archivesWords(list []string) string {
	if len(list) == 1 {
		return fmt.Sprintf("there is the archive %s", list[0])
	}
	return fmt.Sprintf("there are %d archives, %s and others,", len(list), list[0])
}
