package ctf

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const chunkMetadata = `typealias integer { size = 8; align = 8; } := u8;
trace { major = 1; minor = 8; byte_order = le; uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";
	packet.header := struct { u8 stream_instance_id; }; };
stream { packet.context := struct { u8 packet_size; u8 timestamp_begin; u8 timestamp_end; u8 events_discarded; u8 packet_seq_num; };
	event.header := struct { u8 id; u8 timestamp; }; };
event { name = a; id = 1; };
`

// clockedMetadata is that of a chunk with a number of its own, whose times are of the clock that a text declares, called c, behind what else it declares.
func clockedMetadata(number int, declared string) string {
	text := strings.Replace(chunkMetadata, "0c0d0e0f", fmt.Sprintf("0c0d0e%02d", number), 1)
	text = strings.Replace(text, "stream {", declared+"\ntypealias integer { size = 8; align = 8; map = clock.c.value; } := t8;\nstream {", 1)
	text = strings.Replace(text, "u8 timestamp_begin; u8 timestamp_end;", "t8 timestamp_begin; t8 timestamp_end;", 1)
	return strings.Replace(text, "u8 timestamp;", "t8 timestamp;", 1)
}

// writeChunk writes a directory of a rotated session.
func writeChunk(t *testing.T, dir, metadata string, streams map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "metadata"), []byte(metadata), false)
	for name, words := range streams {
		b, err := assemble(words)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), b, false)
	}
}

