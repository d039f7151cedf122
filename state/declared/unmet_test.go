package declared_test

import (
	"slices"
	"testing"

	"synchroscope/state/declared"
	"synchroscope/trace"
	"synchroscope/trace/tracetest"
)

// What no class has is told, line by line, with the names that may be meant; what only some have is nothing to tell of.
func TestUnmet(t *testing.T) {
	var classes []*trace.Class
	var source tracetest.Source
	for _, ev := range source.Parse(t, `
1 cpu=0 app:begin number=1 url="/a" | vtid=1
2 cpu=0 app:end number=1 | vtid=1
3 cpu=0 app:event number=1 | vtid=1
`) {
		classes = append(classes, ev.Class)
	}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"spans s\nbegin app:begin id=number what=url\nend app:end id=number", nil},
		{"spans s\nbegin app:* id=number what=url\nend app:* id=vtid", []string{
			"line 3: end app:*: nothing comes of it, for line 2, begin app:* of spans s, is before it and takes all events that fit",
		}},
		{"spans s\nbegin app:b* id=number what=url\nend app:* id=vtid", nil},
		{"calls c\nbegin app:begin what=vtid\nend app:end", nil},
		{"spans s\nbegin app:begim id=number\nend nothing:alike id=number", []string{
			"begin app:begim: no trace has an event with that name; is app:begin meant?",
			"end nothing:alike: no trace has an event with that name",
		}},
		{"spans s\nbegin app:begin id=numbr,url what=numbr\nend app:e* id=number,url", []string{
			"begin app:begin: no such event has a field numbr; is number meant?",
			"end app:e*: no such event has a field url",
		}},
		{"calls c\nbegin app:begin\nend app:end\nspans s\nbegin app:begin id=number\nend app:e* id=number", []string{
			"line 5: begin app:begin: nothing comes of it, for line 2, begin app:begin of calls c, is before it and takes all events that fit",
		}},
		{"spans s\nbegin app:begin id=missing\nend app:end id=number\nspans t\nbegin app:b* id=number\nend app:end id=number", []string{
			"begin app:begin: no such event has a field missing",
			"line 6: end app:end: nothing comes of it, for line 3, end app:end of spans s, is before it and takes all events that fit",
		}},
		{"calls c\nbegin app:begin row=thread what=url\nend app:end row=number what=vpid", []string{
			"begin app:begin: no such event has a field thread",
			"end app:end: no such event has a field vpid; is vtid meant?",
		}},
	} {
		d, err := declared.Parse("d", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Unmet(classes, nil); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Of a line nothing can come of it is told why, by its number.
func TestUnmetNothingComes(t *testing.T) {
	member := func(name string, of *trace.Type) trace.Member { return trace.Member{Name: name, Type: of} }
	n := member("n", integer(32))
	more := append(either(), n)
	apps := []*trace.Class{
		class(t, 0, "my:on", true, append(more, member("f", float(64)), member("w", &trace.Type{Kind: trace.String}))...),
		class(t, 1, "my:off", true, n),
		class(t, 2, "my:other", true, member("m", integer(32))),
		class(t, 3, "bare:on", false, n),
		class(t, 4, "bare:off", false, n),
		class(t, 5, "shared", true, n),
	}
	kernel := []*trace.Class{class(t, 0, "block_rq_issue", true, n), class(t, 1, "block_rq_complete", true, n), class(t, 2, "shared", true, n, member("k", integer(32)))}
	const thread = "calls without row= are those of a thread, and no event that fits tells its thread; record it with lttng add-context -u -t vtid, or say with row= whose they are"
	const theirs = "only traces of the kernel have events with that name, and states are declared of those of applications"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"spans io\nbegin block_rq_issue id=n\nend block_rq_c* id=missing", []string{
			"line 2: begin block_rq_issue: nothing comes of it, for " + theirs,
			"line 3: end block_rq_c*: nothing comes of it, for " + theirs,
		}},
		{"spans io\nbegin shared id=k\nend block_rq_* id=n", []string{
			"begin shared: no such event has a field k; is n meant?",
			"line 3: end block_rq_*: nothing comes of it, for " + theirs,
		}},
		{"spans io\nbegin block_rq_isue id=n\nend my:off id=n", []string{"begin block_rq_isue: no trace has an event with that name"}},
		{"calls c\nbegin my:on row=f\nend my:off row=n", []string{"line 2: begin my:on: nothing comes of it, for row wants an integer, and f of my:on is a number with a fraction"}},
		{"calls c\nbegin my:on row=n\nend my:on row=w", []string{"line 3: end my:on: nothing comes of it, for row wants an integer, and w of my:on is a text"}},
		{"calls c\nbegin my:on row=f what=no\nend my:off row=n", []string{
			"begin my:on: no such event has a field no; is n meant?",
			"line 2: begin my:on: nothing comes of it, for row wants an integer, and f of my:on is a number with a fraction",
		}},
		{"calls c\nbegin bare:on\nend bare:off", []string{
			"line 2: begin bare:on: nothing comes of it, for " + thread,
			"line 3: end bare:off: nothing comes of it, for " + thread,
		}},
		{"calls c\nbegin *:on\nend *:off", nil},
		{"calls c\nbegin bare:on row=n\nend bare:off row=n", nil},
		{"spans s\nbegin my:* id=f,m\nend my:off id=n,n", []string{"line 2: begin my:*: nothing comes of it, for no event that fits has all fields that it names: my:on has no m"}},
		{"spans s\nbegin my:on id=v.x,v.y\nend my:off id=n,n", []string{
			"line 2: begin my:on: nothing comes of it, for no my:on has both v.x and v.y: they are of two options of one variant",
		}},
		{"spans s\nbegin my:on id=v.x\nbegin my:on id=v.y\nend my:off id=n", nil},
		{"spans s\nbegin my:on id=v.x\nbegin my:on id=n\nend my:off id=n", nil},
		{"spans s\nbegin my:on id=v.x\nbegin my:on id=v.x\nend my:off id=n", []string{
			"line 3: begin my:on: nothing comes of it, for line 2, begin my:on of spans s, is before it and takes all events that fit",
		}},
		{"spans s\nbegin my:on id=n\nbegin my:on id=v.x\nend my:off id=n", []string{
			"line 3: begin my:on: nothing comes of it, for line 2, begin my:on of spans s, is before it and takes all events that fit",
		}},
	} {
		d, err := declared.Parse("d", c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Unmet(apps, kernel); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
