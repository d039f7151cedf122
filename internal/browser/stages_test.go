package browser

import (
	"fmt"
	"testing"

	"synchroscope/ingest"
)

// While a set is imported its stages are told: what was uploaded and unpacked, and how much is read, how fast, and what that leaves to wait for.
func TestStages(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	set := s.add("shop", demoArchive)
	for i := range 3 {
		s.add(fmt.Sprintf("beside it %d", i+1), demoArchive)
	}
	p := NewPage(t)
	p.Open(s.page(set, "?tab=import"))
	p.Matches(`Upload 5\.7 MiB Unpack 5\.7 MiB Read [\d.]+ [KM]?i?B of [\d.]+ MiB · [\d.]+ % · [\d.]+ [KM]iB /s · (about \d+ s|a few seconds) left`)
	s.ready(set)
	p.Gone("list", "Stages")
	p.Says("Imported")
}
