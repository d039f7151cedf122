// Package texttest makes trace directories from text, for the tests of whatever reads traces.
package texttest

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/trace/ctf/text"
)

// Dir makes a directory with the traces of a txtar archive: each file whose name ends with
// .trace is a text of docs/format/text.md and becomes the directory of that name without
// the ending; other files are written as they are. What stands before the first file, a comment in
// txtar, is a trace too unless it is blank: that of the directory itself.
//
//	-- web/kernel.trace --
//	ctf 1.8 le
//	…
func Dir(t testing.TB, archive string) string {
	t.Helper()
	dir := t.TempDir()
	name, body := ".trace", ""
	finish := func() {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if traceDir, ok := strings.CutSuffix(file, ".trace"); ok {
			if strings.TrimSpace(body) == "" {
				return
			}
			if err := text.Write(traceDir, path.Base(name), body); err != nil {
				t.Fatal(err)
			}
			return
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for line := range strings.Lines(archive) {
		if mark, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(mark, " --") {
			finish()
			name, body = strings.TrimSpace(strings.TrimSuffix(mark, "--")), ""
			if !filepath.IsLocal(name) {
				t.Fatalf("%q is no name of a file below a directory", name)
			}
			continue
		}
		body += line
	}
	finish()
	return dir
}

// Counted is the head of a trace whose packets have numbers, count the events that were lost, and hold events e; env are lines such as hostname="web".
// Files with their packets follow.
func Counted(env ...string) string {
	var b strings.Builder
	b.WriteString("ctf 1.8 le\n")
	for _, e := range env {
		b.WriteString("env " + e + "\n")
	}
	b.WriteString(`clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); content_size u64; packet_size u64; packet_seq_num u64; events_discarded u64; cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event 0 e
`)
	return b.String()
}

// Functions is a recording of the program shopd on web, which enters a function at 2 s and another at 3 s, with where it was loaded.
const Functions = `
-- ust.trace --
ctf 1.8 le
env hostname="web"
env domain="ust"
clock c freq=1000000000
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {id u8; timestamp u64:clock(c)}
event-context {_vtid i32; _vpid i32; _procname string}
event 1 lttng_ust_statedump:bin_info
  fields {_baddr u64:hex; _memsz u64; _path string; _is_pic u8}
event 2 lttng_ust_cyg_profile:func_entry
  fields {addr u64:hex}
file s
packet cpu=0
1.000000000 lttng_ust_statedump:bin_info baddr=0x55000000 memsz=16384 path="/srv/shopd" is_pic=1 | vtid=12 vpid=11 procname="shopd"
2.000000000 lttng_ust_cyg_profile:func_entry addr=0x55001206 | vtid=12 vpid=11 procname="shopd"
3.000000000 lttng_ust_cyg_profile:func_entry addr=0x55001300 | vtid=12 vpid=11 procname="shopd"
`
