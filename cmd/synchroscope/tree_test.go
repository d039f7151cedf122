package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// The microscope names the node where thousands of states last from child to child, and is silent about other trees.
func TestTreeNamesCrowds(t *testing.T) {
	for _, open := range []int{3, 4000} {
		name := filepath.Join(t.TempDir(), "history.tree")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, err := history.Create(f, 0, history.Options{NodeSize: 1024, MaxChildren: 4, Model: kernel.Version})
		if err != nil {
			t.Fatal(err)
		}
		set := func(at int64, row int, v int64) {
			if err := w.Modify(at, w.Attributes().Add(attribute.Root, fmt.Sprint(row)), history.Int(v)); err != nil {
				t.Fatal(err)
			}
		}
		for row := range open {
			set(1, 1+row, 1)
		}
		for i := range int64(3000) {
			set(10+i, 0, i)
		}
		for row := range open {
			set(4000, 1+row, 2)
		}
		if err := w.Finish(5000); err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"check", "stats"} {
			var out, errs bytes.Buffer
			if code := treeCommand([]string{what, name}, &out, &errs); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			warned := strings.Contains(out.String(), "\nwarning: the node of level ") && strings.Contains(out.String(), ", from 0 to 4000 ns, has ")
			if warned != (open == 4000) || strings.Contains(out.String(), "warning") != warned {
				t.Errorf("%s, %d states stay open:\n%s", what, open, out.String())
			}
		}
	}
}

// A file that an earlier version of the state model built is said to be one.
func TestTreeNamesEarlierModels(t *testing.T) {
	for _, model := range []uint32{0, kernel.Version} {
		name := filepath.Join(t.TempDir(), "history.tree")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, err := history.Create(f, 0, history.Options{Model: model})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Finish(5000); err != nil {
			t.Fatal(err)
		}
		for _, what := range []string{"check", "stats"} {
			var out, errs bytes.Buffer
			if code := treeCommand([]string{what, name}, &out, &errs); code != exitOK {
				t.Fatalf("exit %d: %s", code, errs.String())
			}
			if earlier := strings.Contains(out.String(), "warning: version 0 of the state model built this"); earlier != (model == 0) {
				t.Errorf("%s of model %d:\n%s", what, model, out.String())
			}
		}
	}
}

// A page inside a block is no damaged block, and there is no block before the first.
func TestTreeDumpsBlocks(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.tree")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{NodeSize: 4096, PageSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Path("a")
	for i := range int64(2000) {
		if err := w.Modify(i, q, history.Int(i*i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(2000); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		number string
		code   int
		says   string
	}{
		{"0", exitOK, "0 1 a = 0\n"},
		{"3", exitFault, "no block begins at page 3: block 0 has 8 pages"},
		{"100000", exitFault, "there is no block 100000, only "},
		{"-5", exitUsage, "--block is the number of a block, not -5"},
	} {
		var out, errs bytes.Buffer
		if code := treeCommand([]string{"dump", "--block", c.number, name}, &out, &errs); code != c.code || !strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("block %s: exit %d, %.200q, %q", c.number, code, out.String(), errs.String())
		}
	}
}

// Every state can be seen: those that go on at the end, in as many blocks as they take, are marked, and of a block without states it is said what it is for.
func TestTreeDumpsAllStates(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.tree")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{NodeSize: 512})
	if err != nil {
		t.Fatal(err)
	}
	want := make(map[string]bool)
	for i := range int64(400) {
		q := w.Attributes().Path("a", fmt.Sprint(i))
		if i%7 == 0 {
			continue // never has a value
		}
		for at := range int64(3) {
			if err := w.Modify(10*i+at, q, history.Int(i<<40+at)); err != nil {
				t.Fatal(err)
			}
		}
		want[fmt.Sprintf("%d %d a/%d = %d", 10*i, 10*i+1, i, i<<40)] = true
		want[fmt.Sprintf("%d %d a/%d = %d", 10*i+1, 10*i+2, i, i<<40+1)] = true
		want[fmt.Sprintf("%d 5000 a/%d = %d (ongoing)", 10*i+2, i, i<<40+2)] = true
	}
	if err := w.Finish(5000); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{
		"index": "begin and end", "summary": "how long", "names": "the names of the attributes and the texts",
	}
	states := 0
	err = w.History().Blocks(t.Context(), func(b history.Block) bool {
		var out, errs bytes.Buffer
		if code := treeCommand([]string{"dump", "--block", fmt.Sprint(b.Number), name}, &out, &errs); code != exitOK {
			t.Fatalf("block %d: %s", b.Number, errs.String())
		}
		if b.Kind == "state" {
			states++
		}
		if words, ok := said[b.Kind]; ok {
			if !strings.HasPrefix(out.String(), fmt.Sprintf("Block %d is of kind %s and has no intervals: it holds ", b.Number, b.Kind)) || !strings.Contains(out.String(), words) {
				t.Errorf("of a block of kind %s it says %q", b.Kind, out.String())
			}
			return true
		}
		for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			if !want[line] {
				t.Errorf("block %d of kind %s has %q, which is no state or was told of before", b.Number, b.Kind, line)
			}
			delete(want, line)
		}
		return true
	})
	if err != nil || states < 3 || len(want) > 0 {
		t.Errorf("%v: in %d blocks of state; %d states are not told of: %.200v", err, states, len(want), want)
	}
}

