package dictionary_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/dictionary"
	"synchroscope/state/scratch"
)

// Texts are numbered as by a map, on the heap and in a file.
func TestModel(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		space := scratch.New(dir, rapid.SampledFrom([]int{0, 3000, 1 << 20}).Draw(t, "heap"))
		d := dictionary.New(space)
		numbers := make(map[string]int)
		var texts []string
		for range rapid.IntRange(0, 500).Draw(t, "texts") {
			s := strings.Repeat(rapid.SampledFrom([]string{"", "a", "\x00", "file "}).Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "times"))
			if rapid.IntRange(0, 200).Draw(t, "long") == 0 {
				s = strings.Repeat("long", 20_000)
			}
			want, ok := numbers[s]
			if !ok {
				want = len(texts)
				numbers[s] = want
				texts = append(texts, s)
			}
			if got := d.Number([]byte(s)); got != want {
				t.Fatalf("%.40q has number %d, want %d", s, got, want)
			}
		}
		if d.Len() != len(texts) || d.At(-1) != "" || d.At(len(texts)) != "" {
			t.Fatalf("%d texts, want %d", d.Len(), len(texts))
		}
		for n, s := range texts {
			if d.At(n) != s || !d.Is(n, s) || d.Is(n, s+"x") || d.Hash(n) != d.HashOf(s) {
				t.Fatalf("text %d is %.40q, want %.40q", n, d.At(n), s)
			}
		}
	})
}

// One goroutine adds while others read.
func TestReadersBesideTheAdder(t *testing.T) {
	for _, heap := range []int{0, 1 << 20} {
		d := dictionary.New(scratch.New(t.TempDir(), heap))
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for n := 0; n < 3000; n = d.Len() {
					if n > 0 && d.At(n-1) != fmt.Sprint("text ", n-1) {
						t.Errorf("text %d is %q", n-1, d.At(n-1))
						return
					}
				}
			})
		}
		for i := range 3000 {
			d.Number(fmt.Append(nil, "text ", i))
		}
		wg.Wait()
	}
}
