package filter_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/trace"
	"synchroscope/trace/filter"
)

// The model: a filter is evaluated on a table of values, with rationals for numbers, by an
// interpreter that knows neither classes nor fields.

// A value is what a path stands for.
type value struct {
	num     *big.Rat // nil where it is no number
	nan     bool
	text    *string
	labels  []string
	labeled bool
}

// A world is one event, twice: as a table, and as it is recorded.
type world struct {
	values map[string]value
	event  *trace.Event
	time   int64
}

var tags = []trace.Mapping{{Label: "low", Low: 0, High: 3}, {Label: "three", Low: 3, High: 3}, {Label: "minus", Low: -5, High: -1}}
var flags = []trace.Mapping{{Label: "first", Low: 0, High: 0}, {Label: "few", Low: 1, High: 2}}

// member is a field with its bytes.
type member struct {
	trace.Member
	bytes []byte
}

func drawWorld(t *rapid.T) *world {
	w := &world{values: make(map[string]value), time: rapid.Int64Range(-3e9, 3e9).Draw(t, "time")}
	number := func(path string, v *big.Rat) { w.values[path] = value{num: v} }
	text := func(path, s string) { w.values[path] = value{text: &s} }
	le := binary.LittleEndian
	integer := func(name string, size uint32, signed bool, labels []trace.Mapping) member {
		v := drawInteger(t, name)
		low := uint64(v) << (64 - size) >> (64 - size)
		exact := new(big.Int).SetUint64(low)
		if signed {
			exact.SetInt64(v << (64 - size) >> (64 - size))
		}
		number(name, new(big.Rat).SetInt(exact))
		if labels != nil {
			x := w.values[name]
			x.labeled = true
			for _, m := range labels {
				if exact.Cmp(big.NewInt(m.Low)) >= 0 && exact.Cmp(big.NewInt(m.High)) <= 0 {
					x.labels = append(x.labels, m.Label)
				}
			}
			w.values[name] = x
		}
		typ := &trace.Type{Kind: trace.Integer, Size: size, Signed: signed, Align: 8, Labels: labels}
		return member{trace.Member{Name: name, Type: typ}, le.AppendUint64(nil, low)[:size/8]}
	}
	str := func(name string) member {
		s := drawText(t, name)
		text(name, s)
		return member{trace.Member{Name: name, Type: &trace.Type{Kind: trace.String, Align: 8}}, append([]byte(s), 0)}
	}

	f := rapid.SampledFrom([]float64{0, 0.5, -1.5, 3, 1 << 63, 1 << 64, math.Inf(1), math.NaN()}).Draw(t, "float")
	w.values["load"] = floatValue(f)
	load := member{trace.Member{Name: "load", Type: &trace.Type{Kind: trace.Float, Size: 64, Align: 8}}, le.AppendUint64(nil, math.Float64bits(f))}

	bits := rapid.Uint8().Draw(t, "bits")
	number("bits", big.NewRat(int64(bits), 1))
	b := w.values["bits"]
	b.labeled = true
	if bits&1 != 0 {
		b.labels = append(b.labels, "first")
	}
	if bits&6 != 0 {
		b.labels = append(b.labels, "few")
	}
	w.values["bits"] = b
	bitmap := member{trace.Member{Name: "bits", Type: &trace.Type{Kind: trace.BitMap, Size: 8, Align: 8, Labels: flags}}, []byte{bits}}

	chars := trace.Type{Kind: trace.Integer, Size: 8, Align: 8, Text: true}
	comm := []byte(drawText(t, "comm") + "\x00\x00\x00\x00\x00\x00\x00\x00")[:8]
	text("comm", strings.SplitN(string(comm), "\x00", 2)[0])
	array := member{trace.Member{Name: "comm", Type: trace.NewArray(&chars, 8, nil)}, comm}

	var list []byte
	for i := range 3 {
		v := drawInteger(t, "list")
		number(fmt.Sprintf("list[%d]", i), new(big.Rat).SetInt64(int64(int16(v))))
		list = le.AppendUint16(list, uint16(v))
	}
	elem := trace.Type{Kind: trace.Integer, Size: 16, Align: 8, Signed: true}
	shorts := member{trace.Member{Name: "list", Type: trace.NewArray(&elem, 3, nil)}, list}

	// A variant, of which one option is there.
	selector := rapid.IntRange(0, 1).Draw(t, "selector")
	number("kind", big.NewRat(int64(selector), 1))
	option := drawInteger(t, "option")
	number([]string{"either.one", "either.two"}[selector], new(big.Rat).SetInt64(int64(int32(option))))
	long := &trace.Type{Kind: trace.Integer, Size: 32, Align: 8, Signed: true}
	variant := &trace.Type{Kind: trace.Variant, Ref: &trace.Ref{Path: []string{"kind"}}, Members: []trace.Member{
		{Name: "one", Type: long, Select: []trace.Mapping{{Low: 0, High: 0}}},
		{Name: "two", Type: long, Select: []trace.Mapping{{Low: 1, High: 1}}},
	}}
	kind := member{trace.Member{Name: "kind", Type: &trace.Type{Kind: trace.Integer, Size: 8, Align: 8}}, []byte{byte(selector)}}
	either := member{trace.Member{Name: "either", Type: variant}, le.AppendUint32(nil, uint32(option))}

	context := []member{integer("$ctx.vtid", 32, true, nil)}
	context[0].Name = "vtid"
	if rapid.Bool().Draw(t, "hidden") {
		w.values["vtid"] = w.values["$ctx.vtid"]
	}
	payload := []member{
		integer("tid", 32, true, nil), str("text"), integer("wide", 64, false, nil), integer("deep", 64, true, nil),
		integer("tag", 8, true, tags), load, bitmap, array, shorts, kind, either, integer("tail", 16, false, nil),
	}
	if _, same := w.values["vtid"]; !same {
		payload = append(payload, integer("vtid", 8, false, nil)) // hides the one of the context
	}
	name := rapid.SampledFrom([]string{"sched_switch", "sched_wakeup", "irq"}).Draw(t, "event")
	text("name", name)
	text("host", "web")
	number("time", new(big.Rat).SetInt64(w.time))
	local := rapid.Int64Range(-3e9, 3e9).Draw(t, "local time")
	number("local_time", new(big.Rat).SetInt64(local))
	cpu := rapid.Int32Range(-1, 2).Draw(t, "cpu")
	if cpu >= 0 {
		number("cpu", big.NewRat(int64(cpu), 1))
	}

	var data []byte
	types := make([]*trace.Type, 2)
	for i, members := range [][]member{context, payload} {
		var all []trace.Member
		for _, m := range members {
			all, data = append(all, m.Member), append(data, m.bytes...)
		}
		types[i] = trace.NewStruct(8, all)
	}
	class, err := new(trace.Layout).Class(name, 0, types[0], nil, types[1])
	if err != nil {
		t.Fatal(err)
	}
	w.event = &trace.Event{Time: local, CPU: cpu}
	w.event.Prepare(class.Slots())
	if end, err := w.event.DecodeBody(class, append(data, make([]byte, trace.Spare)...), 0, uint64(8*len(data))); err != nil || end != uint64(8*len(data)) {
		t.Fatalf("decoded to bit %d of %d: %v", end, 8*len(data), err)
	}
	text("fields", string(w.event.AppendText(nil)))
	return w
}

