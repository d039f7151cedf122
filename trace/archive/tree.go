package archive

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
)

// A tree is what one extraction has made below its root.
type tree struct {
	root *os.Root
	seen map[string]node // by folded path
	made []string        // files and directories in order of creation
}

type node struct {
	path string // as spelled
	dir  bool
}

func newTree(root *os.Root) *tree {
	return &tree{root: root, seen: make(map[string]node)}
}

// dir makes the directory at p and those above it; at most limit things are made in all.
func (t *tree) dir(p string, limit int) error {
	if p == "" {
		return nil
	}
	if n, ok := t.seen[fold(p)]; ok {
		switch {
		case n.path != p:
			return refusalf("differs from %q only in upper and lower case", shorten(n.path))
		case !n.dir:
			return refusalf("needs a directory where the archive has the file %q", shorten(p))
		}
		return nil
	}
	if err := t.dir(parent(p), limit); err != nil {
		return err
	}
	if err := t.count(limit); err != nil {
		return err
	}
	err := t.root.Mkdir(p, 0o755)
	switch {
	case err == nil:
		t.made = append(t.made, p)
	case errors.Is(err, fs.ErrExist):
		// Not ours, and not ours to remove; fine if it is a directory.
		if info, serr := t.root.Lstat(p); serr != nil || !info.IsDir() {
			return &writeError{err}
		}
	default:
		return &writeError{err}
	}
	t.seen[fold(p)] = node{p, true}
	return nil
}

// file creates the file at p and the directories above it.
func (t *tree) file(p string, limit int) (*outFile, error) {
	if err := t.dir(parent(p), limit); err != nil {
		return nil, err
	}
	if n, ok := t.seen[fold(p)]; ok {
		if n.path != p {
			return nil, refusalf("differs from %q only in upper and lower case", shorten(n.path))
		}
		return nil, refusal("is in the archive twice")
	}
	if err := t.count(limit); err != nil {
		return nil, err
	}
	f, err := t.root.OpenFile(p, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, &writeError{err}
	}
	t.made = append(t.made, p)
	t.seen[fold(p)] = node{p, false}
	return &outFile{File: f}, nil
}

func (t *tree) count(limit int) error {
	if len(t.made) >= limit {
		return excessf("is one too many: an archive may make %d files and directories", limit)
	}
	return nil
}

// remove deletes what was made behind the first so many things, newest first. A directory into which somebody
// else has put something meanwhile stays.
func (t *tree) remove(from int) error {
	var errs []error
	for i := len(t.made) - 1; i >= from; i-- {
		err := t.root.Remove(t.made[i])
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !t.occupied(t.made[i]) {
			errs = append(errs, err)
		}
	}
	t.made = t.made[:min(from, len(t.made))]
	return errors.Join(errs...)
}

// dropFile deletes the file made last, if it was made behind the first so many things. Its directories, which others may
// have come to need, stay.
func (t *tree) dropFile(from int) error {
	last := len(t.made) - 1
	if last < from || t.seen[fold(t.made[last])].dir {
		return nil
	}
	return t.remove(last)
}

// files tells whether there is a file among the first so many things that were made.
func (t *tree) files(among int) bool {
	return slices.ContainsFunc(t.made[:among], func(p string) bool { return !t.seen[fold(p)].dir })
}

func (t *tree) occupied(p string) bool {
	d, err := t.root.Open(p)
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Readdirnames(1)
	return err == nil && len(names) > 0
}

// parent is path.Dir with "" for the top.
func parent(p string) string {
	if d := path.Dir(p); d != "." {
		return d
	}
	return ""
}
