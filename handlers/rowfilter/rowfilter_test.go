package rowfilter_test

import (
	"testing"

	"synchroscope/handlers/rowfilter"
)

// one is all that is known of a deed that has one value.
func one(v rowfilter.Value) rowfilter.Values {
	return rowfilter.Values{Known: true, Some: []rowfilter.Value{v}}
}

func TestOf(t *testing.T) {
	moment := rowfilter.Subject{Host: "web1", Name: "worker", Process: "nginx", TID: 42, PID: 40, PPID: 1}
	moment.Deeds[rowfilter.Status] = one(rowfilter.Value{Number: 1})
	moment.Deeds[rowfilter.Syscall] = one(rowfilter.Value{Text: "futex"})
	moment.Deeds[rowfilter.CPU] = one(rowfilter.Value{Number: 3})
	moment.Deeds[rowfilter.Priority] = rowfilter.Values{Known: true, Absent: true}
	alone := moment
	alone.Deeds = [rowfilter.Deeds]rowfilter.Values{}
	const yes, no, perhaps = rowfilter.Always, rowfilter.Never, rowfilter.Perhaps
	for _, c := range []struct {
		text            string
		alone, atMoment rowfilter.Verdict
	}{
		{`host==web1 && status==blocked && syscall=~"futex"`, perhaps, yes},
		{`system_call =~ "futex" && has(System_call)`, perhaps, yes},
		{`name != system_call`, yes, yes},
		{`futex == System_call`, perhaps, yes},
		{`host == "web1"`, yes, yes},
		{`web1 == host`, yes, yes},
		{`host != web1`, no, no},
		{`host == web2 && status == blocked`, no, no},
		{`host == web1 || status == blocked`, yes, yes},
		{`name =~ "w*er"`, yes, yes},
		{`name !~ "w*"`, no, no},
		{`process == nginx && tid != pid`, yes, yes},
		{`tid == 42.0`, yes, yes},
		{`41 < tid && tid <= 42`, yes, yes},
		{`tid == 42.5`, no, no},
		{`ppid == 1`, yes, yes},
		{`status == running`, perhaps, no},
		{`status != running`, perhaps, yes},
		{`status == syscall`, perhaps, no},
		{`status == kernel`, perhaps, no},
		{`status =~ "block*"`, perhaps, yes},
		{`status !~ "block*"`, perhaps, no},
		{`status == 1`, perhaps, yes},
		{`!(status == blocked)`, perhaps, no},
		{`cpu >= 3`, perhaps, yes},
		{`prio == 20`, perhaps, no},
		{`prio != 20`, perhaps, no},
		{`!(prio == 20)`, perhaps, yes},
		{`has(prio) || has(cpu)`, perhaps, yes},
		{`has(tid)`, yes, yes},
		{`function == "run"`, perhaps, perhaps},
	} {
		f, err := rowfilter.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if got := f.Of(&alone); got != c.alone {
			t.Errorf("%s of the thread alone: %d, want %d", c.text, got, c.alone)
		}
		if got := f.Of(&moment); got != c.atMoment {
			t.Errorf("%s at a moment: %d, want %d", c.text, got, c.atMoment)
		}
	}
}

// Of values of which each was there at some time, only what holds of all is certain.
func TestOfSeveral(t *testing.T) {
	var s rowfilter.Subject
	s.Deeds[rowfilter.Status] = rowfilter.Values{Known: true, Some: []rowfilter.Value{{Number: 1}, {Number: 2}}}
	s.Deeds[rowfilter.Syscall] = rowfilter.Values{Known: true, Absent: true, Some: []rowfilter.Value{{Text: "read"}}}
	for text, want := range map[string]rowfilter.Verdict{
		`status == blocked`:                      rowfilter.Perhaps,
		`status == blocked || status == user`:    rowfilter.Perhaps,
		`status == forked`:                       rowfilter.Never,
		`status != forked`:                       rowfilter.Always,
		`syscall == read`:                        rowfilter.Perhaps,
		`syscall == write`:                       rowfilter.Never,
		`status == forked && syscall == read`:    rowfilter.Never,
		`!(status == forked && syscall == read)`: rowfilter.Always,
	} {
		f, err := rowfilter.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Of(&s); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`hots == web1`:                 `column 1: rows have no hots (did you mean host?); they have host, name, process, tid, pid, ppid, status, syscall, cpu, prio and function`,
		`status == blocked && pri > 3`: `column 22: rows have no pri (did you mean prio?); they have host, name, process, tid, pid, ppid, status, syscall, cpu, prio and function`,
		`host == web1 && x > 3`:        `column 17: rows have no x; they have host, name, process, tid, pid, ppid, status, syscall, cpu, prio and function`,
		`host == db-1`:                 `column 9: a text with other characters than letters, digits and _ goes in quotes: host == "db-1"`,
		`host == a.b`:                  `column 9: a value with other characters than letters, digits and _ stands in quotes`,
		`tid == init`:                  `column 8: tid is a number, "init" is none`,
		`status == asleep`:             `column 11: "asleep" is no status; they are unknown, blocked, user, syscall, kernel, interrupted, running (one of the four before), waiting (for a CPU), stopped and forked`,
		`status < blocked`:             `column 10: a status comes before no other: compare it by == or !=`,
		`name == tid`:                  `column 9: of name and tid one is a number, the other a text; the word stands in quotes`,
		`name == syscall`:              `column 9: syscall is the name of a field, and fields of moments are compared with values; the word stands in quotes`,
		`syscall =~ futex`:             `column 12: expected a pattern in quotes, found "futex"`,
		`has(colour)`:                  `column 5: rows have no colour; they have host, name, process, tid, pid, ppid, status, syscall, cpu, prio and function`,
		`host ==`:                      `column 8: expected a field or a value, found the end of the filter`,
		`1 == 1`:                       `column 1: expected a field on one side of the comparison, found two values`,
	} {
		_, err := rowfilter.Parse(text)
		if err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(`host==web1 && status==blocked && syscall=~"futex"`)
	f.Add(`!(has(cpu) || 5 < tid) && name !~ "[a-z]*"`)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := rowfilter.Parse(text)
		if err != nil {
			return
		}
		// What the thread alone decides no moment can change.
		var alone rowfilter.Subject
		moment := alone
		for d := range moment.Deeds {
			moment.Deeds[d] = one(rowfilter.Value{Number: 1, Text: "a"})
		}
		if v, m := parsed.Of(&alone), parsed.Of(&moment); v != rowfilter.Perhaps && v != m || m == rowfilter.Perhaps {
			t.Errorf("%q: %d of the thread alone, %d at a moment", text, v, m)
		}
	})
}
