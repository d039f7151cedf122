package browser

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// An Element is something on the page. It may go away; what is then asked of it fails.
type Element struct {
	p    *Page
	id   runtime.RemoteObjectID
	what string
	// again finds it anew, nil if it was not the only one of its kind.
	again func() []Element
}

// call runs a JavaScript function with the element as this.
func call[T any](e Element, function string, args ...any) (v T, err error) {
	params := runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: e.id, ReturnByValue: &yes}
	for _, a := range args {
		b, err := json.Marshal(a)
		if err != nil {
			return v, err
		}
		params.Arguments = append(params.Arguments, &runtime.CallArgument{Value: b})
	}
	r, err := chromedp.Call(e.p.ctx, runtime.CallFunctionOn, params)
	if err != nil {
		return v, err
	}
	if r.ExceptionDetails != nil {
		return v, fmt.Errorf("%s", r.ExceptionDetails.Exception.Description)
	}
	return v, json.Unmarshal(r.Result.Value, &v)
}

var yes = true

func must[T any](e Element, function string, args ...any) T {
	e.p.t.Helper()
	v, err := call[T](e, function, args...)
	if err != nil {
		e.p.t.Fatalf("%s: %v", e.what, err)
	}
	return v
}

// Text is what can be read in the element, or the value of a field. Spaces of any width
// are spaces.
func (e Element) Text() string {
	e.p.t.Helper()
	return spaces.Replace(must[string](e, "function() { return this.value ?? this.innerText }"))
}

// State is an ARIA state: "selected", "checked", "expanded".
func (e Element) State(name string) string {
	e.p.t.Helper()
	return must[string](e, "function(n) { return this.getAttribute('aria-' + n) ?? '' }", name)
}

// Find is the one element inside with a role and a name; it waits for it.
func (e Element) Find(role, name string) Element {
	e.p.t.Helper()
	return e.p.find(role, name, func() []Element {
		e.renew()
		return e.All(role, name)
	})
}

// All are the elements inside with a role and a name, "" for any.
func (e Element) All(role, name string) []Element {
	e.p.t.Helper()
	return e.p.below(e.id, role, name)
}

// Box is where the element lies on the page, CSS pixels.
func (e Element) Box() (x, y, width, height float64) {
	e.p.t.Helper()
	b := must[[4]float64](e, "function() { const b = this.getBoundingClientRect(); return [b.x, b.y, b.width, b.height] }")
	return b[0], b[1], b[2], b[3]
}

// Click clicks on the middle of the element, once it stays in its place and nothing covers it. If the page has put another in
// its place meanwhile, that one is meant.
func (e Element) Click() {
	e.p.t.Helper()
	var at []float64
	e.p.Await(e.what+" in a place of its own, under nothing else", func() (any, bool) {
		place, err := call[[]float64](e, `function() {
			if (!this.isConnected) return null;
			this.scrollIntoView({block: "nearest"});
			const b = this.getBoundingClientRect();
			const [x, y] = [b.x + b.width / 2, b.y + b.height / 2];
			const top = document.elementFromPoint(x, y);
			return this === top || this.contains(top) || top?.contains(this) ? [x, y] : [];
		}`)
		if err != nil {
			e.p.t.Fatalf("%s: %v", e.what, err)
		}
		if place == nil {
			e.renew()
		}
		rests := len(place) == 2 && slices.Equal(place, at)
		at = place
		return place, rests
	})
	if _, err := call[bool](e, aimed); err != nil {
		e.p.t.Fatalf("%s: %v", e.what, err)
	}
	e.p.Click(at[0], at[1])
}

// aimed sees to it that the next press is on the element: where the page moved it in the moment before, what lies there instead hears nothing, and the element is pressed.
const aimed = `function() {
	const kinds = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
	const hits = (top) => this === top || this.contains(top) || top instanceof Element && top.contains(this);
	const look = (e) => {
		const over = e.type === "pointerdown" ? hits(e.target) : e.type === "click";
		if (over) for (const kind of kinds) removeEventListener(kind, look, true);
		if (over && e.type === "pointerdown") return;
		e.preventDefault();
		e.stopImmediatePropagation();
		if (over) this.click();
	};
	for (const kind of kinds) addEventListener(kind, look, true);
	return true;
}`

// renew takes the one that is there now in place of one that the page has put another for.
func (e *Element) renew() {
	if e.again == nil {
		return
	}
	if found := e.again(); len(found) == 1 {
		e.id = found[0].id
	}
}

// Focus gives the focus to the element, or to the one that the page has put in its place meanwhile, and tells which has it.
func (e Element) Focus() Element {
	e.p.t.Helper()
	e.p.Await("the focus on "+e.what, func() (any, bool) {
		has := must[bool](e, "function() { this.focus(); return document.activeElement === this }")
		if !has {
			e.renew()
		}
		return has, has
	})
	return e
}

// Type replaces what stands in a field.
func (e Element) Type(words string) {
	e.p.t.Helper()
	e.p.Await(fmt.Sprintf("%q in %s", words, e.what), func() (any, bool) {
		e = e.Focus()
		before := must[string](e, "function() { this.select(); return this.value }")
		if _, err := chromedp.Call(e.p.ctx, input.InsertText, input.InsertTextParams{Text: words}); err != nil {
			e.p.t.Fatal(err)
		}
		after := must[string](e, "function() { return this.value }")
		return after, after == words || after != before
	})
}

// Choose takes the option of a list that begins with the words given, and that can be chosen.
func (e Element) Choose(words string) {
	e.p.t.Helper()
	e = e.Focus()
	if !must[bool](e, `function(words) {
		const plain = (o) => o.textContent.replace(/[\u202f\u00a0]/g, " ");
		const option = [...this.options].find((o) => !o.disabled && plain(o).startsWith(words));
		if (!option) return false;
		this.value = option.value;
		for (const kind of ["input", "change"]) this.dispatchEvent(new Event(kind, {bubbles: true}));
		return true;
	}`, words) {
		e.p.t.Fatalf("%s offers nothing that begins with %q: %s", e.what, words, e.Text())
	}
}
