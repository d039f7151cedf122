package archive

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"testing"
)

// BenchmarkExtract unpacks 16 MiB that compress about as well as kernel traces do.
func BenchmarkExtract(b *testing.B) {
	const size = 4 << 20
	r := rand.New(rand.NewPCG(1, 2))
	items := make([]item, 4)
	for i := range items {
		body := make([]byte, size)
		for j := 0; j < size; j += 8 { // events: three bytes that vary, five that do not
			body[j], body[j+1], body[j+2] = byte(r.Uint32()), byte(r.Uint32()), byte(r.Uint32())
		}
		items[i] = item{name: "kernel/channel0_" + string(rune('0'+i)), body: string(body)}
	}
	for _, m := range makers {
		b.Run(m.name, func(b *testing.B) {
			data := m.make(b, items...)
			b.SetBytes(size * int64(len(items)))
			for b.Loop() {
				b.StopTimer()
				dir := b.TempDir()
				root, err := os.OpenRoot(dir)
				must(b, err)
				b.StartTimer()
				must(b, Extract(context.Background(), root, "upload", bytes.NewReader(data), int64(len(data)), Limits{}, nil))
				b.StopTimer()
				root.Close()
				must(b, os.RemoveAll(dir))
				b.StartTimer()
			}
			b.ReportMetric(float64(size*len(items))/float64(len(data)), "ratio")
		})
	}
}
