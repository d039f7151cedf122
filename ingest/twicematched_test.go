package ingest

import (
	"encoding/hex"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// What two sessions recorded at once of the kernel of one machine makes the messages that one of them makes.
func TestMessagesRecordedTwice(t *testing.T) {
	r := shop(t)
	once := filesOf(t, r)
	twice := once
	uuid, own, other := "", "", ""
	for _, f := range once {
		if f.name == "web/kernel/metadata" {
			uuid = regexp.MustCompile(`uuid = "([0-9a-f-]{36})"`).FindStringSubmatch(f.content)[1]
			b, err := hex.DecodeString(strings.ReplaceAll(uuid, "-", ""))
			if err != nil {
				t.Fatal(err)
			}
			own, other = string(b), string(b[:14])+"\xab\xcd"
		}
	}
	for _, f := range once {
		if in, ok := strings.CutPrefix(f.name, "web/"); ok {
			twice = append(twice, entry{"web-again/" + in, strings.ReplaceAll(strings.ReplaceAll(f.content, own, other), uuid, uuid[:32]+"abcd")})
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
