package browser

import (
	"regexp"
	"strings"
	"testing"
)

// A thread that took another name is told by both: in the list of rows it goes by its last, in what a CPU did by the one it had.
func TestNamesOfAThread(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	// Thread 211 of db began as dbwork at 709.1 ms and became md5sum at 711.8 ms.
	p.Open(s.page(set, "?time=raw&begin=1795229345708000000&end=1795229345714000000&rows=all&row=2.211&resources=2"))
	row := p.threadRow("md5sum, thread 211")
	left, _, width, _ := p.Canvas("Control flow").Box()
	told := func(y, share float64, pattern string) {
		t.Helper()
		p.Point(left+width*share, y)
		re := regexp.MustCompile(pattern)
		p.Await("beside the pointer: "+pattern, func() (any, bool) {
			words := spaces.Replace(strings.Join(strings.Fields(Eval[string](p, `document.querySelector(".tooltip").innerText`)), " "))
			return words, re.MatchString(words)
		})
	}
	_, y, _, height := row.Box()
	told(y+height/2, 0.5, `^dbwork, later md5sum · 211 db `)
	p.Matches(`dbwork, later md5sum · 211: running`)
	told(y+height/2, 0.75, `^md5sum · 211 db `)

	cpu := p.Find("treegrid", "Resources: rows").Find("row", "CPU 0")
	_, y, _, height = cpu.Box()
	told(y+height/2, 0.5, `^CPU 0 db .*Thread dbwork, later md5sum · 211 `)
	told(y+height/2, 0.75, `^CPU 0 db .*Thread md5sum · 211 `)
}