var paths = []string{
	"tid", "text", "wide", "deep", "tag", "load", "bits", "comm", "list", "list[0]", "list[2]", "list[3]", "kind", "either", "either.one",
	"either.two", "tail", "$ctx.vtid", "vtid", "name", "host", "time", "cpu", "local_time", "fields", "absent", "absent.too", "tid[0]",
}

var staticKind = map[string]string{"name": "text", "host": "text", "time": "number", "cpu": "number", "local_time": "number", "fields": "text"}

func floatValue(f float64) value {
	switch {
	case f != f:
		return value{nan: true}
	case math.IsInf(f, 0): // beyond any number here
		return value{num: new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 2000))}
	}
	return value{num: new(big.Rat).SetFloat64(f)}
}

func drawInteger(t *rapid.T, label string) int64 {
	return rapid.OneOf(rapid.Int64Range(-6, 6), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, 1 << 53, 1<<53 + 1}), rapid.Int64()).Draw(t, label)
}

func drawText(t *rapid.T, label string) string {
	return rapid.StringMatching(`[abä]{0,4}`).Draw(t, label)
}

// An expression is drawn as its text and its meaning at once.
type expression struct {
	text    string
	meaning func(*world) bool
}

func drawExpression(t *rapid.T, depth int) expression {
	form := rapid.IntRange(0, 7).Draw(t, "form")
	if depth == 0 && form > 3 {
		form -= 4
	}
	switch form {
	case 4, 5:
		a, b := drawExpression(t, depth-1), drawExpression(t, depth-1)
		if form == 4 {
			return expression{"(" + a.text + "&&" + b.text + ")", func(w *world) bool { return a.meaning(w) && b.meaning(w) }}
		}
		return expression{"( " + a.text + " || " + b.text + " )", func(w *world) bool { return a.meaning(w) || b.meaning(w) }}
	case 6: // && binds tighter than ||
		a, b, c := drawExpression(t, 0), drawExpression(t, 0), drawExpression(t, 0)
		return expression{"(" + a.text + " || " + b.text + " && " + c.text + ")", func(w *world) bool { return a.meaning(w) || b.meaning(w) && c.meaning(w) }}
	case 7:
		a := drawExpression(t, depth-1)
		return expression{"!" + a.text, func(w *world) bool { return !a.meaning(w) }}
	case 0:
		return drawPattern(t)
	case 1:
		path := rapid.SampledFrom(paths[:len(paths)-3]).Filter(func(p string) bool { return p != "list" && p != "either" }).Draw(t, "path")
		return expression{"has(" + path + ")", func(w *world) bool { _, ok := w.values[path]; return ok }}
	}
	return drawComparison(t)
}

