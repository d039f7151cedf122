package browser

import (
	"testing"

	"synchroscope/ingest"
)

// Of a set of which nothing has arrived that could be read, each tab says what it will show, and the report does not say that nothing was odd.
func TestTabsWhileNothingIsRead(t *testing.T) {
	s := newSite(t, ingest.Options{})
	s.create("alpha")
	set := s.named("alpha")
	p := NewPage(t)
	for tab, words := range map[string]string{
		"":           "This shows what each thread does. Rows come as soon as the first events are read.",
		"messages":   "What was exchanged is added up once the import reads it.",
		"events":     "Events are listed once the import reads them.",
		"statistics": "What was done is added up once the import reads it.",
		"state":      "What each thread and each CPU did can be read as soon as the first events are.",
		"sync":       "This lists the hosts, each as soon as it is found.",
		"import":     "Nothing is read yet.",
	} {
		query := ""
		if tab != "" {
			query = "?tab=" + tab
		}
		p.Open(s.page(set, query))
		p.Says(words)
	}
}
