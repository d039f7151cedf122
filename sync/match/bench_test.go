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
	e.Key.D = uint64(uint16(2*number) | 1)
	return e
}

// over6 makes a segment one without an IP id.
func over6(e Endpoint) Endpoint {
	e.Key.Form, e.Key.D = ipv6Form, 30
	return e
}

// dgram is the end of the n-th datagram to or from host 0, whose ids have come again since 1<<15 of them.
func dgram(n int, d Direction) Endpoint {
	e := Endpoint{Time: int64(n)*10_000_000 + int64(n%99_991*(n%9973)), Direction: d, Host: int32(d) ^ int32(n&1), Bytes: 100}
	e.Time += int64(d) * 100_000
	e.Key = Key{Protocol: udp, Form: ipv4Form, A: uint64(10+n&1)<<32 | 20, B: 100<<16 | uint64(n>>1&0x7fff+1)}
	return e
}

// What an endpoint costs when both hosts are read in step, when one side records alone, and
// when a card cuts every segment in two, with and without IP ids, and when the ids of datagrams come
// again. The table has been full for long.
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
		cut := func(m *Matcher, n int, form func(Endpoint) Endpoint) int {
			m.Add(form(segment(n, Send)), nil)
			if n < 1000 {
				return 1
			}
			for half := range uint64(2) {
				r := segment(n-1000, Receive)
				r.Payload /= 2
				r.Key.B -= 724
				r.Key.C += half * 724 << 32
				r.Key.D += half
				m.Add(form(r), nil)
			}
			return 3
		}
		run("cut", func(m *Matcher, n int) int { return cut(m, n, func(e Endpoint) Endpoint { return e }) })
		run("cut6", func(m *Matcher, n int) int { return cut(m, n, over6) })
		run("ids", func(m *Matcher, n int) int {
			m.Add(dgram(n, Send), nil)
			m.Add(dgram(n, Receive), nil)
			return 2
		})
	}
}
