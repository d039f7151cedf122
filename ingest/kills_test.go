package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// killsVariable says how many imports TestKilledAnywhere kills, of the demonstration, instead of a few of a smaller recording.
const killsVariable = "SYNCHROSCOPE_KILLS"

// Each of many imports is killed at an instant of its own, anywhere from the start of the process to
// after the end of the import, and resumed: the answers are those of an undisturbed one, and so is every
// file that is left.
func TestKilledAnywhere(t *testing.T) {
	from, kills := busyShop(t), 3
	if testing.Short() {
		kills = 1
	}
	if v := os.Getenv(killsVariable); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			t.Fatalf("%s=%s is no number of kills", killsVariable, v)
		}
		from, kills = demo(t), n
	}
	want := from.reference(t)
	ready := t.TempDir()
	prepareImport(t, ready, from)

	undisturbed := filepath.Join(t.TempDir(), "undisturbed")
	copyFolder(t, ready, undisturbed)
	began := time.Now()
	state := killAfter(t, undisturbed, -1, new(bytes.Buffer))
	whole := time.Since(began)
	files, answer := resumed(t, undisturbed)
	equal(t, "undisturbed in another process", answer, want)
	if state != "ready" {
		t.Fatalf("the undisturbed import is %s", state)
	}

	random := rand.New(rand.NewPCG(5, 6))
	states := make(map[string]int)
	for i := range kills {
		dir := filepath.Join(t.TempDir(), "killed")
		copyFolder(t, ready, dir)
		after := time.Duration(random.Int64N(int64(whole)))
		var log bytes.Buffer
		state := killAfter(t, dir, after, &log)
		if strings.Contains(log.String(), "level=WARN") || strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("kill %d: the child complains:\n%s", i, log.String())
		}
		how := fmt.Sprintf("kill %d, after %v, %s", i, after, state)
		left, answer := resumed(t, dir)
		equal(t, how, answer, want)
		if !slices.Equal(left, files) {
			t.Errorf("%s: files %q, undisturbed %q", how, left, files)
		}
		if t.Failed() {
			return
		}
		states[state]++
		os.RemoveAll(dir)
	}
	t.Logf("%d kills within %v; the import was last seen %v", kills, whole, states)
}

// prepareImport leaves a set in dir whose import has not begun.
func prepareImport(t *testing.T, dir string, from *recording) {
	t.Helper()
	e := openEngine(t, dir, Options{})
	s, err := e.Create("demo")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Upload(t.Context(), "shop.tar.gz", 0, -1, bytes.NewReader(from.Archive)); err != nil {
		t.Fatal(err)
	}
	if _, err := e.catalog.Move(s.id, "extracting", nil); err != nil {
		t.Fatal(err)
	}
	closeEngine(t, e)
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// killAfter lets a child work on dir for a time, or until it is done if that is negative, and kills
// it. It returns the state that the child told last.
func killAfter(t *testing.T, dir string, after time.Duration, log *bytes.Buffer) (state string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	cmd.Stderr = log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after >= 0 {
		timer := time.AfterFunc(after, func() { cmd.Process.Signal(syscall.SIGKILL) })
		defer timer.Stop()
	}
	state = "not begun"
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said, _, _ := strings.Cut(lines.Text(), " ")
		if state = said; state != "importing" && after < 0 {
			break
		}
	}
	if after < 0 {
		cmd.Process.Signal(syscall.SIGKILL)
	}
	go io.Copy(io.Discard, out)
	cmd.Wait()
	return state
}

// numbered is what a checkpoint's file is called: the number depends on how many there were.
var numbered = regexp.MustCompile(`checkpoint-[0-9]+`)

// resumed opens what a child left, lets the import end, and returns the files of the set and its answers.
func resumed(t *testing.T, dir string) (files []string, answer string) {
	t.Helper()
	e := openEngine(t, dir, Options{Workers: 2})
	defer closeEngine(t, e)
	s := e.Sets()[0]
	if err := s.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range filesBelow(t, e) {
		files = append(files, numbered.ReplaceAllString(strings.TrimPrefix(path, dir), "checkpoint"))
	}
	return files, answers(t, s)
}