// Of a file with damage in several places each is told, with what is lost by it, in words, up to a hundred, and the rest is counted. Standard
// error has one sentence, and the exit code is that of a file that is at fault.
func TestTreeCheckNamesEveryDamage(t *testing.T) {
	for _, n := range []int{1, 3, 150} {
		name := filepath.Join(t.TempDir(), "history.tree")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, err := history.Create(f, 0, history.Options{NodeSize: 512, Model: kernel.Version})
		if err != nil {
			t.Fatal(err)
		}
		q := w.Attributes().Path("Threads", "301")
		for i := range int64(40_000) {
			if err := w.Modify(i, q, history.Int(i*i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Finish(40_000); err != nil {
			t.Fatal(err)
		}
		var leaves []history.Block
		err = w.History().Blocks(t.Context(), func(b history.Block) bool {
			if b.Kind == "leaf" {
				leaves = append(leaves, b)
			}
			return len(leaves) < 2*n
		})
		if err != nil {
			t.Fatal(err)
		}
		var damaged []history.Block
		for i := 1; i < len(leaves); i += 2 {
			damaged = append(damaged, leaves[i])
			if _, err := f.WriteAt([]byte{0x55, 0xaa}, leaves[i].Offset+60); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		if code := treeCommand([]string{"check", name}, &out, &errs); code != exitFault {
			t.Fatalf("exit %d: %s", code, out.String())
		}
		for i, b := range damaged {
			cause := fmt.Sprintf("history: block %d at byte %d: checksum is ", b.Number, b.Offset)
			lost := fmt.Sprintf("\n    lost: the states of attribute 1 (Threads/301) from %d to %d ns, ", b.Start, b.End)
			if told := i < 100; strings.Contains(out.String(), cause) != told || strings.Contains(out.String(), lost) != told {
				t.Errorf("%d places, block %d:\n%s", n, b.Number, out.String())
			}
		}
		if strings.Contains(out.String(), fmt.Sprintf("\nand %d more\n", n-100)) != (n > 100) {
			t.Errorf("%d places:\n%s", n, out.String())
		}
		said := fmt.Sprintf("%s: %d places are damaged, the first: history: block %d at", name, n, damaged[0].Number)
		if n == 1 {
			said = fmt.Sprintf("%s: history: block %d at", name, damaged[0].Number)
		}
		if strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), said) {
			t.Errorf("%d places: %s", n, errs.String())
		}
	}
}

// Where a page is damaged, what lies before it is shown all the same, and what is wrong said.
func TestTreeShowsWhatIsSound(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.tree")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := history.Create(f, 0, history.Options{Model: kernel.Version, NodeSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	q := w.Attributes().Add(attribute.Root, "a")
	for at := range int64(50_000) {
		if err := w.Modify(at, q, history.Int(at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(50_000); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("damaged"), 10*4096+100); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{"stats": "leaf  0      9 ", "dump": "8      1      36864  leaf"} {
		var out, errs bytes.Buffer
		if code := treeCommand([]string{what, name}, &out, &errs); code == exitOK || !strings.Contains(errs.String(), "at byte 40960") {
			t.Errorf("%s: exit %d: %s", what, code, errs.String())
		}
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %q is not in\n%s", what, want, out.String())
		}
	}
}
