// Package links holds the documents to what they point at: files, and headings in them.
package links

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

const root = "../.."

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
)

// anchor is what a heading is pointed at by: its letters, digits, dashes and underscores, spaces as dashes, as Markdown's readers make it.
func anchor(words string) string {
	words = link.ReplaceAllString(words, "]")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, words)
}

func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, h := range heading.FindAllStringSubmatch(regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, ""), -1) {
		all[anchor(h[1])] = true
	}
	return all
}

func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			text, err := os.ReadFile(path)
			all[filepath.Clean(path)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestLinks(t *testing.T) {
	all := documents(t)
	checked := 0
	for path, text := range all {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			target, of, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			checked++
			file := path
			if target != "" {
				file = filepath.Join(filepath.Dir(path), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", path, m[1], err)
			} else if of != "" && !anchors(all[file])[of] {
				t.Errorf("%s: %s: there is no such heading", path, m[1])
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d links were found in %d documents", checked, len(all))
	}
}

// Every page of the guide is led to by its index.
func TestIndexOfTheGuide(t *testing.T) {
	all := documents(t)
	guide := filepath.Join(root, "docs", "guide")
	index := filepath.Join(guide, "README.md")
	led := map[string]bool{index: true}
	for _, m := range link.FindAllStringSubmatch(all[index], -1) {
		target, _, _ := strings.Cut(m[1], "#")
		led[filepath.Join(guide, target)] = true
	}
	for path := range all {
		if strings.HasPrefix(path, guide+string(filepath.Separator)) && !led[path] {
			t.Errorf("%s: the index of the guide does not lead there", path)
		}
	}
}