func drawPattern(t *rapid.T) expression {
	path := rapid.SampledFrom(paths).Filter(func(p string) bool { return staticKind[p] != "number" }).Draw(t, "path")
	glob := rapid.StringMatching(`[*?abälot]{0,4}`).Draw(t, "glob")
	negate := rapid.Bool().Draw(t, "negate")
	o := "=~"
	if negate {
		o = "!~"
	}
	return expression{path + o + strconv.Quote(glob), func(w *world) bool {
		v, ok := w.values[path]
		switch {
		case ok && v.text != nil:
			return naiveGlob(glob, []rune(*v.text)) != negate
		case ok && v.labeled:
			for _, l := range v.labels {
				if naiveGlob(glob, []rune(l)) {
					return !negate
				}
			}
			return negate
		}
		return false
	}}
}

func drawComparison(t *rapid.T) expression {
	path := rapid.SampledFrom(paths).Draw(t, "path")
	sign := rapid.SampledFrom([]string{"==", "!=", "<", "<=", ">", ">="}).Draw(t, "operator")
	var text string
	var other func(w *world) (value, bool)
	literal := func(v value) func(*world) (value, bool) { return func(*world) (value, bool) { return v, true } }
	form := rapid.IntRange(0, 4).Draw(t, "right")
	switch {
	case staticKind[path] == "number" && form == 3:
		form = 0
	case staticKind[path] == "text" && form != 4:
		form = 3
	}
	switch form {
	case 0, 1:
		v := drawInteger(t, "literal")
		text = fmt.Sprint(v)
		if form == 1 && v >= 0 {
			text = fmt.Sprintf("%#x", v)
		}
		other = literal(value{num: new(big.Rat).SetInt64(v)})
	case 2:
		v := rapid.SampledFrom([]float64{0, 0.5, -0.5, 3, 3.5, 1.25, -2.75}).Draw(t, "literal")
		text = strconv.FormatFloat(v, 'f', 2, 64)
		r := new(big.Rat).SetFloat64(v)
		if path == "time" || path == "local_time" {
			r.Mul(r, big.NewRat(1e9, 1))
		}
		other = literal(value{num: r})
	case 3:
		v := rapid.OneOf(rapid.StringMatching(`[abä]{0,4}`), rapid.SampledFrom([]string{"low", "three", "first", "sched_switch", "web"})).Draw(t, "literal")
		text = strconv.Quote(v)
		other = literal(value{text: &v})
	case 4:
		p := rapid.SampledFrom(paths).Filter(func(p string) bool {
			return staticKind[p] == "" || staticKind[path] == "" || staticKind[p] == staticKind[path]
		}).Draw(t, "path")
		text = p
		other = func(w *world) (value, bool) { v, ok := w.values[p]; return v, ok }
	}
	swapped := rapid.Bool().Draw(t, "swapped")
	e := expression{text: path + " " + sign + " " + text}
	if swapped {
		e.text = text + sign + path
	}
	e.meaning = func(w *world) bool {
		a, ok := w.values[path]
		b, also := other(w)
		if !ok || !also {
			return false
		}
		if swapped {
			a, b = b, a
		}
		constant := form == 3
		if form == 4 && (text == "name" || text == "host" || path == "name" || path == "host") {
			constant = true
		}
		return naiveCompare(a, b, sign, constant)
	}
	return e
}

