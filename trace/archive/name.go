package archive

import (
	"path"
	"path/filepath"
	"strings"
)

// Bounds of a path inside an archive.
const (
	maxPath    = 1024 // bytes
	maxElement = 255  // bytes, what file systems take
	maxDepth   = 64
)

// clean checks the name of an entry and returns it without "./", doubled and
// trailing slashes; "" is the top of the archive.
func clean(name string) (string, error) {
	switch {
	case len(name) > maxPath:
		return "", refusalf("has a name of %d bytes; %d are allowed", len(name), maxPath)
	case strings.ContainsRune(name, 0):
		return "", refusal("has a zero byte in its name")
	case strings.Contains(name, `\`):
		return "", refusal("has a backslash in its name")
	case strings.HasPrefix(name, "/"):
		return "", refusal("has an absolute name")
	}
	elements := strings.Split(name, "/")
	for _, e := range elements {
		if e == ".." {
			return "", refusal(`climbs out of its directory by ".."`)
		}
		if len(e) > maxElement {
			return "", refusalf("has a name with an element of %d bytes; %d are allowed", len(e), maxElement)
		}
	}
	cleaned := path.Clean(name)
	if cleaned == "." {
		return "", nil
	}
	if depth := strings.Count(cleaned, "/") + 1; depth > maxDepth {
		return "", refusalf("lies %d directories deep; %d are allowed", depth, maxDepth)
	}
	if !filepath.IsLocal(filepath.FromSlash(cleaned)) {
		return "", refusal("has a name that is not a plain relative path")
	}
	return cleaned, nil
}

// fold is equal for names that a file system which ignores case takes for one.
func fold(name string) string { return strings.ToLower(strings.ToUpper(name)) }
