package scenario

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"synchroscope/internal/natural"
)

//go:embed library/*.scenario
var library embed.FS

const extension = ".scenario"

// Names are those of the library, in order.
func Names() []string {
	entries, err := library.ReadDir("library")
	if err != nil {
		panic(err) // it is embedded
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	slices.SortFunc(names, natural.Compare)
	return names
}

// Load reads the scenario of the library that has the name, or else the file at that path.
func Load(nameOrPath string, o Options) (*Scenario, error) {
	if validName(nameOrPath) {
		file, err := library.Open("library/" + nameOrPath + extension)
		if err == nil {
			defer file.Close()
			return Parse(file, nameOrPath, o)
		}
	}
	file, err := os.Open(nameOrPath)
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsRune(nameOrPath, filepath.Separator) {
		return nil, fmt.Errorf("there is no scenario %q; there are %s, and files", nameOrPath, strings.Join(Names(), ", "))
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return Parse(file, nameOrPath, o)
}
