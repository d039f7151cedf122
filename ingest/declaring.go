package ingest

import (
	"os"
	"path/filepath"

	"synchroscope/catalog"
	"synchroscope/ingest/declarations"
	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A declaring collects the texts of a set from its files, one after the other.
type declaring struct {
	own map[string]bool // kinds of which a text is given by itself: it holds in the place of those that archives have

	endpoints, states, symbols string
	ends                       string // endpoints without those that are declared for all sets
	over                       []HostAnomaly
}

// ownTexts are the names of the kinds of which a text is among the files by itself.
func ownTexts(files []catalog.File) map[string]bool {
	own := make(map[string]bool)
	for _, f := range files {
		own[f.Name] = own[f.Name] || isText(f)
	}
	return own
}

// isText tells whether a file is a text that declares something, and no archive, nor a folder of that name.
func isText(f catalog.File) bool {
	_, ok := declarations.Named(f.Name)
	return ok && !(filepath.IsAbs(f.Path) && isFolder(f.Path))
}

// extractText puts a text that was given by itself where it would be had it been in an archive.
func (s *Set) extractText(kind declarations.Kind, f catalog.File) error {
	dir := s.extracted(f)
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return kind.Copy(filepath.Join(dir, kind.Name), s.source(f))
}

// find adds the texts at or below root, which is the file of a name. What cannot be used is left out, with an error for each.
func (d *declaring) find(name, root string) (errs []error) {
	look := func(kind declarations.Kind, into *string) (errs []error) {
		if !d.own[kind.Name] || name == kind.Name {
			*into, errs = kind.Find(root, *into)
		} else if into != &d.ends {
			d.passOver(kind, name, root)
		}
		return errs
	}
	look(declarations.Endpoints, &d.ends) // what is wrong with them is said of all
	errs = look(declarations.Endpoints, &d.endpoints)
	errs = append(errs, look(declarations.States, &d.states)...)
	return append(errs, look(declarations.Symbols, &d.symbols)...)
}

// passOver tells of a text of an archive or folder in the place of which another holds.
func (d *declaring) passOver(kind declarations.Kind, name, root string) {
	if text, errs := kind.Find(root, ""); text != "" || len(errs) > 0 {
		d.over = append(d.over, HostAnomaly{Anomaly: trace.Anomaly{
			Kind: passedOver, Stream: name, Message: name + " has a " + kind.Name + ", in the place of which that holds which was given by itself", Count: 1,
		}})
	}
}

// passedOver is the anomaly of a text that is not used, for one of its kind was given by itself.
const passedOver = "passed-over-declarations"

// texts are those of endpoints and of states.
func (d *declaring) texts() *texts {
	return &texts{Endpoints: []byte(d.endpoints), States: []byte(d.states)}
}

// unmet tells of what the set declares that none of its traces has, and of what is not used of it.
func (d *declaring) unmet(traces []*ctf.Trace) (all []HostAnomaly) {
	say := func(kind declarations.Kind, text string) {
		for _, sentence := range kind.Unmet(text, traces) {
			all = append(all, HostAnomaly{Anomaly: trace.Anomaly{Kind: kind.Vain, Stream: kind.Name, Message: sentence, Count: 1}})
		}
	}
	all = append(all, d.over...)
	say(declarations.Endpoints, d.ends)
	say(declarations.Symbols, d.symbols)
	say(declarations.States, d.states)
	return all
}
