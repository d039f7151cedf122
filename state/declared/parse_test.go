package declared_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/declared"
)

const both = "calls a\nbegin x\nend y\n"

// A text that cannot be meant is refused, with its line and why.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hello", `d:1: a line begins with calls, spans, begin or end, not with "hello"`},
		{"begin x", "d:1: a line with calls NAME or spans NAME must come before the first begin"},
		{"calls", "d:1: calls wants one name, here are 0"},
		{"calls a b", "d:1: calls wants one name, here are 2"},
		{"calls " + strings.Repeat("a", 101), "d:1: the name of a kind has more than 100 bytes"},
		{"calls a\nbegin", "d:2: begin wants the name of an event"},
		{"calls a\nbegin what=x", "d:2: begin wants the name of an event"},
		{"calls a\nbegin [", "d:2: the set"},
		{"calls a\nbegin x what", `d:2: "what" is not of the form NAME=VALUE`},
		{"calls a\nbegin x what=", `d:2: "what=" is not of the form NAME=VALUE`},
		{"calls a\nbegin x what=y what=z", "d:2: what is given twice"},
		{"calls a\nbegin x colour=red", `d:2: there is no option "colour"`},
		{"calls a\nbegin x as=busy", "d:2: as is user, syscall, blocked or wait, not"},
		{"calls a\nbegin x id=y", "d:2: calls have no id"},
		{"calls a\nbegin x what=y text=z", "d:2: what and text both name the state"},
		{"calls a\nend x as=wait", "d:2: text and as go with begin"},
		{"calls a\nend x text=" + strings.Repeat("a", 101), "d:2: what text is given has more than 100 bytes"},
		{"calls a\nbegin x row=r\nend x", "d:3: either all events of a have a row or none"},
		{"spans a\nbegin x", "d:2: id=FIELD,... is missing"},
		{"spans a\nbegin x id=,", "d:2: id does not name 1 to 8 fields"},
		{"spans a\nbegin x id=1,2,3,4,5,6,7,8,9", "d:2: id does not name 1 to 8 fields"},
		{"spans a\nbegin x id=y row=z", "d:2: spans have rows of their own"},
		{"spans a\nbegin x id=y\nend x id=y,z", "d:3: the ids of a have 1 fields, this has 2"},
		{"calls a\nbegin x", "d:1: a wants at least one begin and one end"},
		{"calls a\nbegin x\ncalls b", "d:3: before this line: a wants at least one begin and one end"},
		{"calls lock\nbegin a:lock text=holding as=blocked\nend a:unlock what=name", "d:2: nothing ends what a:lock begins: each end of lock says with what= which one it ends, and this begin has no what="},
		{both + "calls l\nend u what=n\nbegin p what=n\nbegin q", "d:7: nothing ends what q begins: each end of l"},
		{both + both, "d:4: a is declared twice"},
		{"calls a\n" + strings.Repeat("begin x\n", 257), "d:258: more than 256 events are declared"},
		{strings.Repeat("#", declared.MaxDeclarations+1), "d has more than 65536 bytes"},
	} {
		if _, err := declared.Parse("d", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestAccepted(t *testing.T) {
	for _, text := range []string{"", "\n\n# nothing\n", both, "spans s # c\nbegin\tx id=a,b what=c as=blocked\r\nend x id=a,b\n" + both,
		"calls l\nbegin p\nbegin q what=n\nend u what=n\nend v\n", "calls l\nbegin p what=n\nend u\n", "spans s\nbegin x id=a\nend y id=a what=b\n"} {
		if _, err := declared.Parse("d", text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// What was taken before it was refused is taken still, so that an import that had begun goes on.
func TestTaken(t *testing.T) {
	const text = "calls lock\nbegin a:lock text=holding\nend a:unlock what=name\n"
	if _, err := declared.ParseTaken("d", text); err != nil {
		t.Error(err)
	}
	if _, err := declared.ParseTaken("d", "hello"); err == nil {
		t.Error("whatever it is, it is taken")
	}
}

// Whatever the text is, it is refused in words or taken.
func FuzzParse(f *testing.F) {
	f.Add(both)
	f.Add("spans s\nbegin x* id=a.b what=c as=wait\nend [a-z] id=a\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := declared.Parse("d", text); err != nil && !strings.HasPrefix(err.Error(), "d") {
			t.Errorf("the error %q does not begin with the name", err)
		}
	})
}

// The limits hold: deep stacks, many rows, many names, ids that never end.
func TestLimits(t *testing.T) {
	d, err := declared.Parse("d", "calls a\nbegin in what=n\nend out\nspans s\nbegin on id=n\nend off id=n\n")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "%d cpu=0 in n=%d | vtid=1\n", i, i)
	}
	for i := range 300 {
		fmt.Fprintf(&b, "%d cpu=0 out | vtid=1\n", 300+i)
	}
	h := run(t, d, b.String())
	if q := h.Writer.Attributes().Match("Threads/1/Stack/*"); len(q) != 256 {
		t.Errorf("%d levels are kept, want 256", len(q))
	}
	if v, _ := h.Writer.Ongoing(h.Writer.Attributes().Lookup("Threads", "1", "Stack")); !v.IsNull() {
		t.Errorf("after as many ends as begins the depth is %v", v)
	}

	b.Reset()
	for i := range 1<<14 + 10 {
		fmt.Fprintf(&b, "%d cpu=0 in n=%d | vtid=1\n", i, i)
	}
	fmt.Fprintln(&b, "20000 cpu=0 in n=20000 | vtid=2")
	h = run(t, d, b.String())
	if n := h.Writer.History().Stats().Strings; n != 1<<14+1 {
		t.Errorf("%d names are kept, want 16384 and that of the kind", n)
	}
	if v, _ := h.Writer.Ongoing(h.Writer.Attributes().Lookup("Threads", "2", "Function")); h.Writer.History().String(v) != "a" {
		t.Errorf("a state past the names that are kept is called %q, want as its kind", h.Writer.History().String(v))
	}

	b.Reset()
	for i := range 5000 {
		fmt.Fprintf(&b, "%d cpu=0 on n=%d\n", i, i)
	}
	h = run(t, d, b.String())
	if rows, _ := h.model.Threads(0); len(rows) != 4096+1 {
		t.Errorf("%d rows of spans, want 4096 and that of their kind", len(rows))
	}
}
