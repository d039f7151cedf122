package match

import (
	"fmt"
	"testing"
)

// segment is the end of the n-th segment of one of 64 streams from host 0 to host 1.
func segment(n int, d Direction) Endpoint {
	stream, number := uint64(n%64), uint32(n/64)
	e := Endpoint{Time: int64(n) * 1000, Direction: d, Host: int32(d), Payload: 1448, Bytes: 1500}
	e.Key = Key{Protocol: tcp, Form: ipv4Form, A: 10<<32 | 20, B: (5000+stream)<<48 | 80<<32 | 16<<16 | 1500, C: uint64(number*1448)<<32 | 7}
	return e
}

// What an endpoint costs when both hosts are read in step, when one side records alone, and
// when a card cuts every segment in two. The table has been full for long.
func BenchmarkMatcher(b *testing.B) {
	for _, keys := range []int{1 << 16, 1 << 20} {
		run := func(name string, add func(m *Matcher, n int) int) {
			b.Run(fmt.Sprintf("%s/keys=%d", name, keys), func(b *testing.B) {
				m := NewMatcher(keys, nil)
				n := 0
				for range 4 * keys {
					add(m, n)
					n++
				}
				b.ReportAllocs()
				endpoints := 0
				for b.Loop() {
					endpoints += add(m, n)
					n++
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(endpoints), "ns/endpoint")
			})
		}
		run("step", func(m *Matcher, n int) int {
			m.Add(segment(n, Send), nil)
			if n >= 1000 {
				m.Add(segment(n-1000, Receive), nil)
			}
			return 2
		})
		run("alone", func(m *Matcher, n int) int {
			m.Add(segment(n, Send), nil)
			return 1
		})
		run("cut", func(m *Matcher, n int) int {
			m.Add(segment(n, Send), nil)
			if n < 1000 {
				return 1
			}
			for half := range uint64(2) {
				r := segment(n-1000, Receive)
				r.Payload /= 2
				r.Key.B -= 724
				r.Key.C += half * 724 << 32
				m.Add(r, nil)
			}
			return 3
		})
	}
}
