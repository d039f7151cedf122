package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced as a whole, or stays as it is where what was to be in it cannot be had.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := WriteFile(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	none := errors.New("there is no more")
	err := Write(path, func(to io.Writer) error {
		if _, err := to.Write([]byte("half of it")); err != nil {
			return err
		}
		return none
	})
	if b, _ := os.ReadFile(path); !errors.Is(err, none) || string(b) != "first" {
		t.Errorf("%v leaves %q", err, b)
	}
	if err := WriteFile(path, []byte("second")); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != "second" {
		t.Errorf("the file has %q", b)
	}
	if _, err := os.Stat(path + Partial); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not whole is left: %v", err)
	}
}
