package ctf

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"synchroscope/internal/raced"
)

// What all streams of a reader hold together does not grow with their number, the share of each does not either, and of few
// streams each has a full window.
func TestShares(t *testing.T) {
	raced.Alone(t)
	last := shareOf(0, 1, true)
	for n := range 8193 { // as many CPUs as Linux is built for
		s := shareOf(n, 1, true)
		held := n * s.batches * (s.window + s.records()*recordBytes)
		if s.batches == 0 {
			held = n * s.window
		}
		if held > allAhead || s.batches == 0 && held > allWindows && n > 1 {
			t.Errorf("%d streams hold %d bytes", n, held)
		}
		if n <= 16 && s != (share{defaultWindow, maxBatches}) {
			t.Errorf("each of %d streams has %d windows of %d bytes", n, s.batches, s.window)
		}
		if s.batches > last.batches || s.batches == last.batches && s.window > last.window {
			t.Errorf("each of %d streams has %v, of one less %v", n, s, last)
		}
		if alone := shareOf(n, 1, false); alone.batches != 0 || alone.window < s.window {
			t.Errorf("%d streams that are not decoded ahead have %v, else %v", n, alone, s)
		}
		last = s
	}
}

// Readers that go on in turn hold no more together than one, as far as none has windows that are too small for that.
func TestSharesAmongReaders(t *testing.T) {
	raced.Alone(t)
	for streams := 1; streams < 600; streams += 1 + streams/8 {
		one := shareOf(streams, 1, true)
		for among := range 100 {
			s := shareOf(streams, among, true)
			held := max(among, 1) * streams * s.batches * (s.window + s.records()*recordBytes)
			if s.batches == 0 || s.window < min(one.window, enoughAhead) || among > 1 && held > amongAhead && s.window > enoughAhead {
				t.Errorf("each of %d streams of %d readers has %v: they hold %d bytes", streams, among, s, held)
			}
		}
	}
}

// However many long streams are decoded ahead, all of it takes the memory of a few.
func TestManyStreamsAhead(t *testing.T) {
	raced.Elsewhere(t, "TestAheadIsTheSame")
	const events = 20_000
	dir := t.TempDir()
	write(t, filepath.Join(dir, "metadata"), []byte(crowdMetadata), false)
	var stream []byte
	for i := range uint64(events) {
		stream = binary.LittleEndian.AppendUint64(stream, i)
		stream = binary.LittleEndian.AppendUint64(stream, 0)
		stream = binary.LittleEndian.AppendUint64(stream, i)
	}
	last, written := 0, 0
	for _, streams := range []int{16, 128, 512} {
		for ; last < streams; last++ {
			write(t, filepath.Join(dir, fmt.Sprintf("s%04d", last)), stream[:len(stream)*16/streams], false)
			written += events * 16 / streams
		}
		traces := openAll(t, dir)
		before := allocated()
		r := newCrowdReader(t, traces, Options{Ahead: 1})
		n := 0
		for _, err := r.Next(); err != io.EOF; _, err = r.Next() {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != written {
			t.Errorf("%d events of %d streams, of %d", n, streams, written)
		}
		if took := allocated() - before; took > 16<<20 {
			t.Errorf("%d bytes were allocated for %d events of %d streams", took, n, streams)
		}
	}
}
