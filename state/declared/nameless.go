package declared

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"synchroscope/trace"
)

// nameless counts functions that were entered, and those of them that have no name, by why.
type nameless struct {
	entered    int64
	homeless   int64            // of events that tell of no process
	nowhere    int64            // at addresses where nothing is known to be loaded
	files      map[string]int64 // by the file that they lie in, of which no such function is told
	inOther    int64            // in more files than are counted one by one
	recognized bool             // there are events that tell what is loaded where
}

// maxNamelessFiles are counted one by one.
const maxNamelessFiles = 64

func (n *nameless) in(file string) {
	if _, ok := n.files[file]; !ok && len(n.files) == maxNamelessFiles {
		n.inOther++
		return
	}
	n.files[file]++
}

// many reports whether so many functions have no name that it is to be told: one in twenty.
func (n *nameless) many(of int64) bool { return of > 0 && of >= (n.entered+19)/20 }

// Nameless says why functions have no names, though it is told which files are loaded where, and what their functions are called. It is asked before the
// history is finished.
func (m *Model) Nameless() (all []trace.Anomaly) {
	n := &m.nameless
	if !n.recognized {
		return nil
	}
	if n.many(n.homeless) {
		all = append(all, trace.Anomaly{Kind: "nameless-functions", Count: n.homeless, Message: fmt.Sprintf(
			"%d of %d functions were entered in events that do not tell of which process they are, so nobody knows what is loaded at their addresses; lttng add-context -u -t vpid -t vtid tells it", n.homeless, n.entered)})
	}
	if n.many(n.nowhere) {
		all = append(all, trace.Anomaly{Kind: "nameless-functions", Count: n.nowhere, Message: fmt.Sprintf(
			"%d of %d functions were entered where nothing is known to be loaded: what tells of that was lost, was recorded without the same contexts, or is not recorded; lttng regenerate statedump has it told again", n.nowhere, n.entered)})
	}
	files := slices.SortedFunc(maps.Keys(n.files), func(a, b string) int { return cmp.Or(cmp.Compare(n.files[b], n.files[a]), strings.Compare(a, b)) })
	untold := n.inOther
	for _, f := range files {
		untold += n.files[f]
	}
	if m.Symbols != nil && n.many(untold) {
		const most = 5
		rest := ""
		if len(files) > most || n.inOther > 0 {
			rest = " and others"
		}
		all = append(all, trace.Anomaly{Kind: "nameless-functions", Count: untold, Message: fmt.Sprintf(
			"%d of %d functions were entered that nothing tells the names of: they lie in %s%s, and the names of these files, or others of their functions, are not in synchroscope-symbols", untold, n.entered, strings.Join(files[:min(most, len(files))], ", "), rest)})
	}
	return all
}
