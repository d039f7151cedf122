package handlers

import (
	"strings"
	"testing"
)

// What is wrong with a JSON body is said in our own words, with the place.
func TestBodies(t *testing.T) {
	s := newSite(t, Options{})
	const must = `; it must be {"name": "..."}.`
	for _, c := range []struct{ body, sentence string }{
		{``, `The body must be {"name": "..."}.`},
		{`  `, `The body is not JSON: it ends too early` + must},
		{`{"name": "sh`, `The body is not JSON: it ends too early` + must},
		{`{"name"; "shop"}`, `The body is not JSON: ';' cannot stand at byte 8` + must},
		{`{"name": "shop",}`, `The body is not JSON: '}' cannot stand at byte 17` + must},
		{`name=shop`, `The body is not JSON: 'a' cannot stand at byte 2` + must},
		{`{"name": "shop"} {}`, `The body is not JSON: something follows its end at byte 18` + must},
		{"{\"name\": \"\xff\"}", `The body is not JSON: it is not UTF-8.`},
		{`{"name": 5}`, `"name" of the body is of the kind number` + must},
		{`{"name": true}`, `"name" of the body is of the kind boolean` + must},
		{`["shop"]`, `The body is of the kind array` + must},
		{`{}`, `The body must be {"name": "..."}.`},
		{`null`, `The body must be {"name": "..."}.`},
		{`{"name": " "}`, `A trace set needs a name.`},
	} {
		for _, route := range []string{"POST /api/sets", "PATCH /api/sets/" + s.create("shop")} {
			method, path, _ := strings.Cut(route, " ")
			if got := s.want(400, method, path, c.body).sentence(); got != c.sentence {
				t.Errorf("%s %q: %s, want %s", method, c.body, got, c.sentence)
			}
		}
	}
}
