package browser

import (
	"fmt"
	"testing"

	"synchroscope/ingest"
)

// While a set is imported its stages are told: what was uploaded and unpacked, and how much is read, how fast, and what that leaves to wait for.
func TestStages(t *testing.T) {
	s := newSite(t, ingest.Options{Workers: 1})
	p := NewPage(t)
	set := s.add("shop", demoArchive)
	var others []*ingest.Set
	for i := range 3 {
		others = append(others, s.add(fmt.Sprintf("beside it %d", i+1), demoArchive))
	}
	p.Open(s.page(set, "?tab=import"))
	p.Matches(`Upload 5\.7 MiB Unpack 5\.7 MiB Read [\d.]+ [KM]?i?B of [\d.]+ MiB · [\d.]+ % · [\d.]+ [KM]iB/s · (about \d+ s|a few seconds) left`)
	for _, set := range others { // they only had to slow the one that is looked at
		if err := s.engine.Delete(set.ID()); err != nil {
			t.Fatal(err)
		}
	}
	s.ready(set)
	p.Gone("list", "Stages")
	p.Says("Imported")
}
