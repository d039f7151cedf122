package handlers

import "testing"

// A file has the name of its set, whatever its letters, and one of plain letters for clients that read no other.
func TestNamesOfAttachments(t *testing.T) {
	for name, want := range map[string]string{
		"shop.csv":        `attachment; filename=shop.csv`,
		"my shop.csv":     `attachment; filename=my-shop.csv`,
		"été 日本 shop.csv": `attachment; filename="t-shop.csv"; filename*=utf-8''%C3%A9t%C3%A9-%E6%97%A5%E6%9C%AC-shop.csv`,
		"日本.tar.zst":      `attachment; filename="tar.zst"; filename*=utf-8''%E6%97%A5%E6%9C%AC.tar.zst`,
	} {
		got := attachment(name)
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
