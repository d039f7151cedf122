package history

import (
	"math"
	"testing"

	"synchroscope/internal/raced"
)

// Every value that is encoded without 8 bytes as they are has a key of its own, of which it can be had again, and which is that of its encoding. Adjacent ids have adjacent
// keys.
func TestWideKeys(t *testing.T) {
	seen := make(map[uint64]Value)
	for _, v := range []Value{
		Null(), Bool(false), Bool(true), text(0), text(1), text(math.MaxUint32),
		Int(0), Int(1), Int(-1), Int(-2), Int(1<<59 - 1), Int(-1 << 59), Int(20_000),
	} {
		key, ok := keyOf(v)
		back, fine := valueOf(key)
		if !ok || !fine || back != v {
			t.Errorf("%v has key %x, which is %v", v, key, back)
		}
		if other, ok := seen[key]; ok {
			t.Errorf("%v has the key of %v", v, other)
		}
		seen[key] = v
		d := decoder{b: appendValue(nil, v)}
		if code, ok := keyOfCode(d.uvarint()); !ok || code != key {
			t.Errorf("%v has key %x, its encoding %x", v, key, code)
		}
	}
	for _, v := range []Value{Float(1.5), Int(1 << 59), Int(-1<<59 - 1), Int(math.MaxInt64), Int(math.MinInt64)} {
		if key, ok := keyOf(v); ok {
			t.Errorf("%v has key %x", v, key)
		}
		d := decoder{b: appendValue(nil, v)}
		if key, ok := keyOfCode(d.uvarint()); ok {
			t.Errorf("the encoding of %v has key %x", v, key)
		}
	}
	a, _ := keyOf(Int(700))
	if b, _ := keyOf(Int(701)); b != a+1 {
		t.Errorf("the keys of 700 and 701 are %x and %x", a, b)
	}
	for _, key := range []uint64{1, tagBool<<keyBits | 2, tagString<<keyBits | 1<<32, tagInt<<keyBits | 1<<59, keyMinus<<keyBits | 1<<59, tagFloat << keyBits, tagWide << keyBits, 7 << keyBits, 1 << 63} {
		if v, ok := valueOf(key); ok {
			t.Errorf("key %x is %v", key, v)
		}
	}
}

// Totals that are damaged, though their checksum is right, are refused or found by Check.
func TestCheckOfWideTotals(t *testing.T) {
	raced.Alone(t)
	file := &growing{}
	w, err := Create(file, 0, Options{NodeSize: 2048, PageSize: 512, MaxChildren: 4})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	for i := range int64(6000) {
		if err := w.Modify(20*i, q, Int(i*i%101)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(20 * 6000); err != nil {
		t.Fatal(err)
	}
	if err := Check(file); err != nil {
		t.Fatal(err)
	}
	root := w.History().current.Load().top
	if len(root.wide) == 0 {
		t.Fatal("no wide totals")
	}
	k, err := w.History().file.whole(root.wide[0].blocks[0].block)
	if err != nil {
		t.Fatal(err)
	}
	c := k.cursor()
	c.next()
	found := 0
	for i := c.at; i < c.pos; i++ {
		damaged := frozen(append([]byte(nil), file.frozen...))
		damaged[k.offset+int64(k.body+i)] ^= 1
		resumTree(damaged, file.frozen)
		if err := Check(damaged); err != nil {
			found++
		}
	}
	if found != c.length {
		t.Errorf("%d of %d changes are found", found, c.length)
	}
}
