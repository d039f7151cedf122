package archive

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ulikunitz/xz/lzma"
)

// Blocks that are decoded beside each other.
//
// Decoding LZMA takes longer than all else that is done with an archive, and
// the blocks of an xz file do not depend on each other. xz with threads, its
// default since 5.6, writes blocks of 24 MiB and their sizes in front of them.
// Such a block is decoded by a goroutine of its own while its compressed bytes
// are still being read, which may mean: while they arrive. Nothing is read
// before its turn, and the decoded bytes are handed out in order, so what comes
// out, and every error, is the same at any speed and on any number of processors.
//
// What we chose not to do: more blocks at once (two of 24 MiB are memory enough
// for an upload, and two processors are at work), or decoding ahead where sizes
// are not declared: where the next block begins is not known then.

const (
	xzAhead = 2        // blocks under way
	xzSmall = 32 << 20 // bytes that a block may have, compressed or not, to be decoded ahead
	xzPiece = 64 << 10 // bytes of output kept together: a few milliseconds of work
	xzRest  = 5 * time.Millisecond
)

// small tells whether the block may be decoded ahead.
func (b *xzBlock) small() bool {
	return 0 <= b.compressed && b.compressed <= xzSmall && 0 <= b.uncompressed && b.uncompressed <= xzSmall
}

// An xzDecodement is a block that is being decoded, or is.
type xzDecodement struct {
	mu         sync.Mutex
	more       sync.Cond
	compressed [][]byte // as far as they are read, without those that are decoded
	over       error    // what follows compressed, nil while more may come

	busy   func() bool // as in Limits
	wanted atomic.Bool // somebody reads it

	decoded  sync.Cond // a piece more, or all
	pieces   [][]byte  // not yet read
	err      error     // io.EOF if all is well; valid once done is closed, as is the next
	panicked any       // what the decoder has panicked with, nil if it has not
	done     chan struct{}
}

// errXZStopped ends decoding that nobody waits for.
var errXZStopped = errors.New("xz: stopped")

// startAhead starts to decode the block and reads its bytes from the input, to the beginning of the next.
func (z *xzReader) startAhead(b *xzBlock) error {
	d := &xzDecodement{done: make(chan struct{}), busy: z.busy}
	d.more.L, d.decoded.L = &d.mu, &d.mu
	b.ahead, b.r = d, d
	go d.run(b)
	buf := make([]byte, min(b.compressed, 64<<10))
	for left := b.compressed; left > 0; {
		n, err := io.ReadFull(&z.in, buf[:min(left, int64(len(buf)))])
		if err != nil {
			d.stop()
			return unexpected(err)
		}
		d.feed(buf[:n])
		left -= int64(n)
	}
	d.close(io.EOF)
	if err := z.passBlock(b, b.compressed, b.uncompressed); err != nil {
		d.stop()
		return err
	}
	return nil
}

// run decodes. That the block is as long as declared, on both sides, is part of it.
func (d *xzDecodement) run(b *xzBlock) {
	defer d.end()
	defer func() { d.panicked = recover() }()
	in := bufio.NewReaderSize(xzFeed{d}, 32<<10)
	r, err := lzma.Reader2Config{DictCap: int(b.dictionary)}.NewReader2(in)
	for out := int64(0); err == nil; {
		piece := make([]byte, min(xzPiece, b.uncompressed-out+1)) // one more than there should be
		var n int
		n, err = io.ReadFull(r, piece)
		if err == io.ErrUnexpectedEOF && r.EOS() {
			err = io.EOF
		}
		if out += int64(n); out > b.uncompressed {
			err = errXZFormat
		}
		if b.check != nil {
			b.check.Write(piece[:n])
		}
		d.hand(piece[:n])
		runtime.Gosched() // who answers a page waits for this, and not for the runtime to interrupt decoders
		d.rest()
		if err == io.EOF && out < b.uncompressed {
			err = errXZFormat
		}
	}
	if _, after := in.ReadByte(); err == io.EOF && after != io.EOF || err == io.ErrUnexpectedEOF {
		err = errXZFormat // the chunks end before or after where they should
	}
	d.err = err
}

// rest waits while somebody else needs the processor and nobody what this block holds.
func (d *xzDecodement) rest() {
	for d.busy != nil && !d.wanted.Load() && d.busy() && !d.stopped() {
		time.Sleep(xzRest)
	}
}

func (d *xzDecodement) stopped() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.over == errXZStopped
}

func (d *xzDecodement) hand(piece []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(piece) > 0 {
		d.pieces = append(d.pieces, piece)
	}
	d.decoded.Signal()
}

func (d *xzDecodement) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.done)
	d.decoded.Signal()
}

// Read hands out what was decoded, as soon as it is. It panics where the decoder has: whoever reads knows what to do about it.
func (d *xzDecodement) Read(p []byte) (int, error) {
	d.wanted.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.pieces) == 0 {
		select {
		case <-d.done:
			if d.panicked != nil {
				panic(d.panicked)
			}
			return 0, d.err
		default:
			d.decoded.Wait()
		}
	}
	return takeFrom(&d.pieces, p), nil
}

// takeFrom copies some of the first piece, and lets go of that when it is at its end.
func takeFrom(pieces *[][]byte, p []byte) int {
	first := &(*pieces)[0]
	n := copy(p, *first)
	if *first = (*first)[n:]; len(*first) == 0 {
		*first = nil
		*pieces = (*pieces)[1:]
	}
	return n
}

func (d *xzDecodement) feed(p []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.compressed = append(d.compressed, bytes.Clone(p))
	d.more.Signal()
}

func (d *xzDecodement) close(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.over = err
	d.more.Signal()
}

// stop ends the decoding, and waits until it has.
func (d *xzDecodement) stop() {
	d.close(errXZStopped)
	<-d.done
}

// An xzFeed reads the compressed bytes of a block, waiting for them.
type xzFeed struct{ d *xzDecodement }

func (f xzFeed) Read(p []byte) (int, error) {
	d := f.d
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.compressed) == 0 && d.over == nil {
		d.more.Wait()
	}
	if d.over == errXZStopped || len(d.compressed) == 0 {
		return 0, d.over
	}
	return takeFrom(&d.compressed, p), nil
}
