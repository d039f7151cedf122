package record_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/simulate/record"
)

// Whatever the sizes and the speed of the consumer, what is said to be recorded is in the trace, in order, and
// nothing else; what is not has been counted by the packets, as far as a reader can know it, or is said to be told by none;
// and no more is recorded than the sub-buffers hold and the consumer has read.
func TestOverflow(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		o := record.Options{
			Dir:        filepath.Join(dir, fmt.Sprint(n)),
			SubBuffer:  rapid.SampledFrom([]int{512, 4096}).Draw(rt, "sub-buffer"),
			SubBuffers: rapid.IntRange(2, 5).Draw(rt, "sub-buffers"),
			Rate:       rapid.SampledFrom([]int64{0, 10_000, 1_000_000, 100_000_000}).Draw(rt, "rate"),
			Wake:       rapid.Int64Range(0, 1_000_000).Draw(rt, "wake"),
			CPUs:       rapid.IntRange(1, 3).Draw(rt, "CPUs"),
			Loss:       rapid.SampledFrom([]float64{0, 0.1, 0.6}).Draw(rt, "loss"),
			Cut:        rapid.Bool().Draw(rt, "cut"),
		}
		r := begin(t, o)
		now, bytes, total := int64(1000), 0, int64(0)
		var want []string
		for range rapid.IntRange(0, 600).Draw(rt, "events") {
			now += rapid.OneOf(rapid.Int64Range(1, 2_000), rapid.Int64Range(1, 3_000_000)).Draw(rt, "later")
			cpu := rapid.IntRange(0, o.CPUs-1).Draw(rt, "CPU")
			name := fmt.Sprintf("%0*d", rapid.IntRange(1, 60).Draw(rt, "width"), total)
			total++
			if r.CPU(cpu).IRQEntry(now, int32(cpu), name) {
				want = append(want, name)
				bytes += len(name) + 11
			}
		}
		sum, err := r.Close(now)
		if err != nil {
			rt.Fatal(err)
		}
		_, names, reader := read(t, o.Dir)
		lost := int64(0)
		for _, l := range reader.Losses() {
			lost += l.Count
		}
		if sum.Events != int64(len(want)) || sum.Discarded+sum.Untold != total-sum.Events-sum.Missing || lost != sum.Discarded || o.Loss == 0 && sum.Untold > 0 || names["irq_handler_entry"] != len(want) {
			rt.Fatalf("%d of %d events are recorded, %d are there; %+v, packets say %d", len(want), total, names["irq_handler_entry"], sum, lost)
		}
		got := field(t, o.Dir, "name")
		for i := range want {
			if got[i] != want[i] {
				rt.Fatalf("event %d is %s, not %s", i, got[i], want[i])
			}
		}
		if most := o.CPUs*o.SubBuffers*o.SubBuffer + int(float64(o.Rate)*float64(now)/1e9); o.Rate > 0 && bytes > most || o.Rate == 0 && lost+sum.Untold > 0 {
			rt.Fatalf("%d bytes are recorded, %d can be, %d events lost", bytes, most, lost)
		}
	})
}

// Packets that are lost are not there but for their numbers; what their events would have been is told.
func TestLostPackets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kernel")
	r := begin(t, record.Options{Dir: dir, SubBuffer: 4096, Loss: 0.3})
	there := int64(0)
	for i := range int64(20_000) {
		if r.CPU(0).SoftIRQRaise(2000+i*100, 3) {
			there++
		}
	}
	sum, err := r.Close(1e9)
	if err != nil {
		t.Fatal(err)
	}
	texts, _, reader := read(t, dir)
	if sum.Events != there || int64(len(texts)) != there || sum.Missing != 20_000-there || sum.Discarded != 0 {
		t.Errorf("%d events are there, %d were to be; %+v", len(texts), there, sum)
	}
	if share := float64(sum.Lost) / float64(sum.Lost+sum.Packets); share < 0.1 || share > 0.5 {
		t.Errorf("%d packets of %d are lost", sum.Lost, sum.Lost+sum.Packets)
	}
	packets := 0
	for _, l := range reader.Losses() {
		packets += int(l.Packets)
	}
	if d := int(sum.Lost) - packets; d < 0 || d > 2 { // the first and the last cannot be seen
		t.Errorf("%d packets are missed, %d were lost", packets, sum.Lost)
	}
}

// A trace that is cut ends in the middle of an event, and has all those before it.
func TestCut(t *testing.T) {
	for _, n := range []int64{0, 1, 100, 5000} {
		dir := filepath.Join(t.TempDir(), "kernel")
		r := begin(t, record.Options{Dir: dir, SubBuffer: 4096, Cut: true})
		for i := range n {
			r.CPU(0).SoftIRQRaise(2000+i*100, 3)
		}
		sum, err := r.Close(1e9)
		if err != nil {
			t.Fatal(err)
		}
		texts, _, reader := read(t, dir)
		if int64(len(texts)) != n || sum.Events != n {
			t.Errorf("%d events are there, %d were recorded; %+v", len(texts), n, sum)
		}
		if len(reader.Anomalies()) == 0 {
			t.Error("nobody sees that the trace is cut")
		}
		if s, err := os.Stat(filepath.Join(dir, "channel0_0")); err != nil || s.Size()%4096 == 0 {
			t.Errorf("the stream is of whole pages: %v, %v", s, err)
		}
	}
}
