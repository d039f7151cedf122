package handlers

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/ingest"
)

// What was found damaged is on the page of all sets, and nothing is there where nothing was.
func TestHomeTellsOfDamage(t *testing.T) {
	dir := t.TempDir()
	page := func() string {
		t.Helper()
		engine, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		defer engine.Close(t.Context())
		w := httptest.NewRecorder()
		New(engine, Options{Log: slog.New(slog.DiscardHandler)}).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Code != http.StatusOK {
			t.Fatalf("status %d", w.Code)
		}
		return w.Body.String()
	}
	if strings.Contains(page(), "Found damaged") {
		t.Error("something is damaged in an empty directory")
	}
	engine, err := ingest.Open(dir, ingest.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	set, err := engine.Create("shop")
	if err != nil {
		t.Fatal(err)
	}
	_, err = set.Upload(t.Context(), "a.tar", 0, 3, strings.NewReader("a"))
	if err = errors.Join(err, engine.Close(t.Context()), os.RemoveAll(filepath.Join(dir, "catalog", "badger"))); err != nil {
		t.Fatal(err)
	}
	if got := page(); !strings.Contains(got, "Found damaged") || !strings.Contains(got, "The catalogue has nothing of 1 set") {
		t.Errorf("the page is\n%s", got)
	}
}
