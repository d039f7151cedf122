package handlers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// namelessTrace is a trace in a folder that knows neither its clock nor its host.
func namelessTrace(folder string) []entry {
	const metadata = `/* CTF 1.8 */
trace { major = 1; minor = 8; byte_order = le; packet.header := struct { integer { size = 32; align = 8; signed = false; } magic; }; };
stream { event.header := struct { integer { size = 64; align = 8; signed = false; } timestamp; }; };
event { name = "tick"; fields := struct { integer { size = 8; align = 8; signed = false; } n; }; };
`
	return []entry{
		{folder + "/metadata", metadata},
		{folder + "/s_0", "\xc1\x1f\xfc\xc1" + "\x05\x00\x00\x00\x00\x00\x00\x00" + "\x01"},
	}
}

// No answer of a set tells where on the server it lies, also where the traces have no other name than
// their place; and two imports of one archive call their hosts the same.
func TestNoPlaceOfTheServer(t *testing.T) {
	s := newSite(t, Options{})
	archive := tarGz(t, append(namelessTrace("box/one"), namelessTrace("box/two")...)...)
	inPlace := filepath.Join(t.TempDir(), "box")
	for _, e := range namelessTrace("one") {
		path := filepath.Join(inPlace, e.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(e.content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := tarGz(t, append(namelessTrace("box/one"), entry{"box/bad/metadata", "/* CTF 1.8 */ trace {"})...)
	var ids []string
	for _, archive := range []string{archive, archive, bad, ""} {
		var id string
		if archive != "" {
			id = s.create("nameless")
			s.want(200, "PUT", "/api/sets/"+id+"/files/box.tar.gz", archive)
			s.want(202, "POST", "/api/sets/"+id+"/import", "")
		} else if set, err := s.engine.ImportPaths("nameless", inPlace); err != nil {
			t.Fatal(err)
		} else {
			id = set.ID()
		}
		set, _ := s.engine.Set(id)
		if err := set.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/api/sets", "/api/sets/" + id, "/api/sets/" + id + "/sync", "/api/sets/" + id + "/state?time=5",
			"/api/sets/" + id + "/events", "/sets/" + id} {
			body := s.want(200, "GET", path, "").body
			for _, place := range []string{"/tmp/", os.TempDir(), filepath.Dir(inPlace), "/traces/"} {
				if at := strings.Index(body, place); at >= 0 {
					t.Errorf("%s has %q: …%.200s", path, place, body[max(0, at-60):])
				}
			}
		}
		var found []string
		for _, h := range set.Status().Hosts {
			found = append(found, h.ID)
		}
		for _, a := range set.Anomalies() {
			if strings.Contains(a.Stream+a.Message, "/tmp/") {
				t.Errorf("an anomaly says %+v", a)
			}
		}
		ids = append(ids, strings.Join(found, " "))
	}
	want := []string{"session:box.tar.gz/box/one session:box.tar.gz/box/two", "session:box.tar.gz/box/one session:box.tar.gz/box/two",
		"session:box.tar.gz/box/one", "session:box/one"}
	for i, id := range ids {
		if id != want[i] {
			t.Errorf("import %d: hosts %q, want %q", i, id, want[i])
		}
	}
}
