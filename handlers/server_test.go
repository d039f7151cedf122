package handlers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"synchroscope/ingest"
)

// A site is a server with an engine of its own.
type site struct {
	t      *testing.T
	engine *ingest.Engine
	server *Server
	http   *httptest.Server
	logged bytes.Buffer
}

func newSite(t *testing.T, o Options) *site {
	t.Helper()
	return openSite(t, t.TempDir(), o)
}

// openSite is newSite over a folder of data that may hold sets.
func openSite(t *testing.T, dir string, o Options) *site {
	t.Helper()
	s := &site{t: t}
	o.Log = slog.New(slog.NewTextHandler(&s.logged, &slog.HandlerOptions{Level: slog.LevelError}))
	engine, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s.engine, s.server = engine, New(engine, o)
	s.http = httptest.NewServer(s.server)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		s.server.Close(ctx)
		s.http.Close()
		if err := engine.Close(ctx); err != nil {
			t.Error(err)
		}
		if s.logged.Len() > 0 && !t.Failed() {
			t.Errorf("the log has errors:\n%s", s.logged.String())
		}
	})
	return s
}

// An answer is what a client saw.
type answer struct {
	status int
	header http.Header
	body   string
}

// sentence is the error of the JSON API.
func (a answer) sentence() string {
	var body struct{ Error string }
	json.Unmarshal([]byte(a.body), &body)
	return body.Error
}

// checkSentence insists that an error of the JSON API is one whole sentence on one line.
func (a answer) checkSentence(t *testing.T) {
	t.Helper()
	if a.status < 400 || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
		return
	}
	s := a.sentence()
	if first, _, _ := strings.Cut(s, " "); first == "the" || first == "a" || first == "no" || first == "none" || first == "there" ||
		!strings.HasSuffix(s, ".") || strings.HasSuffix(s, "..") || strings.Contains(s, "\n") {
		t.Errorf("%d: %q is not a sentence", a.status, s)
	}
}

func (s *site) do(method, path string, body io.Reader, headers ...string) answer {
	s.t.Helper()
	r, err := http.NewRequest(method, s.http.URL+path, body)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := answer{response.StatusCode, response.Header, string(b)}
	a.checkSentence(s.t)
	return a
}

func (s *site) get(path string) answer { s.t.Helper(); return s.do("GET", path, nil) }

// want does a request and insists on a status.
func (s *site) want(status int, method, path, body string, headers ...string) answer {
	s.t.Helper()
	a := s.do(method, path, strings.NewReader(body), headers...)
	if a.status != status {
		s.t.Fatalf("%s %s: %d %.200s, want %d", method, path, a.status, a.body, status)
	}
	return a
}

func decode[T any](t *testing.T, a answer) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), &v); err != nil {
		t.Fatalf("%.200s: %v", a.body, err)
	}
	return v
}

// create makes a set and returns its id.
func (s *site) create(name string) string {
	s.t.Helper()
	a := s.want(201, "POST", "/api/sets", fmt.Sprintf(`{"name":%q}`, name))
	id := decode[struct{ ID string }](s.t, a).ID
	if id == "" || a.header.Get("Location") != "/api/sets/"+id {
		s.t.Fatalf("created %s at %q", a.body, a.header.Get("Location"))
	}
	return id
}

