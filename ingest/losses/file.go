package losses

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
	"sync"

	"synchroscope/ingest/blockfile"
	"synchroscope/state/varint"
)

const magic = "SYNCLOSS"

// blockRecords closes a block.
const blockRecords = 1024

// A Log is a file of losses. One goroutine adds, any number ask.
type Log struct {
	f blockfile.File

	mu     sync.RWMutex
	log    *blockfile.Writer
	synced int64 // so much of the file is durable
	blocks []block
	open   block
	reach  int64 // the greatest time of a loss, but for those without end
	buf    []byte
}

// A block is up to blockRecords losses. Those of the open one are in memory.
type block struct {
	sum      Sum
	firstEnd int64 // the least end
	offset   int64
	losses   []Loss
}

func (b *block) add(l Loss) {
	if b.sum.Times == 0 {
		b.firstEnd = l.End
	}
	b.firstEnd = min(b.firstEnd, l.End)
	b.sum = b.sum.With(SumOf(l))
}

func (q *Query) spanOf(b *block) span {
	if q.Placed {
		return span{b.sum.First, b.sum.Final, b.sum.First, b.sum.Final}
	}
	return span{b.sum.Begin, b.sum.Last, b.firstEnd, b.sum.End}
}

// Create empties f.
func Create(f blockfile.File) (*Log, error) {
	log, err := blockfile.Create(f, magic)
	if err != nil {
		return nil, err
	}
	return &Log{f: f, log: log, reach: math.MinInt64}, nil
}

// Open reads what the blocks in the first length bytes of f come to. Nothing can be added.
func Open(f blockfile.File, length int64) (*Log, error) {
	l := &Log{f: f, reach: math.MinInt64}
	var all []Loss
	err := blockfile.Walk(f, magic, length, func(offset int64, payload []byte, count int) (err error) {
		if all, err = decode(all[:0], payload, count); err != nil {
			return fmt.Errorf("block at byte %d: %w", offset, err)
		}
		b := block{offset: offset}
		for _, x := range all {
			b.add(x)
			l.reached(x)
		}
		l.blocks = append(l.blocks, b)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

// Resume cuts f to the length that Sync returned and goes on from there.
func Resume(f blockfile.File, length int64) (*Log, error) {
	l, err := Open(f, length)
	if err != nil {
		return nil, err
	}
	if l.log, err = blockfile.Append(f, magic, length); err != nil {
		return nil, err
	}
	return l, nil
}

// Add appends a loss.
func (l *Log) Add(x Loss) error {
	x.CPU, x.End = max(x.CPU, Untold), max(x.Begin, x.End)
	x.Events, x.Packets = max(x.Events, 0), max(x.Packets, 0)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open.add(x)
	l.reached(x)
	l.open.losses = append(l.open.losses, x)
	if len(l.open.losses) < blockRecords {
		return nil
	}
	return l.flush()
}

// reached takes note of the times of a loss.
func (l *Log) reached(x Loss) {
	l.reach = max(l.reach, x.Begin)
	if x.End != Endless {
		l.reach = max(l.reach, x.End)
	}
}

// endOf gives losses without end the one that a query has for them, by its clock too, and returns that. It is not before any other time.
func (l *Log) endOf(q *Query) (end int64) {
	l.mu.RLock()
	end = max(l.reach, q.Final)
	l.mu.RUnlock()
	time := q.Time
	q.Time = func(local int64) int64 {
		if local == Endless {
			local = end
		}
		if time == nil {
			return local
		}
		return time(local)
	}
	return end
}

func (l *Log) flush() error {
	b := l.open
	if len(b.losses) == 0 {
		return nil
	}
	l.buf = l.buf[:0]
	before := int64(0)
	for _, x := range b.losses {
		l.buf = x.append(l.buf, before)
		before = x.Begin
	}
	offset, err := l.log.Write(l.buf, len(b.losses))
	if err != nil {
		return err
	}
	b.offset, b.losses = offset, nil
	l.blocks = append(l.blocks, b)
	l.open = block{}
	return nil
}

// Sync makes everything added durable and returns the length of the file.
func (l *Log) Sync() (length int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.flush(); err != nil {
		return 0, err
	}
	length = l.log.End()
	if length == l.synced {
		return length, nil
	}
	if err := l.log.Sync(); err != nil {
		return 0, err
	}
	l.synced = length
	return length, nil
}

// Ask answers a query: a part for the losses before all its edges, and one for each edge. Sums are in local time.
func (l *Log) Ask(ctx context.Context, q Query) ([]Part, error) {
	end := l.endOf(&q)
	parts := make([]Part, len(q.Edges)+1)
	at := func(local int64) int {
		t := q.time(local)
		return sort.Search(len(q.Edges), func(i int) bool { return q.Edges[i] > t })
	}
	whole := func(b *block, in, beyond bool) bool {
		s := q.spanOf(b)
		part := at(s.firstBegin)
		if !in && !beyond || part != at(s.lastBegin) {
			return false
		}
		parts[part].add(b.sum, beyond)
		return true
	}
	err := l.each(ctx, &q, whole, func(x Loss, beyond bool) { parts[at(q.span(x).firstBegin)].add(SumOf(x), beyond) })
	for i := range parts {
		p := &parts[i]
		p.End, p.Beyond.End = ended(p.End, end), ended(p.Beyond.End, end)
	}
	return parts, err
}

// List returns the losses that a query asks for, whatever its edges, by when they begin; the first so many that are met, if there are more.
func (l *Log) List(ctx context.Context, q Query, most int) ([]Loss, error) {
	end := l.endOf(&q)
	var list []Loss
	err := l.each(ctx, &q, func(*block, bool, bool) bool { return len(list) >= most }, func(x Loss, _ bool) {
		if len(list) < most {
			x.End = ended(x.End, end)
			list = append(list, x)
		}
	})
	slices.SortFunc(list, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Begin, b.Begin), cmp.Compare(a.End, b.End), cmp.Compare(a.CPU, b.CPU), cmp.Compare(a.Events, b.Events), cmp.Compare(a.Packets, b.Packets), cmp.Compare(a.At, b.At))
	})
	return list, err
}

