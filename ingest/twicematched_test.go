package ingest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"synchroscope/simulate/simulatetest"
)

// What two sessions recorded at once of the kernel of one machine makes the messages that one of them makes.
func TestMessagesRecordedTwice(t *testing.T) {
	r := shop(t)
	once := filesOf(t, r)
	twice := once
	metadata := slices.IndexFunc(once, func(f entry) bool { return f.name == "web/kernel/metadata" })
	again := simulatetest.Again(t, []byte(once[metadata].content))
	for _, f := range once {
		if in, ok := strings.CutPrefix(f.name, "web/"); ok {
			twice = append(twice, entry{"web-again/" + in, string(again([]byte(f.content)))})
		}
	}
	if len(twice) <= len(once) {
		t.Fatalf("%d files", len(twice))
	}
	e := openEngine(t, t.TempDir(), Options{})
	one, two := upload(t, e, entry{"shop.tar.gz", string(tarGz(t, once...))}), upload(t, e, entry{"shop.tar.gz", string(tarGz(t, twice...))})
	imported(t, one)
	imported(t, two)
	if a, b := one.Status().Events, two.Status().Events; a >= b || len(two.Hosts()) != len(one.Hosts()) {
		t.Fatalf("%d events became %d, %d hosts %d", a, b, len(one.Hosts()), len(two.Hosts()))
	}
	a, b := one.Solution().Report(), two.Solution().Report()
	if a.Matching != b.Matching || !reflect.DeepEqual(a.Links, b.Links) {
		t.Errorf("recorded once %+v, twice %+v, or other links", a.Matching, b.Matching)
	}
}