func TestRoutes(t *testing.T) {
	s := newSite(t, Options{})
	id := s.create("routes")
	for _, c := range []struct {
		method, path string
		status       int
		contains     string
	}{
		{"GET", "/", 200, "<title>Synchroscope</title>"},
		{"HEAD", "/", 200, ""},
		{"GET", "/sets/" + id, 200, "routes · Synchroscope"},
		{"GET", "/sets/none", 404, "There is no trace set with this id."},
		{"GET", "/nowhere", 404, "There is nothing at this address."},
		{"GET", "/static/", 404, ""},
		{"GET", "/healthz", 200, "ok\n"},
		{"GET", "/metrics", 200, `synchroscope_sets{state="uploading"} 1`},
		{"GET", "/api/sets", 200, `"name":"routes"`},
		{"GET", "/api/sets/" + id, 200, `"state":"uploading"`},
		{"GET", "/api/nowhere", 404, `{"error":"There is nothing at this address."}`},
		{"GET", "/api/sets/none", 404, `{"error":"There is no trace set with this id."}`},
		{"GET", "/api/sets/none/sync", 404, `{"error":`},
		{"GET", "/api/sets/none/state", 404, `{"error":`},
		{"GET", "/api/sets/none/events", 404, `{"error":`},
		{"GET", "/api/sets/none/live", 404, `{"error":`},
		{"PATCH", "/api/sets/none", 404, `{"error":`},
		{"DELETE", "/api/sets/none", 404, `{"error":`},
		{"PUT", "/api/sets/none/files/a.zip", 404, `{"error":`},
		{"POST", "/api/sets/none/import", 404, `{"error":`},
		{"POST", "/", 405, "POST is not possible here."},
		{"PUT", "/api/sets", 405, `{"error":"PUT is not possible here."}`},
		{"GET", "/api/sets/" + id + "/import", 405, `{"error":`},
		{"GET", "/api/sets/" + id + "/live", 400, `{"error":"This address is for websockets: the request must ask for an upgrade to version 13."}`},
		{"GET", "/api/sets/" + id + "/state", 400, `{"error":"\"time\" must be a time in ns, not \"\"."}`},
		{"GET", "/api/sets/" + id + "/state?time=1e9", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/state?time=99999999999999999999", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/state?time=5&host=x", 400, `{"error":"The trace set has no host \"x\"."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&host=&path=&local=", 200, `"hosts":[]`}, // as if they were not there
		{"GET", "/api/sets/" + id + "/events?after=&name=&where=&limit=", 200, `"events":[]`},
		{"GET", "/api/sets/" + id + "/state?time=5&local=maybe", 400, `{"error":"\"local\" must be 1 or 0, not \"maybe\"."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=[", 400, `{"error":"\"path\" is not a pattern: byte 1 is '[', and only`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=Threads//1", 400, `{"error":"\"path\" is not a pattern: there is nothing before the \"/\" at byte 9."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=Threads/", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/state/level?time=5", 400, `{"error":"\"host\" must name a host."}`},
		{"GET", "/api/sets/" + id + "/state/level?time=5&host=x", 400, `{"error":"The trace set has no host \"x\"."}`},
		{"GET", "/api/sets/" + id + "/state/change?time=5&host=x&path=a", 400, `{"error":"The trace set has no host \"x\"."}`},
		{"GET", "/api/sets/none/state/level?time=5&host=x", 404, `{"error":`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=a%5C", 400, `{"error":"\"path\" is not a pattern: nothing follows the backslash at its end."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=%FF", 400, `{"error":"\"path\" is not UTF-8."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=%00", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=" + strings.Repeat("x", 1001), 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/state?time=5&time=6", 400, `{"error":"\"time\" is given 2 times."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&paht=x", 400, `{"error":"There is no parameter \"paht\" here; there are time, local, host, path."}`},
		{"GET", "/api/sets/" + id + "/state?time=5&path=%2", 400, `{"error":"What follows the question mark`},
		{"GET", "/api/sets/" + id + `/state?time=5&path=a%5C[b/**/c*`, 200, `"hosts":[]`},
		{"GET", "/api/sets/" + id + "/statistics?begin=5", 400, `{"error":"\"end\" must be a time in ns, not \"\"."}`},
		{"GET", "/api/sets/" + id + "/statistics?begin=5&end=5", 400, `{"error":"\"begin\" must be before \"end\"."}`},
		{"GET", "/api/sets/" + id + "/statistics?begin=5&end=6&host=x", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/statistics?begin=5&end=6", 200, `"hosts":[],"messages":[]`},
		{"GET", "/api/sets/" + id + "/sums?begin=5&end=6", 200, `"threads":0,"states":[],"messages":0`},
		{"GET", "/api/sets/" + id + "/sums?begin=5&end=5", 400, `{"error":"\"begin\" must be before \"end\"."}`},
		{"GET", "/api/sets/" + id + "/sums?begin=5&end=6&thread=7", 400, `{"error":"\"thread\" needs \"host\"."}`},
		{"GET", "/api/sets/" + id + "/sums?begin=5&end=6&host=x&thread=7", 400, `{"error":"The trace set has no host \"x\"."}`},
		{"GET", "/api/sets/" + id + "/sums?begin=5&end=6&host=x&thread=-1", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?local=2", 400, `{"error":"\"local\" must be 1 or 0, not \"2\"."}`},
		{"GET", "/api/sets/" + id + "/events?end=99999999999999999999", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?page=2", 400, `{"error":"There is no parameter \"page\" here; `},
		{"GET", "/api/sets/" + id + "/events?limit=0", 400, `{"error":"\"limit\" must be from 1 to 1000, not \"0\"."}`},
		{"GET", "/api/sets/" + id + "/events?limit=1001", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?begin=5&end=5", 400, `{"error":"\"begin\" must be before \"end\"."}`},
		{"GET", "/api/sets/" + id + "/events?begin=x", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?name=[", 400, `{"error":"\"name\" is not a pattern: the set \"[\" of a pattern has no end`},
		{"GET", "/api/sets/" + id + "/events?where=cpu%3D%3D1&where=tid%3D%3D", 400, `{"error":"\"where\" is not a filter: in \"tid==\", column 6: expected a field or a value, found the end of the filter.","parameter":"where","index":1,"fault":"is not a filter: in \"tid==\", column 6: expected a field or a value, found the end of the filter."}`},
		{"GET", "/api/sets/" + id + "/events?where=&where=tid%3D%3D1&where=tid%3D%3D", 400, `,"parameter":"where","index":2,`},
		{"GET", "/api/sets/" + id + "/events?name=[", 400, `,"parameter":"name","index":0,"fault":"is not a pattern: the set`},
		{"GET", "/api/sets/" + id + "/events?where=a&where=a&where=a&where=a&where=a&where=a&where=a&where=a&where=a", 400, `{"error":"\"where\" is given 9 times, and at most 8 are read."}`},
		{"GET", "/api/sets/" + id + "/events?where=tid%3D%3D", 400, `{"error":"\"where\" is not a filter: column 6: expected a field or a value, found the end of the filter.","parameter":"where","index":0,"fault":"is not a filter: column 6: expected a field or a value, found the end of the filter."}`},
		{"GET", "/api/sets/" + id + "/events?host=x", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?after=x", 400, `{"error":"\"after\" must be the \"next\" or \"previous\" of a page, not \"x\"."}`},
		{"GET", "/api/sets/" + id + "/events?before=5.1&after=5.1", 400, `{"error":"A page begins \"after\" or ends \"before\", not both."}`},
		{"GET", "/api/sets/" + id + "/events?before=5.1&end=4", 400, `{"error":"\"before\" is outside`},
		{"GET", "/api/sets/" + id + "/events?after=5.-1", 400, `{"error":`},
		{"GET", "/api/sets/" + id + "/events?after=5.1&begin=6", 400, `{"error":`},
	} {
		a := s.do(c.method, c.path, nil)
		if a.status != c.status || !strings.Contains(a.body, c.contains) {
			t.Errorf("%s %s: %d %.300s, want %d and %q", c.method, c.path, a.status, a.body, c.status, c.contains)
		}
		kind := "text/html; charset=utf-8"
		switch {
		case strings.HasPrefix(c.path, "/api/"):
			kind = "application/json; charset=utf-8"
		case !strings.HasPrefix(c.path, "/sets/") && c.path != "/" && c.path != "/nowhere":
			kind = ""
		}
		if got := a.header.Get("Content-Type"); kind != "" && got != kind {
			t.Errorf("%s %s: content type %q, want %q", c.method, c.path, got, kind)
		}
		if a.header.Get("Content-Security-Policy") == "" || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: no security headers", c.method, c.path)
		}
	}
	if got := s.do("PUT", "/api/sets/"+id, nil).header.Get("Allow"); got != "GET, PATCH, DELETE" {
		t.Errorf("allowed on a set: %q", got)
	}
}

func TestSetNames(t *testing.T) {
	s := newSite(t, Options{})
	for _, c := range []struct{ body, sentence string }{
		{``, `The body must be {"name": "..."}.`},
		{`{}`, `The body must be {"name": "..."}.`},
		{`{"name":`, `The body is not JSON: it ends too early; it must be {"name": "..."}.`},
		{`{"name":7}`, `"name" of the body is of the kind number; it must be {"name": "..."}.`},
		{`{"name":"  "}`, `A trace set needs a name.`},
		{`{"name":"` + strings.Repeat("x", 201) + `"}`, `The name of a trace set has at most 200 bytes.`},
	} {
		if a := s.want(400, "POST", "/api/sets", c.body); a.sentence() != c.sentence {
			t.Errorf("%.40s: %q, want %q", c.body, a.sentence(), c.sentence)
		}
	}
	s.want(413, "POST", "/api/sets", `{"name":"`+strings.Repeat("x", 100_000)+`"}`)

	id := s.create("first")
	if a := s.want(200, "PATCH", "/api/sets/"+id, `{"name":" <b>second</b> "}`); decode[ingest.Status](t, a).Name != "<b>second</b>" {
		t.Errorf("renamed: %s", a.body)
	}
	s.want(400, "PATCH", "/api/sets/"+id, `{"name":""}`)
	if page := s.get("/sets/" + id).body; strings.Contains(page, "<b>") || !strings.Contains(page, "&lt;b&gt;second") {
		t.Error("the name of a set is not escaped on its page")
	}
	second := s.create("third")
	if a := s.want(409, "PATCH", "/api/sets/"+second, `{"name":"<b>second</b>"}`); a.sentence() != `There is another set called "<b>second</b>" already.` {
		t.Errorf("renamed as another: %q", a.sentence())
	}
	list := decode[[]ingest.Status](t, s.get("/api/sets"))
	if len(list) != 2 || list[0].ID != second {
		t.Errorf("%d sets, the first is %q; want the newest first", len(list), list[0].Name)
	}
	s.want(204, "DELETE", "/api/sets/"+id, "")
	s.want(404, "GET", "/api/sets/"+id, "")
	s.want(404, "DELETE", "/api/sets/"+id, "")
}

func TestUpload(t *testing.T) {
	s := newSite(t, Options{MaxUpload: 1000})
	id := s.create("uploads")
	put := func(status int, body, contentRange string) answer {
		t.Helper()
		headers := []string{"Content-Range", contentRange}
		if contentRange == "" {
			headers = nil
		}
		return s.want(status, "PUT", "/api/sets/"+id+"/files/a%20b.tar.gz", body, headers...)
	}
	if got := decode[ingest.FileStatus](t, put(200, "abcd", "bytes 0-3/10")); got != (ingest.FileStatus{Name: "a b.tar.gz", Size: 10, Received: 4}) {
		t.Errorf("after the first piece: %+v", got)
	}
	put(409, "ghij", "bytes 6-9/10") // a gap
	if got := decode[ingest.FileStatus](t, put(200, "efghij", "bytes 4-9/10")); got.Received != 10 {
		t.Errorf("after the last piece: %+v", got)
	}
	for _, wrong := range []string{"4-9/10", "bytes 4-9", "bytes 9-4/10", "bytes 4-10/10", "bytes -4-9/10", "bytes 0-99999999999999999999/*", "items 0-3/10"} {
		put(400, "abcdef", wrong)
	}
	if got := put(400, "abc", "bytes 0-9/10").sentence(); got != "Content-Range announces 10 bytes and Content-Length 3." {
		t.Errorf("sentence %q", got)
	}
	put(413, "x", "bytes 0-0/1001")
	put(413, strings.Repeat("x", 1001), "")
	for _, name := range []string{"..%2F..%2Fevil.zip", "%2Fetc%2Fpasswd", "..", "a%00b"} {
		if a := s.do("PUT", "/api/sets/"+id+"/files/"+name, strings.NewReader("x")); a.status < 400 || a.status > 499 {
			t.Errorf("file name %s: %d %s", name, a.status, a.body)
		}
	}
}

// A body of unknown length is counted as it arrives.
func TestUploadWithoutLength(t *testing.T) {
	s := newSite(t, Options{MaxUpload: 1000})
	id := s.create("chunked")
	path := "/api/sets/" + id + "/files/a.zip"
	if a := s.do("PUT", path, io.MultiReader(strings.NewReader(strings.Repeat("x", 1001)))); a.status != 413 {
		t.Errorf("too long: %d %s", a.status, a.body)
	}
	path = "/api/sets/" + id + "/files/b.zip"
	if a := s.do("PUT", path, io.MultiReader(strings.NewReader("abc")), "Content-Range", "bytes 0-9/10"); a.status != 400 || a.sentence() != "The body is shorter than was announced." {
		t.Errorf("too short: %d %s", a.status, a.body)
	}
	path = "/api/sets/" + id + "/files/c.zip"
	if a := s.do("PUT", path, io.MultiReader(strings.NewReader("abcdefghijk")), "Content-Range", "bytes 0-9/10"); a.status != 400 || a.sentence() != "The body is longer than was announced." {
		t.Errorf("too long: %d %s", a.status, a.body)
	}
}

func TestOtherSites(t *testing.T) {
	s := newSite(t, Options{Hosts: []string{"localhost", "127.0.0.1", "::1"}})
	a := s.want(403, "POST", "/api/sets", `{"name":"x"}`, "Sec-Fetch-Site", "cross-site")
	if a.sentence() == "" {
		t.Errorf("refused with %s", a.body)
	}
	s.want(403, "POST", "/api/sets", `{"name":"x"}`, "Origin", "http://evil.example")
	s.want(201, "POST", "/api/sets", `{"name":"x"}`, "Origin", s.http.URL, "Sec-Fetch-Site", "same-origin")

	id := s.create("live")
	address := "ws" + strings.TrimPrefix(s.http.URL, "http") + "/api/sets/" + id + "/live"
	_, response, err := websocket.DefaultDialer.Dial(address, http.Header{"Origin": {"http://evil.example"}})
	if err == nil || response == nil || response.StatusCode != 403 {
		t.Errorf("a websocket of another site: %v", err)
	}
	conn, _, err := websocket.DefaultDialer.Dial(address, http.Header{"Origin": {s.http.URL}})
	if err != nil {
		t.Fatalf("a websocket of our own page: %v", err)
	}
	conn.Close()

	for host, status := range map[string]int{"localhost:8080": 200, "LOCALHOST": 200, "[::1]:80": 200, "127.0.0.1": 200, "evil.example": 403, "127.0.0.1.evil.example:8080": 403, "localhost.": 403} {
		if a := s.do("GET", "/healthz", nil, "Host", host); a.status != status {
			t.Errorf("host %q: %d, want %d", host, a.status, status)
		}
	}
}

func TestExplain(t *testing.T) {
	for _, c := range []struct {
		err   error
		want  failure
		known bool
	}{
		{&ingest.Fault{Kind: ingest.Invalid, Message: "a.zip is empty."}, failure{400, "a.zip is empty."}, true},
		{&ingest.Fault{Kind: ingest.NotFound, Message: "the set is gone"}, failure{404, "The set is gone."}, true},
		{&ingest.Fault{Kind: ingest.Conflict, Message: "a.zip is busy"}, failure{409, "a.zip is busy."}, true},
		{fmt.Errorf("wrapped: %w", &ingest.Fault{Kind: ingest.TooLarge, Message: "a.zip: too large"}), failure{413, "a.zip: too large."}, true},
		{unprocessable(&ingest.Fault{Kind: ingest.Invalid, Message: "no trace found"}), failure{422, "No trace found."}, true},
		{unprocessable(&ingest.Fault{Kind: ingest.Conflict, Message: "a.zip is busy"}), failure{409, "a.zip is busy."}, true},
		{&http.MaxBytesError{Limit: 5}, failure{413, "What was sent is larger than this server accepts."}, true},
		{context.DeadlineExceeded, failure{503, "The answer took too long; ask for less."}, true},
		{errors.New("open /var/lib/secret: permission denied"), failure{500, "Internal error."}, false},
	} {
		if got, known := explain(c.err); got != c.want || known != c.known {
			t.Errorf("%v: %v %v, want %v %v", c.err, got, known, c.want, c.known)
		}
	}
}

// A panic is an answer for the user and a line for the log, never the end of the server.
func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s := &Server{log: slog.New(slog.NewTextHandler(&log, nil))}
	h := s.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret") }))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/api/sets", nil))
	if w.Code != 500 || w.Body.String() != "{\"error\":\"Internal error.\"}\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "secret") || !strings.Contains(log.String(), "server_test.go") {
		t.Errorf("the log has neither the panic nor its place:\n%s", log.String())
	}
}
