package browser

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The sizes of the parts stand in the address where they were moved: a copied link opens with them, neither the way back through
// windows nor the history of the browser has them, and a part that is as before says nothing.
func TestSizesInTheAddress(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	parts := []string{"Height of Communication", "Height of Resources", "Width of the row names", "Width of the inspector"}
	sizes := func() (all []string) {
		for _, name := range parts {
			all = append(all, p.Find("separator", name).State("valuenow"))
		}
		return all
	}
	press := func(name, key string, times int) {
		p.Find("separator", name).Focus()
		for range times {
			p.Press(key)
		}
	}
	before := sizes()
	entries := Eval[int](p, "history.length")
	press(parts[0], "ArrowUp", 2)
	press(parts[2], "ArrowRight", 3)
	press(parts[3], "ArrowLeft", 1)
	p.Await("three sizes in the address", func() (any, bool) {
		a := p.Address()
		return a, strings.Contains(a, "sizes=tree312.side316.talk222")
	})
	moved := sizes()
	if n := Eval[int](p, "history.length"); n != entries {
		t.Errorf("the browser has %d entries after %d", n, entries)
	}
	if !must[bool](p.Find("button", "Back"), "function() { return this.disabled || this.getAttribute('aria-disabled') === 'true' }") {
		t.Error("one can go back, though the window was not moved")
	}
	p.Reload()
	p.Says("blocked in wait4")
	p.Await("the sizes of the link", func() (any, bool) {
		now := sizes()
		return now, slices.Equal(now, moved) && !slices.Equal(now, before)
	})
	_, _, width, _ := p.Find("complementary", "What is selected").Box()
	if width != 316 {
		t.Errorf("the inspector is %v pixels wide", width)
	}

	// As they were, they are not told.
	press(parts[0], "ArrowDown", 2)
	press(parts[2], "ArrowLeft", 3)
	p.Await("one size in the address", func() (any, bool) {
		a := p.Address()
		return a, strings.Contains(a, "sizes=side316") && !strings.Contains(a, "tree")
	})

	// On a small screen there is no more than a part of the room, and no room for the inspector beside the rows.
	p.Resize(800, 600)
	p.Open(s.page(set, "?sizes=tree900.side700.talk240"))
	p.Says("blocked in wait4")
	p.Await("row names within the window", func() (any, bool) {
		now := p.Find("separator", parts[2]).State("valuenow")
		left, _, width, _ := p.Canvas("Time axis").Box()
		return []any{now, left, width}, now == "480" && width > 250 && left+width <= 800
	})
}

// Each line is taken by the mouse where it is drawn.
func TestLinesDragged(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	for _, line := range []struct {
		name         string
		right, below float64
	}{
		{"Height of Resources", 0, -60}, {"Height of Communication", 0, 40}, {"Width of the row names", 60, 0}, {"Width of the inspector", -60, 0},
	} {
		edge := p.Find("separator", line.name)
		before := edge.State("valuenow")
		x, y, width, height := edge.Box()
		x, y = x+width/2, y+height/4
		p.Point(x, y)
		p.Mouse("mousePressed", x, y)
		p.Mouse("mouseMoved", x+line.right, y+line.below)
		p.Mouse("mouseReleased", x+line.right, y+line.below)
		p.Await("another "+line.name, func() (any, bool) {
			now := edge.State("valuenow")
			return []string{before, now}, now != before
		})
	}
}

// Where names have the least room the bound of each clock still has its unit. The line that gives them room goes no further, and comes back
// only with the pointer.
func TestNarrowestNames(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Open(s.page(set, ""))
	p.Says("blocked in wait4")
	edge := p.Find("separator", "Width of the row names")
	x, y, width, height := edge.Box()
	x, y = x+width/2, y+height/4
	p.Point(x, y)
	p.Mouse("mousePressed", x, y)
	p.Mouse("mouseMoved", x-200, y)
	p.Await("the least width", func() (any, bool) {
		now, least := edge.State("valuenow"), edge.State("valuemin")
		return []string{now, least}, now == least
	})
	p.AwaitRest("bounds that are whole", func() (string, bool) {
		cut := Eval[string](p, `[...document.querySelectorAll(".row.host .note.marked")].filter((n) => n.offsetParent && (n.scrollWidth > n.clientWidth ||
			n.getBoundingClientRect().right > n.closest(".row").getBoundingClientRect().right)).map((n) => n.textContent).join("; ")`)
		return cut, cut == ""
	})
	least := edge.State("valuenow")
	p.Mouse("mouseMoved", x-190, y) // still beyond the line
	p.Mouse("mouseMoved", x-180, y)
	if now := edge.State("valuenow"); now != least {
		t.Errorf("the line is at %s before the pointer has come back to it at %s", now, least)
	}
	p.Mouse("mouseMoved", x, y)
	p.Mouse("mouseReleased", x, y)
	p.Await("the line under the pointer", func() (any, bool) {
		left, _, width, _ := edge.Box()
		return []float64{left, left + width, x}, left <= x && x <= left+width
	})
}

// A link begins with the rows of Communication and Resources that whoever copied it had before them.
func TestScrollInTheAddress(t *testing.T) {
	s, set := demoSite(t)
	p := NewPage(t)
	p.Resize(1280, 720)
	p.Open(s.page(set, "?opened=0,1,2,3"))
	p.Says("blocked in wait4")
	scrolled := func(title string) float64 {
		return must[float64](p.Find("region", title), "function() { return this.querySelector('.scroller').scrollTop }")
	}
	for _, title := range []string{"Communication", "Resources"} {
		left, top, width, height := p.Find("region", title).Box()
		p.Wheel(left+width/10, top+height/2, 130)
		p.Await(title+" scrolled", func() (any, bool) { y := scrolled(title); return y, y > 50 })
	}
	p.Await("both in the address", func() (any, bool) {
		a := p.Address()
		return a, regexp.MustCompile(`scroll=talk\d{2,3}\.cpus\d{2,3}`).MatchString(a)
	})
	talk, cpus := scrolled("Communication"), scrolled("Resources")
	p.Reload()
	p.Says("blocked in wait4")
	p.Await("the same rows", func() (any, bool) {
		now := []float64{scrolled("Communication"), scrolled("Resources")}
		return now, slices.Equal(now, []float64{talk, cpus})
	})
	left, top, width, height := p.Find("region", "Communication").Box()
	p.Wheel(left+width/10, top+height/2, -3000)
	p.Await("only the one in the address", func() (any, bool) {
		a := p.Address()
		return a, regexp.MustCompile(`scroll=cpus\d{2,3}`).MatchString(a)
	})
}
