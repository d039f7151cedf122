package declared_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/state/kernel/kerneltest"
	"synchroscope/state/symbol"
)

// Why functions have no names is told from one in twenty on, and not where nothing tells what is loaded.
func TestNameless(t *testing.T) {
	const (
		loads   = `1 cpu=0 lttng_ust_statedump:bin_info baddr=0x1000 memsz=0x1000 path="/srv/shopd" is_pic=1 | vtid=7 vpid=7`
		named   = `2 cpu=0 lttng_ust_cyg_profile:func_entry addr=0x1010 | vtid=7 vpid=7`
		place   = `2 cpu=0 lttng_ust_cyg_profile:func_entry addr=0x1020 | vtid=7 vpid=7`
		nowhere = `2 cpu=0 lttng_ust_cyg_profile:func_entry addr=0x9000 | vtid=7 vpid=7`
		nobody  = `2 cpu=0 lttng_ust_cyg_profile_fast:func_entry addr=0x1010 | vtid=8`
	)
	times := func(n int, line string) []string { return strings.Split(strings.Repeat(line+"\n", n), "\n")[:n] }
	for _, c := range []struct {
		lines []string
		text  string
		want  []string
	}{
		{lines: append([]string{loads}, times(19, named)...), text: "shopd:00000010 T f\n"},
		{lines: append([]string{loads, place}, times(20, named)...), text: "shopd:00000010 T f\n"},
		{lines: append([]string{loads, place}, times(19, named)...), text: "shopd:00000010 T f\n", want: []string{"1 of 20 functions were entered that nothing tells the names of: they lie in shopd, and"}},
		{lines: append([]string{loads, place}, times(18, named)...)},
		{lines: []string{loads, named, nowhere}, text: "shopd:00000010 T f\n", want: []string{"1 of 2 functions were entered where nothing is known to be loaded"}},
		{lines: []string{loads, nobody}, want: []string{"1 of 1 functions were entered in events that do not tell of which process they are"}},
		{lines: []string{named, nobody}},
	} {
		h := newHost(t, nil)
		if c.text != "" {
			table, err := symbol.Parse("s", c.text)
			if err != nil {
				t.Fatal(err)
			}
			h.symbols, h.model.Symbols = table, table
		}
		steps, _ := kerneltest.Parse(t, strings.Join(c.lines, "\n")+"\n")
		for _, s := range steps {
			h.take(t, s)
		}
		h.restart(t)
		all := h.model.Nameless()
		bad := len(all) != len(c.want)
		for i := 0; !bad && i < len(all); i++ {
			bad = !strings.HasPrefix(all[i].Message, c.want[i]) || all[i].Kind != "nameless-functions"
		}
		if bad {
			t.Errorf("%d lines with %q: told %s, not %q", len(c.lines), c.text, fmt.Sprint(all), c.want)
		}
	}
}
