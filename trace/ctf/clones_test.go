package ctf

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Kernels of one clock uuid that ran side by side, by their cycles or by their days, under two names are two hosts; with one name, or one after the other, they are one. Applications are of the
// kernel with their name.
func TestClones(t *testing.T) {
	for _, test := range []struct {
		name   string
		traces []string // NAME DOMAIN ORIGIN BEGIN END
		want   string
	}{
		{"by cycles", []string{"a kernel 900 10 60", "b kernel 100000 50 90", "b ust 100000 55 70", "a ust 900 20 30"}, "a:0,3 b:1,2"},
		{"by days", []string{"a kernel 900 10 40", "b kernel 860 60 90", "pod ust 900 20 30"}, "a:0 b:1 pod:2"},
		{"one after the other", []string{"a kernel 900 10 40", "b kernel 960 50 90"}, "a:0,1"},
		{"one name", []string{"a kernel 900 10 60", "a kernel 100000 50 90"}, "a:0,1"},
		{"containers", []string{"a kernel 900 10 60", "pod ust 900 50 90"}, "a:0,1"},
	} {
		root := t.TempDir()
		for i, says := range test.traces {
			var name, domain string
			var origin, begin, end int
			fmt.Sscan(says, &name, &domain, &origin, &begin, &end)
			declared := fmt.Sprintf("env { hostname = %q; domain = %q; };\nclock { name = c; uuid = \"00000000-0000-0000-0000-000000000001\"; freq = 1000000000; offset = %d; };", name, domain, origin)
			writeChunk(t, filepath.Join(root, fmt.Sprint(i)), clockedMetadata(i, declared), map[string]string{
				"s": fmt.Sprintf("00 u8=64 u8=%d u8=%d u8=0 u8=0  01 u8=%d", begin, end, begin+1),
			})
		}
		traces := openAll(t, root)
		for _, way := range []string{"", ", the other way round"} {
			var got []string
			for _, h := range Group(traces) {
				var parts []string
				for _, tr := range h.Traces {
					parts = append(parts, filepath.Base(tr.Dir()))
				}
				slices.Sort(parts)
				got = append(got, h.Name+":"+strings.Join(parts, ","))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%s%s: %s, want %s", test.name, way, strings.Join(got, " "), test.want)
			}
			traces = openAll(t, root)
			slices.Reverse(traces)
		}
	}
}