// each yields the losses in the range of a query, but for those of blocks that whole takes as they are. To that it is told whether all of a
// block are in the range, or all of it reach out of it.
func (l *Log) each(ctx context.Context, q *Query, whole func(b *block, in, beyond bool) bool, yield func(x Loss, beyond bool)) error {
	l.mu.RLock()
	blocks, open := l.blocks, l.open // what is behind their ends when more are added is not looked at
	l.mu.RUnlock()
	give := func(all []Loss) {
		for _, x := range all {
			if out, _, beyond := q.lies(q.span(x)); !out {
				yield(x, beyond)
			}
		}
	}
	var buf []byte
	var all []Loss
	for i := range blocks {
		b := &blocks[i]
		out, in, beyond := q.lies(q.spanOf(b))
		if out || whole(b, in, beyond) {
			continue
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		payload, count, _, err := blockfile.Read(l.f, b.offset, buf)
		if err != nil {
			return err
		}
		buf = payload
		if all, err = decode(all[:0], payload, count); err != nil {
			return fmt.Errorf("block at byte %d: %w", b.offset, err)
		}
		give(all)
	}
	give(open.losses)
	return nil
}

// ended is when losses end, the last of them at last, if those without end do at end.
func ended(last, end int64) int64 {
	if last == Endless {
		return end
	}
	return last
}

func (l Loss) append(b []byte, before int64) []byte {
	b = binary.AppendVarint(b, l.Begin-before)
	b = binary.AppendUvarint(b, uint64(l.End)-uint64(l.Begin))
	b = binary.AppendVarint(b, l.At-l.Begin)
	b = binary.AppendUvarint(b, uint64(l.CPU+1))
	b = binary.AppendUvarint(b, uint64(l.Events))
	return binary.AppendUvarint(b, uint64(l.Packets))
}

// decode appends the records of a block.
func decode(all []Loss, b []byte, count int) ([]Loss, error) {
	d := varint.NewDecoder(b)
	before := int64(0)
	for range count {
		before += d.Int()
		long, at, cpu, events, packets := d.Uint(), d.Int(), d.Uint(), d.Uint(), d.Uint()
		if d.Bad() || long > uint64(math.MaxInt64)-uint64(before) || cpu > math.MaxInt32 || events > math.MaxInt64 || packets > math.MaxInt64 {
			return nil, errRecord
		}
		all = append(all, Loss{CPU: int32(cpu) - 1, Begin: before, End: int64(uint64(before) + long), At: before + at, Events: int64(events), Packets: int64(packets)})
	}
	if !d.Done() {
		return nil, fmt.Errorf("there is more behind the %d losses: %w", count, blockfile.ErrDamaged)
	}
	return all, nil
}

var errRecord = fmt.Errorf("a loss is cut or malformed: %w", blockfile.ErrDamaged)
