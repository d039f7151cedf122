package symbol_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/symbol"
)

// What nm prints, in whichever way it is asked, tells the same functions.
func TestWaysOfNm(t *testing.T) {
	const functions = `
%[1]s0000000000004048 D data_start
%[1]s0000000000001206 %[2]sT handle
%[1]s00000000000011b9 %[2]st shop::parse(std::string, int)
%[1]s                 %[3]sU printf@GLIBC_2.2.5
%[1]s                 %[3]sw _ITM_registerTMCloneTable
`
	of := func(prefix, size, room string) string { return fmt.Sprintf(functions, prefix, size, room) }
	const size, room = "0000000000000056 ", "                 "
	for name, text := range map[string]string{
		"-A":                  of("./bin/shopd:", "", "") + of("/usr/lib/libshop.so.1:", "", ""),
		"-A -S":               of("./bin/shopd:", size, room) + of("/usr/lib/libshop.so.1:", size, room),
		"several files":       "\nbin/shopd:\n" + of("", "", "") + "\nlib/libshop.so.1:\n" + of("", "", ""),
		"several files, -S":   "\nbin/shopd:\n" + of("", size, room) + "\nlib/libshop.so.1:\n" + of("", size, room),
		"ends of Windows":     strings.ReplaceAll(of("shopd:", "", "")+of("libshop.so.1:", "", ""), "\n", "\r\n"),
		"-l":                  strings.ReplaceAll(of("shopd:", "", "")+of("libshop.so.1:", "", ""), "\n", "\t/home/me/a b/shop.c:17\n"),
		"a colon in the path": of("a:b/shopd:", "", "") + of("x y/libshop.so.1:", "", ""),
	} {
		table, err := symbol.Parse("s", text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := table.Files(); !slices.Equal(got, []string{"libshop.so.1", "shopd"}) {
			t.Errorf("%s: files %q", name, got)
		}
		for _, file := range table.Files() {
			for address, want := range map[uint64]string{0x1206: "handle", 0x11b9: "shop::parse(std::string, int)"} {
				if got, offset, ok := table.Function(file, address); got != want || offset != 0 || !ok {
					t.Errorf("%s: at %#x of %s is %q + %d, %t, not %q", name, address, file, got, offset, ok, want)
				}
			}
			if got, _, ok := table.Function(file, 0x4048); ok {
				t.Errorf("%s: data is the function %q", name, got)
			}
		}
	}
}

// Names of files that look like what else nm prints, and symbols without names, are read as they are meant.
func TestOddFiles(t *testing.T) {
	for _, c := range []struct{ text, file string }{
		{"deadbeef:0000000000001206 T f\n", "deadbeef"},
		{"\ndeadbeef:\n0000000000001206 T f\n", "deadbeef"},
		{"my: lib.so:0000000000001206 T f\nmy: lib.so:                 U a: b\n", "my: lib.so"},
		{"a/my lib.so:00001206 T f\n", "my lib.so"},
		{"p:0000000000000000 a \np:0000000000001206 T f\n", "p"},
		{"nm: q: no symbols\np:0000000000001206 T f\n", "p"},
		{"x:0000000000001139:0000000000001206 T f\n", "x:0000000000001139"},
		{strings.Repeat(strings.Repeat("a/", 200)+"p:0000000000001206 T f\n", 70), "p"},
		{"p:0000000000001206 T f\n" + strings.Repeat(":a", 1<<19) + ":\n", "p"},
	} {
		table, err := symbol.Parse("s", c.text)
		if err != nil {
			t.Errorf("%.60q: %v", c.text, err)
			continue
		}
		if name, _, ok := table.Function("/x/"+c.file, 0x1206); name != "f" || !ok {
			t.Errorf("%.60q: no f in %s, but %q", c.text, c.file, table.Files())
		}
	}
}

// Of several files with one name that holds whose path ends like the one that is asked for; where some that do differ, nothing is known.
func TestSeveralOfOneName(t *testing.T) {
	table, err := symbol.Parse("s", `
old/bin/p:00001000 T a
old/bin/p:00002000 T same
new/bin/p:00001000 T b
new/bin/p:00002000 T same
new/bin/p:00003000 T only

new/bin/p:00001000 T c
new/bin/p:00002000 T same
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		address uint64
		want    string
	}{
		{"/srv/old/bin/p", 0x1000, "a"}, {"/srv/old/bin/p", 0x3000, ""}, {"/srv/new/bin/p", 0x1000, ""}, {"/srv/new/bin/p", 0x2000, "same"},
		{"/srv/new/bin/p", 0x3000, "only"}, {"/usr/p", 0x1000, ""}, {"p", 0x2000, "same"}, {"bin/p", 0x1000, ""}, {"/srv/q", 0x1000, ""},
	} {
		if name, _, ok := table.Function(c.path, c.address); name != c.want || ok != (c.want != "") {
			t.Errorf("%#x of %s is %q, %t, not %q", c.address, c.path, name, ok, c.want)
		}
	}
	if got := table.Doubtful(); !slices.Equal(got, []string{"p"}) {
		t.Errorf("in doubt are %q", got)
	}
	if table, err = symbol.Parse("s", "p:00001000 T a\np:00002000 T b\n\np:00001000 00000010 W a\n\np:00003000 T c\n"); err != nil || table.Doubtful() != nil {
		t.Errorf("lists that agree are in doubt: %q, %v", table.Doubtful(), err)
	}
}

// An address in a function is in it only as far as its size tells, and of several names of an address the one that more see holds.
func TestWithin(t *testing.T) {
	table, err := symbol.Parse("s", "p:00001000 00000010 T a\np:00001020 T b\np:00001030 00000010 t local\np:00001030 00000010 W weak\np:00001030 00000010 T seen\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		address uint64
		want    string
	}{{0xfff, ""}, {0x1000, "a+0"}, {0x100f, "a+15"}, {0x1010, ""}, {0x1020, "b+0"}, {0x1021, ""}, {0x1030, "seen+0"}, {0x103f, "seen+15"}, {0x1040, ""}, {1 << 63, ""}} {
		got := ""
		if name, offset, ok := table.Function("p", c.address); ok {
			got = fmt.Sprintf("%s+%d", name, offset)
		}
		if got != c.want {
			t.Errorf("%#x is in %q, not %q", c.address, got, c.want)
		}
	}
	if _, _, ok := table.Function("q", 0x1000); ok {
		t.Error("a file that nothing is known of has a function")
	}
	if _, _, ok := (*symbol.Table)(nil).Function("p", 0x1000); ok {
		t.Error("an empty table has a function")
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"hello\n", `s:1: "hello" is no line of what nm prints`},
		{"p:0000000000001206 handle\n", "s:1:"},
		{"p:00001206 T a\n\n00001206\n", "s:3:"},
		{"0000000000001206 T handle\n", "s:1: of which file this is, is not said; nm -A says it"},
		{"   :\n", "s:1:"},
		{"a.so:\n                 U puts\n\n0000000000000010 T f\n", "s:4: of which file"},
		{"p: f T 1206 10\n", "s:1:"},
		{strings.Repeat("a/p:00001206 T f\nb/p:00001206 T f\n", 33), "s:65: this is the beginning of list 65 of files called p"},
		{"\x7fELF\x02\x01\x01\n", "s:1:"},
		{strings.Repeat("\n", symbol.MaxText+1), "s has more than 4194304 bytes"},
	} {
		if _, err := symbol.Parse("s", c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %s", c.text, err, c.want)
		}
	}
}

// Whatever functions there are, each address is in the one that a search of all tells.
func TestAgainstAll(t *testing.T) {
	type function struct {
		address, size uint64
		name          string
	}
	rapid.Check(t, func(rt *rapid.T) {
		texts := make(map[string]string)
		all := make(map[string][]function)
		for i := range rapid.IntRange(0, 40).Draw(rt, "functions") {
			file := rapid.SampledFrom([]string{"p", "q.so"}).Draw(rt, "file")
			f := function{rapid.Uint64Range(0, 200).Draw(rt, "address"), rapid.Uint64Range(0, 20).Draw(rt, "size"), fmt.Sprint("f", i)}
			if slices.ContainsFunc(all[file], func(g function) bool { return g.address == f.address }) {
				continue
			}
			all[file] = append(all[file], f)
			texts[file] += fmt.Sprintf("%s:%016x %016x t %s\n", file, f.address, f.size, f.name)
		}
		table, err := symbol.Parse("s", texts["p"]+texts["q.so"])
		if err != nil {
			rt.Fatal(err)
		}
		for file, list := range all {
			for address := range uint64(230) {
				want, from := "", uint64(0)
				for _, f := range list { // the one that begins last at or before it
					if f.address <= address && (want == "" || f.address > from) {
						want, from = "", f.address
						if address == f.address || address-f.address < f.size {
							want = f.name
						} else {
							want = "-"
						}
					}
				}
				got, offset, ok := table.Function(file, address)
				if ok != (want != "" && want != "-") || ok && (got != want || offset != address-from) {
					rt.Fatalf("%d of %s is in %q + %d, %t, not in %q", address, file, got, offset, ok, want)
				}
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add("shopd:0000000000001206 0000000000000056 T handle\nshopd:                 U printf\n\nlib.so:\n00001206 W a::b(c: d)\n")
	f.Add("a:b: c\n :\n::\n: 00000000 T x")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := symbol.Parse("s", text)
		if err != nil {
			return
		}
		for _, file := range table.Files() {
			table.Function(file, 0x1206)
			table.Function(file, 0)
		}
	})
}
