package archive

import (
	"bytes"
	"io"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"

	"synchroscope/internal/raced"
)

func sample(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "synchroscope"[r.IntN(12)]
	}
	return b
}

func readXZ(file []byte) ([]byte, error) {
	z := newXZ(bytes.NewReader(file))
	defer z.stop()
	return io.ReadAll(z)
}

// Everything that the writer of ulikunitz/xz can be told to write is read back.
func TestXZReadsBack(t *testing.T) {
	raced.Alone(t)
	for name, c := range map[string]xz.WriterConfig{
		"defaults":     {},
		"CRC32":        {CheckSum: xz.CRC32},
		"SHA-256":      {CheckSum: xz.SHA256},
		"no check":     {NoCheckSum: true},
		"many blocks":  {BlockSize: 3000},
		"largest dict": {DictCap: xzDictionary},
	} {
		for _, n := range []int{0, 1, 2, 3, 1000, 100_001} {
			want := sample(n)
			got, err := readXZ(makeXZ(t, want, c))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: of %d bytes came back %d, error %v", name, n, len(got), err)
			}
		}
	}
}

// A file may be several streams with padding of whole words between and after them.
func TestXZStreams(t *testing.T) {
	one, two := makeXZ(t, sample(1000), xz.WriterConfig{}), makeXZ(t, sample(10), xz.WriterConfig{CheckSum: xz.CRC32})
	want := append(sample(1000), sample(10)...)
	for _, padding := range []int{0, 4, 8} {
		file := append(append(bytes.Clone(one), make([]byte, padding)...), two...)
		file = append(file, make([]byte, padding)...)
		got, err := readXZ(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("padding %d: came back %d bytes, error %v", padding, len(got), err)
		}
	}
	if _, err := readXZ(append(bytes.Clone(one), 0, 0, 0)); err != io.ErrUnexpectedEOF {
		t.Errorf("padding of three bytes: error %v", err)
	}
	if _, err := readXZ(append(bytes.Clone(one), "rest"...)); err == nil {
		t.Error("what follows a stream was ignored")
	}
}

// Blocks that are decoded beside each other come out in order, whatever their number and length.
func TestXZAhead(t *testing.T) {
	for _, n := range []int{0, 1, 2999, 3000, 3001, 100_001} {
		for _, block := range []int{1000, 3000, xzPiece} {
			want := sample(n)
			got, err := readXZ(makeSizedXZ(t, want, block))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes in blocks of %d: came back %d, error %v", n, block, len(got), err)
			}
		}
	}
	large := sample(3*xzPiece + 7)
	got, err := readXZ(makeSizedXZ(t, large, 2*xzPiece))
	if err != nil || !bytes.Equal(got, large) {
		t.Errorf("a block of several pieces: came back %d bytes of %d, error %v", len(got), len(large), err)
	}
}

// While somebody else needs the processor a block that is read is decoded, and the one ahead of its turn waits until it is read, or
// the other has done, or nobody wants it any more. What comes out is the same.
func TestXZBusy(t *testing.T) {
	want := sample(16 * xzPiece)
	file := makeSizedXZ(t, want, 8*xzPiece)
	begin := func() (z *xzReader, busy *atomic.Bool) {
		z, busy = newXZ(bytes.NewReader(file)), new(atomic.Bool)
		busy.Store(true)
		z.busy = busy.Load
		if _, err := io.ReadFull(z, make([]byte, 8*xzPiece-1)); err != nil {
			t.Fatal(err)
		}
		return z, busy
	}
	pieces := func(b *xzBlock) int {
		b.ahead.mu.Lock()
		defer b.ahead.mu.Unlock()
		return len(b.ahead.pieces)
	}

	z, _ := begin()
	time.Sleep(10 * xzRest)
	if n := pieces(z.queue[1]); n > 1 {
		t.Errorf("%d pieces of the next block are decoded", n)
	}
	rest, err := io.ReadAll(z)
	if err != nil || !bytes.Equal(rest, want[8*xzPiece-1:]) {
		t.Errorf("%d bytes came back, error %v", len(rest), err)
	}

	z, busy := begin()
	busy.Store(false)
	<-z.queue[1].ahead.done
	z.stop()

	z, _ = begin()
	z.stop()
	for _, b := range z.queue {
		<-b.ahead.done
	}
}

// Who stops to read leaves nothing at work.
func TestXZStop(t *testing.T) {
	file := makeSizedXZ(t, sample(4*xzPiece), xzPiece)
	z := newXZ(bytes.NewReader(file))
	if _, err := z.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	if len(z.queue) != xzAhead {
		t.Fatalf("%d blocks under way, want %d", len(z.queue), xzAhead)
	}
	z.stop()
	for i, b := range z.queue {
		select {
		case <-b.ahead.done:
		default:
			t.Errorf("block %d is still being decoded", i)
		}
	}
}

// A decoder that panics does so where its block is read, and not beside it, where it would end the process.
func TestXZPanic(t *testing.T) {
	d := &xzDecodement{done: make(chan struct{})}
	d.more.L, d.decoded.L = &d.mu, &d.mu
	d.close(io.EOF)
	go d.run(nil)
	defer func() {
		if recover() == nil {
			t.Error("reading a block did not panic as its decoder did")
		}
	}()
	d.Read(make([]byte, 1))
}

// Whatever bit of an xz file is wrong, wrong data never passes. (The compressed
// size of a chunk may be wrong unnoticed: the decoder finds the end itself.)
func TestXZFlips(t *testing.T) {
	want := sample(180)
	for name, file := range map[string][]byte{
		"blocks of unknown length": makeXZ(t, want, xz.WriterConfig{BlockSize: 120, DictCap: lzma.MinDictCap}),
		"blocks of known length":   makeSizedXZ(t, want, 120),
	} {
		for i := range file {
			for bit := range 8 {
				damaged := bytes.Clone(file)
				damaged[i] ^= 1 << bit
				if got, err := readXZ(damaged); err == nil && !bytes.Equal(got, want) {
					t.Errorf("%s: byte %d bit %d: %d wrong bytes and no error", name, i, bit, len(got))
				}
			}
			if _, err := readXZ(file[:i]); err != io.ErrUnexpectedEOF {
				t.Errorf("%s: cut after %d bytes: error %v", name, i, err)
			}
		}
	}
}

func TestXZTooManyDictionaries(t *testing.T) {
	raced.Alone(t)
	// Each block holds a byte, wants 64 MiB, and does not tell its size.
	file := makeXZ(t, sample(10), xz.WriterConfig{BlockSize: 1, DictCap: xzDictionary})
	_, err := readXZ(file)
	if _, ok := err.(refusal); !ok {
		t.Errorf("got error %v, want a refusal", err)
	}
}