// The chunks of a rotated session are read as one: what is counted along a stream goes
// on from one to the next, and each packet is read by the metadata of its chunk.
func TestChunksAreJoined(t *testing.T) {
	root := t.TempDir()
	// instance, packet size in bits, begin, end, discarded, number; events
	writeChunk(t, filepath.Join(root, "kernel"), chunkMetadata+"event { name = b; id = 2; };", map[string]string{
		"c_0": "00 u8=80 u8=30 u8=40 u8=5 u8=4  02 u8=31  01 u8=32",
		"c_1": "u8=1 u8=64 u8=30 u8=40 u8=0 u8=0  02 u8=33",
	})
	writeChunk(t, filepath.Join(root, "archives", "20260102-1", "kernel"), chunkMetadata, map[string]string{
		"c_0": "00 u8=64 u8=10 u8=15 u8=2 u8=0  01 u8=11 \n 00 u8=64 u8=16 u8=20 u8=3 u8=1  01 u8=17",
		"c_1": "",
	})
	writeChunk(t, filepath.Join(root, "archives", "20260102-2", "kernel"), chunkMetadata, map[string]string{
		"c_0": "00 u8=64 u8=21 u8=25 u8=3 u8=2  01 u8=22",
	})
	traces := openAll(t, root)
	if r := Recordings(traces); len(r) != 1 || len(r[0]) != 3 {
		t.Fatalf("%d recordings, the first of %d parts; want 1 of 3", len(r), len(r[0]))
	}
	if h := Group(traces); len(h) != 1 || h[0].Name != filepath.Base(root) {
		t.Errorf("hosts %+v, want one that is called after the session", h)
	}
	var out strings.Builder
	r := newReader(t, traces)
	drain(t, r, &out)
	want := `lost 2 on cpu -1 from 10 to 15
0.000000011 a
lost 1 on cpu -1 from 15 to 20
0.000000017 a
0.000000022 a
lost 2 on cpu -1 from 25 to 40
0.000000031 b
0.000000032 a
0.000000033 b
3× lost-events in kernel/c_0 at 0: 2 events were lost by the end of this packet
1× lost-packets in kernel/c_0 at 0: packet 3 is missing
`
	if got := strings.ReplaceAll(out.String(), "lost 1 packets on cpu -1 from 25 to 30\n", ""); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// From any place on it goes on the same.
	for n := range 6 {
		one, two := newReader(t, traces), newReader(t, traces)
		for range n {
			if _, err := one.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if err := two.Seek(one.Position()); err != nil {
			t.Fatal(err)
		}
		var a, b strings.Builder
		drain(t, one, &a)
		drain(t, two, &b)
		if a.String() != b.String() {
			t.Errorf("after %d events\n%s\nmoved there\n%s", n, a.String(), b.String())
		}
	}
}

// What only looks like chunks is left apart: other domains, other uuids, other hosts, and
// directories that LTTng has not laid out. Copies are not.
func TestRecordings(t *testing.T) {
	stream := map[string]string{"c_0": "00 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=11"}
	at := func(ns int) map[string]string {
		return map[string]string{"c_0": fmt.Sprintf("00 u8=64 u8=%d u8=%d u8=0 u8=1  01 u8=%d", ns-1, ns+4, ns)}
	}
	later := at(21)
	other := strings.Replace(chunkMetadata, "0e0f", "0e00", 1)
	root := t.TempDir()
	writeChunk(t, filepath.Join(root, "a/kernel"), chunkMetadata, stream)
	writeChunk(t, filepath.Join(root, "b/kernel"), chunkMetadata, later)
	writeChunk(t, filepath.Join(root, "c/kernel"), chunkMetadata, stream) // a copy of a
	writeChunk(t, filepath.Join(root, "d/ust/uid/0/64-bit"), chunkMetadata, at(31))
	writeChunk(t, filepath.Join(root, "e/kernel"), other, later)
	writeChunk(t, filepath.Join(root, "f"), chunkMetadata, at(41))
	writeChunk(t, filepath.Join(root, "g/kernel"), chunkMetadata+`env { hostname = "other"; };`, later)
	var got []string
	for _, r := range Recordings(openAll(t, root)) {
		var parts []string
		for _, p := range r {
			parts = append(parts, filepath.ToSlash(p.dir[len(root)+1:]))
		}
		got = append(got, strings.Join(parts, "+"))
	}
	want := "[a/kernel+b/kernel+c/kernel d/ust/uid/0/64-bit e/kernel f g/kernel]"
	if fmt.Sprint(got) != want {
		t.Errorf("recordings %v, want %s", got, want)
	}
}

// The recording of a session rotated twice, of two processes, is two traces.
func TestRotatedSession(t *testing.T) {
	recordings := Recordings(openAll(t, unpack(t, "session-rotation.tar.gz")))
	if len(recordings) != 2 {
		t.Fatalf("%d recordings, want 2", len(recordings))
	}
	for _, parts := range recordings {
		r := newReader(t, parts)
		files := 0
		for _, l := range r.lanes {
			files = max(files, len(l.stream.files))
		}
		if len(parts) != 3 || files != 3 {
			t.Errorf("%d parts, a stream of %d files, want 3 of each", len(parts), files)
		}
		var out strings.Builder
		drain(t, r, &out)
		if n := strings.Count(out.String(), "\n"); n != 133 || len(r.Anomalies()) > 0 {
			t.Errorf("%d events, want 133 without anomalies: %v", n, r.Anomalies())
		}
	}
}

// The directories of this archive say how many packets are lost.
func TestLostPackets(t *testing.T) {
	for dir, want := range map[string]string{
		"2-lost-before-last": "[2]", "2-streams-lost-in-1": "[2]", "2-streams-lost-in-2": "[1 2 3]",
		"7-lost-between-2-with-index": "[7]", "no-lost": "[]", "no-lost-not-starting-at-0": "[]",
	} {
		r := newReader(t, openAll(t, filepath.Join(unpack(t, "packet-seq-num.tar.gz"), "packet-seq-num", dir)))
		for _, err := r.Next(); err == nil; _, err = r.Next() {
		}
		var lost []int64
		late := 0 // streams that do not begin with their first packet
		for _, l := range r.Losses() {
			if l.Begin == math.MinInt64 && l.Count == 0 && l.Packets == 0 {
				late++
				continue
			}
			lost = append(lost, l.Packets)
		}
		if late > 0 != (dir == "no-lost-not-starting-at-0") {
			t.Errorf("%s: of %d streams it is not known what was before", dir, late)
		}
		slices.Sort(lost)
		if got := fmt.Sprint(lost); got != want {
			t.Errorf("%s: %s packets are lost, want %s", dir, got, want)
		}
		told := int64(0)
		for _, a := range r.Anomalies() {
			if told += a.Count; a.Kind != "lost-packets" {
				t.Errorf("%s: %+v", dir, a)
			}
		}
		if told != int64(len(lost)) {
			t.Errorf("%s: %d anomalies for %d gaps", dir, told, len(lost))
		}
	}
}

// A trace that is given twice is read once, and the reader tells so.
func TestCopies(t *testing.T) {
	root := t.TempDir()
	stream := map[string]string{"c_0": "00 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=11", "c_1": "u8=1 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=12"}
	for _, dir := range []string{"x/kernel", "y/kernel", "z"} {
		writeChunk(t, filepath.Join(root, dir), chunkMetadata, stream)
	}
	other := map[string]string{"c_0": stream["c_0"], "c_1": "u8=1 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=13"}
	writeChunk(t, filepath.Join(root, "similar"), chunkMetadata, other)
	hosts := Group(openAll(t, root))
	if len(hosts) != 2 || len(hosts[1].Traces) != 3 {
		t.Fatalf("hosts %+v, want the copies on one and the other trace on its own", hosts)
	}
	var out strings.Builder
	r := newReader(t, hosts[1].Traces)
	drain(t, r, &out)
	want := `0.000000011 a
0.000000012 a
1× copy in y/kernel at 0: the trace is a copy of x/kernel; it is not read
1× copy in z at 0: the trace is a copy of x/kernel; it is not read
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
	if n := hosts[1].Traces[0].Info().Bytes; r.Bytes() != 3*n {
		t.Errorf("%d bytes consumed of three times %d", r.Bytes(), n)
	}
	if n, err := newReader(t, hosts[1].Traces).Count(); err != nil || fmt.Sprint(n) != "[2 0 0]" {
		t.Errorf("counted %d: %v", n, err)
	}
}

// What is left of a trace in a damaged archive, some of its streams, is a copy of that part of it, wherever the whole trace
// comes: nothing is counted twice.
func TestCopyOfPart(t *testing.T) {
	stream := map[string]string{"c_0": "00 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=11", "c_1": "u8=1 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=12"}
	part := map[string]string{"c_1": stream["c_1"]}
	changed := map[string]string{"c_1": "u8=1 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=13"}
	for _, places := range [][]string{{"a/kernel", "b/kernel", "c"}, {"b/kernel", "a/kernel", "c"}, {"c", "b/kernel", "a/kernel"}} {
		root := t.TempDir()
		for i, streams := range []map[string]string{stream, part, part} {
			writeChunk(t, filepath.Join(root, places[i]), chunkMetadata, streams)
		}
		traces := openAll(t, root)
		hosts := Group(traces)
		if len(hosts) != 1 || len(hosts[0].Traces) != 3 {
			t.Fatalf("%v: hosts %+v", places, hosts)
		}
		var out strings.Builder
		r := newReader(t, hosts[0].Traces)
		drain(t, r, &out)
		if got := out.String(); strings.Count(got, " a\n") != 2 || strings.Count(got, "the trace is a copy of a part of "+places[0]+"; it is not read") != 2 {
			t.Errorf("%v: got\n%s", places, got)
		}
		if len(Recordings(traces)) != 1 {
			t.Errorf("%v: they are %d recordings", places, len(Recordings(traces)))
		}
	}
	root := t.TempDir()
	writeChunk(t, filepath.Join(root, "a/kernel"), chunkMetadata, stream)
	writeChunk(t, filepath.Join(root, "b/kernel"), chunkMetadata, changed)
	if of := copied(openAll(t, root)); len(of) != 0 {
		t.Errorf("one that differs is taken for a copy: %v", of)
	}
}

// What is left of two archives of one trace that are damaged in different places has streams in common: each is read once.
func TestCopiesOfStreams(t *testing.T) {
	stream := func(i int) string { return fmt.Sprintf("u8=%d u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=1%d", i, i+1) }
	for _, places := range [][]string{{"a/kernel", "b/kernel"}, {"b/kernel", "a/kernel"}, {"a", "b"}} {
		root := t.TempDir()
		writeChunk(t, filepath.Join(root, places[0]), chunkMetadata, map[string]string{"c_0": stream(0), "c_1": stream(1), "c_2": stream(2), "c_4": ""})
		writeChunk(t, filepath.Join(root, places[1]), chunkMetadata, map[string]string{"c_1": stream(1), "c_2": stream(2), "c_3": stream(3), "c_4": ""})
		hosts := Group(openAll(t, root))
		var traces []*Trace
		for _, h := range hosts {
			traces = append(traces, h.Traces...)
		}
		var out strings.Builder
		r := newReader(t, traces)
		drain(t, r, &out)
		want := `0.000000011 a
0.000000012 a
0.000000013 a
0.000000014 a
1× copy in ` + traces[1].place() + ` at 0: 2 stream files are copies of those of ` + traces[0].place() + `; what is there twice is read once
`
		if out.String() != want {
			t.Errorf("%v: got\n%s\nwant\n%s", places, out.String(), want)
		}
		if n := traces[0].Info().Bytes + traces[1].Info().Bytes; r.Bytes() != n {
			t.Errorf("%v: %d bytes consumed of %d", places, r.Bytes(), n)
		}
		if n, err := newReader(t, traces).Count(); err != nil || fmt.Sprint(n) != "[3 1]" {
			t.Errorf("%v: counted %d: %v", places, n, err)
		}
	}
}

// A trace whose clock has no uuid belongs to the host of its name, unless there are two of them.
func TestGroupByName(t *testing.T) {
	root := t.TempDir()
	for dir, env := range map[string]string{
		"s1/kernel": "h1 clock1", "s1/ust/uid/0/64-bit": "h1 -", "s2/ust": "h1 -", // one host
		"s3/kernel": "h2 clock2", "s3/ust": "h2 -", "s4/kernel": "h2 clock3", "s4/ust": "h2 -", "s5/ust": "h2 -", // two, and one of which nobody knows
		"s6/kernel": "h3 clock4", "s7/kernel": "h4 clock4", // one clock, two names
		"s8/kernel": "h5 -", "s9/kernel": "h5 -",
	} {
		name, clock, _ := strings.Cut(env, " ")
		text := minimal + fmt.Sprintf("env { hostname = %q; };\n", name)
		if id, ok := strings.CutPrefix(clock, "clock"); ok {
			text += fmt.Sprintf("clock { name = m; uuid = \"11111111-6cee-11e0-8c08-cb07d7b3a56%s\"; };\n", id)
		}
		writeChunk(t, filepath.Join(root, dir), text+"event { name = a; };", nil)
	}
	var got []string
	for _, h := range Group(openAll(t, root)) {
		var parts []string
		for _, p := range h.Traces {
			parts = append(parts, filepath.ToSlash(p.dir[len(root)+1:]))
		}
		got = append(got, h.Name+": "+strings.Join(parts, " "))
	}
	want := `h1: s1/kernel s1/ust/uid/0/64-bit s2/ust
h2: s3/kernel s3/ust
h2 (2): s4/kernel s4/ust
h2 (3): s5/ust
h3: s6/kernel s7/kernel
h5: s8/kernel s9/kernel`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}

// What a file that is cut has lost of its last packet is missing up to where the next file of the stream begins, and what that packet counts as discarded was so by then.
func TestCutAmidStream(t *testing.T) {
	root := t.TempDir()
	// instance, packet size in bits, begin, end, discarded, number; events
	writeChunk(t, root, chunkMetadata, map[string]string{
		"c_0": "00 u8=64 u8=10 u8=15 u8=0 u8=0  01 u8=11 \n 00 u8=96 u8=15 u8=15 u8=3 u8=1  01 u8=17",
		"c_1": "00 u8=64 u8=20 u8=25 u8=3 u8=2  01 u8=22",
	})
	var out strings.Builder
	drain(t, newReader(t, openAll(t, root)), &out)
	want := `0.000000011 a
lost 3 on cpu -1 from 15 to 20
0.000000017 a
lost what cannot be read on cpu -1 from 17 to 20
0.000000022 a
`
	if got := out.String(); !strings.HasPrefix(got, want) {
		t.Errorf("read\n%s\nwant\n%s", got, want)
	}
}
