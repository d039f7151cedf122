package ctf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"synchroscope/internal/raced"
	"synchroscope/trace"
)

// A vastFile is a file of any size, of zeros behind its first bytes, that counts what is read of it.
type vastFile struct {
	begin []byte
	reads int
	bytes int64
}

func (f *vastFile) ReadAt(b []byte, off int64) (int, error) {
	f.reads++
	f.bytes += int64(len(b))
	clear(b)
	if off < int64(len(f.begin)) {
		copy(b, f.begin[off:])
	}
	return len(b), nil
}

const vastMetadata = `trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; } magic; }; };
stream { packet.context := struct { integer { size = 64; } packet_size; integer { size = 64; } content_size; }; };
event { name = e; fields := struct { integer { size = 64; } n; integer { size = 8; } s[n]; string t; }; };`

// vast opens a stream over a file of 2^50 bytes that begins with a packet of the given sizes and words.
func vast(t testing.TB, size, content uint64, words ...uint64) (*stream, *vastFile) {
	t.Helper()
	tr, err := openText(t, vastMetadata)
	if err != nil {
		t.Fatal(err)
	}
	f := &vastFile{begin: binary.LittleEndian.AppendUint32(nil, magicNumber)}
	for _, w := range append([]uint64{size, content}, words...) {
		f.begin = binary.LittleEndian.AppendUint64(f.begin, w)
	}
	p := part{plan: tr.plan, own: map[*streamClass][]*trace.Class{tr.plan.streams[0]: tr.plan.streams[0].classes}}
	s := &stream{part: p, files: []file{{part: p}}, sink: quiet{}}
	s.win = window{file: f, size: 1 << 50, own: make([]byte, defaultWindow+trace.Spare), lender: &lender{}}
	return s, f
}

// What a packet claims costs nothing: how much is read and held is bounded by what is
// there to be read of it, not by what it says.
func TestClaimsCostNothing(t *testing.T) {
	raced.Alone(t)
	for _, size := range []uint64{1 << 60, 1<<64 - 8, maxPacket + 8, 7, 12, 0} {
		s, f := vast(t, size, size)
		var p packet
		_, err := s.plan.readPacket(&s.win, 0, &p, &s.event, nil)
		var bad *fault
		if !errors.As(err, &bad) || !bad.fatal || bad.kind != "bad-packet" {
			t.Errorf("a packet of %d bits: %v", size, err)
		}
		if f.reads > 1 || len(s.win.buf) > defaultWindow+trace.Spare {
			t.Errorf("a packet of %d bits: %d reads into %d bytes", size, f.reads, len(s.win.buf))
		}
	}
	// Behind it another packet is searched, and not for ever.
	s, f := vast(t, 1<<60, 1<<60)
	if at, ok, err := s.search(0); ok || err != nil {
		t.Errorf("found a packet at %d: %v", at, err)
	}
	if f.bytes > 2*maxSearch {
		t.Errorf("%d bytes were searched, want at most %d", f.bytes, 2*maxSearch)
	}
	// Nor are packets believed for ever that only begin like one.
	s, f = vast(t, 1<<60, 1<<60)
	f.begin = bytes.Repeat(f.begin[:4], maxSearch)
	if at, ok, err := s.search(0); ok || err != nil || s.mistaken != maxMistaken {
		t.Errorf("found a packet at %d of nothing but beginnings: %v, after %d", at, err, s.mistaken)
	}
	if f.bytes > 2*4*maxMistaken {
		t.Errorf("%d bytes were searched for %d packets", f.bytes, maxMistaken)
	}
	// A length that the packet cannot hold is refused where it stands.
	for n, want := range map[uint64]bool{1 << 60: false, 1<<64 - 1: false, 1 << 40: false, 3: true} {
		s, f := vast(t, 1<<42, 1<<42, n)
		if err := s.enter(0); err != nil {
			t.Fatal(err)
		}
		if ok, err := s.decode(); ok != want || err != nil || f.reads > 1 {
			t.Errorf("a sequence of %d bytes: decoded %v, %v, after %d reads", n, ok, err, f.reads)
		}
	}
	// A string without an end is read as far as the largest event goes.
	s, f = vast(t, 1<<42, 1<<42)
	f.begin = append(binary.LittleEndian.AppendUint64(f.begin, 0), bytes.Repeat([]byte{'x'}, 3*maxEvent)...)
	if err := s.enter(0); err != nil {
		t.Fatal(err)
	}
	if ok, err := s.decode(); ok || err != nil || f.bytes > 4*maxEvent || len(s.win.buf) > 2*maxEvent+trace.Spare {
		t.Errorf("a string without an end: decoded %v, %v, %d bytes read into %d", ok, err, f.bytes, len(s.win.buf))
	}
}

// A packet that claims 2⁶⁰ bits, in a file that may hold as many as it likes, is refused in microseconds.
func BenchmarkRefuse(b *testing.B) {
	s, _ := vast(b, 1<<60, 1<<60)
	var p packet
	for b.Loop() {
		s.win.n = 0 // as if nothing had been read
		if _, err := s.plan.readPacket(&s.win, 0, &p, &s.event, s.packed); err == nil {
			b.Fatal("it is believed")
		}
	}
}

var _ io.ReaderAt = (*vastFile)(nil)
