package ingest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/query"
	"synchroscope/trace/ctf/text/texttest"
)

const functions = texttest.Functions

const symbolsOfShop = "bin/shopd:0000000000001206 T handle(int)\n"

// functionsSet is the recording, with what its functions are called beside it, if that is not "".
func functionsSet(t *testing.T, text, symbols string) string {
	t.Helper()
	dir := texttest.Dir(t, text)
	if symbols != "" {
		if err := os.WriteFile(filepath.Join(dir, "synchroscope-symbols"), []byte(symbols), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inFunctions are the functions that the program is in at 2.5 and at 3 s.
func inFunctions(t *testing.T, s *Set) string {
	t.Helper()
	h := s.Hosts()[0]
	var names []string
	for _, at := range []int64{25e8, 3e9} {
		d, err := query.At(t.Context(), h.History(), h.History().Attributes().Lookup("Threads", "12"), at)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, d.Function)
	}
	return strings.Join(names, ", ")
}

// Functions are called as nm says, where they lie in their program if it does not, and by their addresses where nothing tells where it was loaded. What
// would tell more is said.
func TestNamesOfFunctions(t *testing.T) {
	const unloads = "lttng enable-event -u 'lttng_ust_dl:*,lttng_ust_lib:*'; "
	for _, c := range []struct {
		symbols          string
		unplaced         bool
		want, lacks, odd string
	}{
		{symbols: symbolsOfShop, want: "handle(int), shopd+0x1300", lacks: unloads, odd: "nameless-functions: 1 of 2 functions were entered that nothing tells the names of: they lie in shopd, and"},
		{want: "shopd+0x1206, shopd+0x1300", lacks: unloads + "nm -A -C -S --defined-only PROGRAM > synchroscope-symbols; "},
		{unplaced: true, want: "0x55001206, 0x55001300", lacks: "lttng enable-event -u 'lttng_ust_statedump:*,lttng_ust_dl:*,lttng_ust_lib:*'; "},
		{symbols: symbolsOfShop, unplaced: true, want: "0x55001206, 0x55001300", lacks: "lttng enable-event -u 'lttng_ust_statedump:*,lttng_ust_dl:*,lttng_ust_lib:*'; ", odd: "unmet-symbols: no trace tells where programs and libraries were loaded"},
		{symbols: symbolsOfShop + "what\n", want: "shopd+0x1206, shopd+0x1300", lacks: unloads + "nm -A -C", odd: `unreadable-declarations: `},
	} {
		text := functions
		if c.unplaced {
			text = strings.ReplaceAll(text, "lttng_ust_statedump:bin_info", "app:other")
		}
		dir := functionsSet(t, text, c.symbols)
		s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", dir)
		if got := inFunctions(t, s); got != c.want {
			t.Errorf("%q, unplaced %t: in %s, not %s", c.symbols, c.unplaced, got, c.want)
		}
		lacks := ""
		for _, l := range s.Report().Missing {
			if l.Views[0] == "names of functions" {
				lacks += l.Command + "; "
			}
		}
		if !strings.HasPrefix(lacks, c.lacks) || c.lacks == "" && lacks != "" {
			t.Errorf("%q, unplaced %t: lacks %q, not %q", c.symbols, c.unplaced, lacks, c.lacks)
		}
		odd := ""
		for _, o := range s.Report().Anomalies {
			if o.What == "" || o.Means == "" {
				t.Errorf("%s has no words", o.Kind)
			}
			odd += o.Kind + ": " + o.Places[0].Message
		}
		if !strings.HasPrefix(odd, c.odd) || c.odd == "" && odd != "" {
			t.Errorf("%q, unplaced %t: odd is %q, not %q", c.symbols, c.unplaced, odd, c.odd)
		}
	}
}

// A whole set whose text of what functions are called is damaged or gone is exported without it: what is shown is in the histories.
func TestExportWithoutSymbols(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", functionsSet(t, functions, symbolsOfShop))
	want := inFunctions(t, s)
	for _, spoil := range []func(path string) error{
		func(path string) error { return os.WriteFile(path, []byte(strings.ToUpper(symbolsOfShop)), 0o600) },
		os.Remove,
	} {
		if err := spoil(s.path(symbolsFile)); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.Export(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		whole, err := importWhole(t, openEngine(t, t.TempDir(), Options{}), out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(whole.path(symbolsFile)); !errors.Is(err, fs.ErrNotExist) || inFunctions(t, whole) != want {
			t.Errorf("elsewhere in %s, and of the text %v", inFunctions(t, whole), err)
		}
	}
}

// What functions are called goes along with a whole set, which can be read again elsewhere.
func TestSymbolsOfAWholeSet(t *testing.T) {
	s := importPath(t, openEngine(t, t.TempDir(), Options{}), "set", functionsSet(t, functions, symbolsOfShop))
	want := inFunctions(t, s)
	var out bytes.Buffer
	if err := s.Export(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	e := openEngine(t, dir, Options{})
	whole, err := importWhole(t, e, out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := inFunctions(t, whole); got != want {
		t.Errorf("elsewhere in %s, not %s", got, want)
	}
	closeEngine(t, e)
	_, whole = readOver(t, dir, func(*Set) {})
	if got := inFunctions(t, whole); got != want {
		t.Errorf("read again elsewhere in %s, not %s", got, want)
	}
}

// An import that goes on calls functions as it began to, or says that it cannot, and keeps the traces.
func TestSymbolsOfAnImportThatGoesOn(t *testing.T) {
	for what, spoil := range map[string]func(path string) error{
		"as it was": func(string) error { return nil },
		"damaged": func(path string) error {
			flipped(t, path, func(b []byte) int { return bytes.IndexByte(b, 'h') })
			return nil
		},
		"empty":    func(path string) error { return os.Truncate(path, 0) },
		"gone":     os.Remove,
		"a folder": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		dir := t.TempDir()
		e := openEngine(t, dir, Options{})
		s := importPath(t, e, "set", functionsSet(t, functions, symbolsOfShop))
		want := inFunctions(t, s)
		closeEngine(t, e)
		e = openEngine(t, dir, Options{})
		if err := spoil(e.Sets()[0].path(symbolsFile)); err != nil {
			t.Fatal(err)
		}
		_, s = begunAnew(t, dir, e)
		err := s.Wait(t.Context())
		if what == "as it was" {
			if got := inFunctions(t, s); err != nil || got != want {
				t.Errorf("read again in %s, not %s: %v", got, want, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "symbols") {
			t.Errorf("%s: the import ends with %v", what, err)
		}
		if !s.row.Again {
			t.Errorf("%s: the traces of the set are not kept", what)
		}
	}
}
