package ingest

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"synchroscope/simulate/simulatetest"
)

// A recording is an archive of traces, and what an undisturbed import of it answers.
type recording struct {
	*simulatetest.Recording
	name string

	once sync.Once
	said string
}

// reference imports the recording in peace, once for all tests.
func (r *recording) reference(t *testing.T) string {
	t.Helper()
	r.once.Do(func() {
		e := openEngine(t, t.TempDir(), Options{Workers: 2})
		r.said = answers(t, importPath(t, e, "undisturbed", r.File(t)))
		closeEngine(t, e)
	})
	if r.said == "" {
		t.Fatal("the undisturbed import failed")
	}
	return r.said
}

var (
	aShop       = recording{name: "a shop"}
	aBusyShop   = recording{name: "a busy shop"}
	aRealShop   = recording{name: "the demonstration"}
	recordingMu sync.Mutex
)

// shop is that of the demonstration, simulated: a twentieth of the events, and all that an import has to do with.
func shop(t testing.TB) *recording { return aShop.simulated(t, shopSeconds) }

// busyShop goes on for long enough to be stopped in its middle.
func busyShop(t testing.TB) *recording {
	if busySeconds == shopSeconds {
		return shop(t)
	}
	return aBusyShop.simulated(t, busySeconds)
}

func (r *recording) simulated(t testing.TB, seconds int) *recording {
	t.Helper()
	recordingMu.Lock()
	defer recordingMu.Unlock()
	if r.Recording == nil {
		r.Recording = simulatetest.Shop(t, seconds)
	}
	return r
}

// demo is the recording of four machines that is built into the program: for tests of what only real machines do.
func demo(t testing.TB) *recording {
	t.Helper()
	recordingMu.Lock()
	defer recordingMu.Unlock()
	if aRealShop.Recording == nil {
		b, err := os.ReadFile(filepath.Join("..", "cmd", "synchroscope", "demo", "shop-4hosts.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		aRealShop.Recording = &simulatetest.Recording{Archive: b, Events: 770375}
	}
	return &aRealShop
}
