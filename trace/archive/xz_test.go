package archive

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/ulikunitz/xz"
)

func sample(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = "synchroscope"[r.IntN(12)]
	}
	return b
}

// Everything that the writer of ulikunitz/xz can be told to write is read back.
func TestXZReadsBack(t *testing.T) {
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
			got, err := io.ReadAll(newXZ(bytes.NewReader(makeXZ(t, want, c))))
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
		got, err := io.ReadAll(newXZ(bytes.NewReader(file)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("padding %d: came back %d bytes, error %v", padding, len(got), err)
		}
	}
	if _, err := io.ReadAll(newXZ(bytes.NewReader(append(bytes.Clone(one), 0, 0, 0)))); err != io.ErrUnexpectedEOF {
		t.Errorf("padding of three bytes: error %v", err)
	}
	if _, err := io.ReadAll(newXZ(bytes.NewReader(append(bytes.Clone(one), "rest"...)))); err == nil {
		t.Error("what follows a stream was ignored")
	}
}

// Whatever bit of an xz file is wrong, wrong data never passes. (The compressed
// size of a chunk may be wrong unnoticed: the decoder finds the end itself.)
func TestXZFlips(t *testing.T) {
	want := sample(180)
	file := makeXZ(t, want, xz.WriterConfig{BlockSize: 120, DictCap: 1 << 16})
	for i := range file {
		for bit := range 8 {
			damaged := bytes.Clone(file)
			damaged[i] ^= 1 << bit
			if got, err := io.ReadAll(newXZ(bytes.NewReader(damaged))); err == nil && !bytes.Equal(got, want) {
				t.Errorf("byte %d bit %d: %d wrong bytes and no error", i, bit, len(got))
			}
		}
	}
}

func TestXZTooManyDictionaries(t *testing.T) {
	// Each block holds a byte, wants 64 MiB, and does not tell its size.
	file := makeXZ(t, sample(10), xz.WriterConfig{BlockSize: 1, DictCap: xzDictionary})
	_, err := io.ReadAll(newXZ(bytes.NewReader(file)))
	if _, ok := err.(refusal); !ok {
		t.Errorf("got error %v, want a refusal", err)
	}
}
