package handlers

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"synchroscope/handlers/wire"
	"synchroscope/simulate/simulatetest"
	"synchroscope/sync/network"
)

// A set that is ready is synchronized in another way: the answer is the next version, it is what
// GET says from then on, and what was asked for is in it.
func TestSynchronizeAgain(t *testing.T) {
	s := newSite(t, Options{})
	id := s.create("shop")
	path := "/api/sets/" + id + "/sync"
	if got := s.want(409, "POST", path, `{}`).sentence(); !strings.Contains(got, "ready") {
		t.Errorf("before the import: %s", got)
	}
	s.want(200, "PUT", "/api/sets/"+id+"/files/shop.tar.gz", string(simulatetest.Shop(t, 2).Archive))
	s.want(202, "POST", "/api/sets/"+id+"/import", "")
	set, _ := s.engine.Set(id)
	if err := set.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	page := s.browse(id)
	before := decode[network.Report](t, s.get(path))
	a, b := before.Links[0].A, before.Links[0].B
	other := before.Hosts[0].Name
	if other == before.Reference {
		other = before.Hosts[1].Name
	}
	body := `{"reference": "` + other + `", "exclude": [["` + b + `", "` + a + `"]]}`
	after := decode[network.Report](t, s.want(200, "POST", path, body))
	pushed := page.await(func(f []byte) bool {
		return wire.Kind(f[0]) == wire.KindClocks && bytes.Contains(f, []byte(`"reference":"`+other+`"`))
	})
	if !bytes.Contains(pushed, []byte(fmt.Sprintf(`"version":%d`, after.Version))) {
		t.Errorf("a page is told %.300s", pushed)
	}
	if after.Version != before.Version+1 || after.Reference != other || !after.Links[0].Excluded || after.Links[0].InTree {
		t.Errorf("version %d after %d, reference %s, link %+v", after.Version, before.Version, after.Reference, after.Links[0])
	}
	if *after.Options.Reference != other || len(after.Options.Exclude) != 1 || after.Options.Method != "hull" {
		t.Errorf("options %+v", after.Options)
	}
	if got := s.get(path).body; !strings.Contains(got, `"reference":"`+other+`"`) {
		t.Errorf("GET says %.200s", got)
	}
	if got := s.get("/api/sets/" + id).body; !strings.Contains(got, `"name":"`+other+`"`) || strings.Count(got, `"reference":true`) != 1 {
		t.Errorf("the set says %s", got)
	}
	third := decode[network.Report](t, s.want(200, "POST", path, `{"method": "regression"}`))
	if third.Version != after.Version+1 || third.Options.Method != "regression" || third.Hosts[0].Error != nil {
		t.Errorf("by regression: version %d, options %+v, error %v", third.Version, third.Options, third.Hosts[0].Error)
	}
	back := decode[network.Report](t, s.want(200, "POST", path, `{}`))
	if back.Version = before.Version; !reflect.DeepEqual(back, before) {
		t.Errorf("as by default it is no more what it was:\n%+v\n%+v", before, back)
	}

	for body, sentence := range map[string]string{
		``:                                  `The body must be ` + syncLike + `.`,
		`{"refrence": "web"}`:               `The body has "refrence", which means nothing here; it must be ` + syncLike + `.`,
		`{"reference": 5}`:                  `"reference" of the body is of the kind number; it must be ` + syncLike + `.`,
		`{"reference": "nobody"}`:           `There is no host "nobody".`,
		`{"method": "magic"}`:               `There is no method "magic"; there are hull, roundtrip, regression, window-independent, window-replace, window-correlated.`,
		`{"exclude": [["` + a + `"]]}`:      `Each entry of "exclude" must be the names of two hosts, such as ["web", "db"].`,
		`{"exclude": [["` + a + `", "x"]]}`: `There is no host "x".`,
		`{"window": ["1"]}`:                 `"window" must be two times in ns, as strings.`,
		`{"window": ["5", "4"]}`:            `The window begins at 5 and ends at 4, no later.`,
	} {
		if got := s.want(400, "POST", path, body).sentence(); got != sentence {
			t.Errorf("%s: %s, want %s", body, got, sentence)
		}
	}
	if got := decode[network.Report](t, s.get(path)).Version; got != before.Version+3 {
		t.Errorf("version %d after what was refused", got)
	}
	s.want(404, "POST", "/api/sets/0000000000000000/sync", `{}`)
}