// naiveCompare compares two values; constant tells whether a text among them is known without the event.
func naiveCompare(a, b value, sign string, constant bool) bool {
	by := func(c int) bool {
		return map[string]bool{"==": c == 0, "!=": c != 0, "<": c < 0, "<=": c <= 0, ">": c > 0, ">=": c >= 0}[sign]
	}
	number := func(v value) bool { return v.num != nil || v.nan }
	labels := func(v value, text string, by func(int) bool) bool {
		any := false
		for _, l := range v.labels {
			if sign == "!=" {
				any = any || l == text
			} else {
				any = any || by(strings.Compare(l, text))
			}
		}
		return any != (sign == "!=")
	}
	switch {
	case number(a) && number(b):
		if a.nan || b.nan {
			return sign == "!="
		}
		return by(a.num.Cmp(b.num))
	case a.text != nil && b.text != nil:
		return by(strings.Compare(*a.text, *b.text))
	case a.labeled && b.text != nil && constant:
		return labels(a, *b.text, by)
	case b.labeled && a.text != nil && constant:
		return labels(b, *a.text, func(c int) bool { return by(-c) })
	}
	return false
}

// naiveGlob knows * and ?.
func naiveGlob(glob string, s []rune) bool {
	g := []rune(glob)
	switch {
	case len(g) == 0:
		return len(s) == 0
	case g[0] == '*':
		return naiveGlob(string(g[1:]), s) || len(s) > 0 && naiveGlob(glob, s[1:])
	case len(s) == 0:
		return false
	}
	return (g[0] == '?' || g[0] == s[0]) && naiveGlob(string(g[1:]), s[1:])
}

// A filter means the same to the interpreter and to the compiler, whatever the event.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExpression(t, 3)
		f, err := filter.Parse(e.text)
		if err != nil {
			t.Fatalf("%s: %v", e.text, err)
		}
		again, err := filter.Parse(f.String())
		if err != nil {
			t.Fatalf("%s, written as %s: %v", e.text, f, err)
		}
		for range 4 {
			w := drawWorld(t)
			want := e.meaning(w)
			if got := f.Compile(w.event.Class, "web").Match(w.event, w.time); got != want {
				t.Fatalf("%s\nis %v, want %v for %s", e.text, got, want, w.event.AppendText(nil))
			}
			if got := again.Compile(w.event.Class, "web").Match(w.event, w.time); got != want {
				t.Fatalf("%s\nwritten as %s is %v, want %v", e.text, f, got, want)
			}
		}
	})
}

// A pattern fits what the recursive definition says.
func TestGlobModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		glob := rapid.StringMatching(`[*?abä]{0,8}`).Draw(t, "glob")
		s := rapid.StringMatching(`[abä]{0,10}`).Draw(t, "text")
		g, err := filter.NewGlob(glob)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := g.Match([]byte(s)), naiveGlob(glob, []rune(s)); got != want {
			t.Fatalf("%q fits %q: %v, want %v", s, glob, got, want)
		}
	})
}
