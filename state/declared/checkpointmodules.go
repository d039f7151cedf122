package declared

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"synchroscope/state/varint"
)

// What a checkpoint has of a module in one number.
const (
	isFixed = 1 << iota
	isOpened
	isTold
)

func (s *modules) append(b []byte, out *varint.Out) []byte {
	b = binary.AppendUvarint(b, uint64(len(s.order)))
	for _, p := range s.order {
		b = varint.AppendString(b, p.place)
		b = binary.AppendVarint(b, p.ns)
		b = binary.AppendVarint(b, int64(p.pid))
		b = varint.AppendBool(b, s.of[p].listing)
		b = binary.AppendUvarint(b, uint64(len(s.of[p].modules)))
		for _, m := range s.of[p].modules {
			b = binary.AppendUvarint(b, m.base)
			b = binary.AppendUvarint(b, m.size)
			b = binary.AppendUvarint(b, varint.Flag(m.fixed)*isFixed|varint.Flag(m.opened)*isOpened|varint.Flag(m.told)*isTold)
			b = out.Pass(varint.AppendString(b, m.file))
		}
		b = out.Pass(b)
	}
	return b
}

// restore reports false where the modules cannot be ones that were known.
func (s *modules) restore(d *varint.Decoder) bool {
	s.doubts = true // for all that can be known
	for range d.Count() {
		p := process{place: d.Text(), ns: d.Int(), pid: int32(d.Int())}
		if s.of[p] != nil {
			return false
		}
		of := s.add(p)
		of.listing = d.Uint() != 0
		end := uint64(0)
		for range d.Count() {
			m := module{base: d.Uint(), size: d.Uint()}
			is := d.Uint()
			m.fixed, m.opened, m.told, m.file = is&isFixed != 0, is&isOpened != 0, is&isTold != 0, d.Text()
			if m.base < end || m.size == 0 || m.size > math.MaxUint64-m.base {
				return false
			}
			end = m.base + m.size
			of.modules = append(of.modules, m)
		}
		s.count += len(of.modules)
	}
	return !d.Bad()
}

func (n *nameless) append(b []byte) []byte {
	for _, count := range []int64{n.entered, n.homeless, n.nowhere, n.inOther} {
		b = binary.AppendVarint(b, count)
	}
	b = varint.AppendBool(b, n.recognized)
	b = binary.AppendUvarint(b, uint64(len(n.files)))
	for _, file := range slices.Sorted(maps.Keys(n.files)) {
		b = varint.AppendString(b, file)
		b = binary.AppendVarint(b, n.files[file])
	}
	return b
}

func (n *nameless) restore(d *varint.Decoder) bool {
	n.entered, n.homeless, n.nowhere, n.inOther = d.Int(), d.Int(), d.Int(), d.Int()
	n.recognized = d.Uint() != 0
	for range d.Count() {
		n.files[d.Text()] = d.Int()
	}
	return !d.Bad()
}
