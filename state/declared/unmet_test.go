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
		if got := d.Unmet(classes); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
