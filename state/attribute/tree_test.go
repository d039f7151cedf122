package attribute_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/state/attribute"
)

func TestTree(t *testing.T) {
	tree := attribute.NewTree()
	threads := tree.Add(attribute.Root, "Threads")
	if threads != 0 {
		t.Errorf("the first quark is %d", threads)
	}
	status := tree.Path("Threads", "42", "Status")
	name := tree.Path("Threads", "42", "Name")
	if tree.Path("Threads", "42", "Status") != status || tree.Len() != 4 {
		t.Error("adding a path twice made something new")
	}
	if got := tree.Lookup("Threads", "42", "Name"); got != name {
		t.Errorf("Lookup gave %d, want %d", got, name)
	}
	for _, q := range []attribute.Quark{
		tree.Lookup(), tree.Lookup("Threads", "43"), tree.Child(name, "x"), tree.Parent(99), tree.Child(99, "x"),
	} {
		if q != attribute.None {
			t.Errorf("what does not exist has quark %d", q)
		}
	}
	if tree.Parent(threads) != attribute.Root || tree.Name(name) != "Name" || tree.Name(99) != "" || tree.Full(99) != "" {
		t.Error("Parent, Name or Full is wrong")
	}
	if got := tree.Children(tree.Parent(name)); !slices.Equal(got, []attribute.Quark{status, name}) {
		t.Errorf("children are %v", got)
	}
	var below []string
	for q, name := range tree.Below(tree.Parent(name)) {
		below = append(below, fmt.Sprint(q, name))
	}
	if want := []string{fmt.Sprint(name, "Name"), fmt.Sprint(status, "Status")}; !slices.Equal(below, want) {
		t.Errorf("below are %q, want %q", below, want)
	}
	for q := range tree.Below(99) {
		t.Errorf("%d is below nothing", q)
	}
	if got := tree.Children(attribute.Root); !slices.Equal(got, []attribute.Quark{threads}) {
		t.Errorf("the first level is %v", got)
	}
	if got := tree.Children(99); got != nil {
		t.Errorf("children of nothing are %v", got)
	}
}

func TestMatch(t *testing.T) {
	tree := attribute.NewTree()
	for _, path := range []string{"CPUs 0 Current_thread", "CPUs 0 Status", "CPUs 1 Current_thread", "Threads 42 Status", "Threads 142 Status", `a/b c\d *`} {
		tree.Path(strings.Fields(path)...)
	}
	for pattern, want := range map[string]string{
		"CPUs/*/Current_thread":  "CPUs/0/Current_thread CPUs/1/Current_thread",
		"CPUs/0":                 "CPUs/0",
		"*/*/Status":             "CPUs/0/Status Threads/42/Status Threads/142/Status",
		"Threads/*42":            "Threads/42 Threads/142",
		"Threads/1*2/S*t*s":      "Threads/142/Status",
		"Threads/4*42":           "",
		"**/Status":              "CPUs/0/Status Threads/42/Status Threads/142/Status",
		"CPUs/**":                "CPUs CPUs/0 CPUs/0/Current_thread CPUs/0/Status CPUs/1 CPUs/1/Current_thread",
		"**/0/**":                "CPUs/0 CPUs/0/Current_thread CPUs/0/Status",
		`a\/b/c\\d/\*`:           `a\/b/c\\d/*`,
		"nothing":                "",
		"CPUs/0/Current_thread/": "",
		"*":                      `CPUs Threads a\/b`,
	} {
		var got []string
		for _, q := range tree.Match(pattern) {
			got = append(got, tree.Full(q))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s matches %q, want %q", pattern, got, want)
		}
	}
	if got := len(tree.Match("")); got != tree.Len() {
		t.Errorf("the empty pattern matches %d of %d", got, tree.Len())
	}
}

// Every path leads back to its quark, as elements and as a pattern, and the
// list of parents and names makes the same tree again.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := attribute.NewTree()
		quarks := make(map[string]attribute.Quark)
		var paths [][]string
		for range rapid.IntRange(0, 60).Draw(t, "paths") {
			path := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "/", `\`, "", "*", "long name"}), 1, 4).Draw(t, "path")
			for i := range path {
				key := fmt.Sprintf("%q", path[:i+1])
				if _, ok := quarks[key]; !ok {
					quarks[key] = attribute.Quark(len(quarks))
					paths = append(paths, path[:i+1])
				}
			}
			if got, want := tree.Path(path...), quarks[fmt.Sprintf("%q", path)]; got != want {
				t.Fatalf("%q has quark %d, want %d", path, got, want)
			}
		}
		again := attribute.NewTree()
		full := make(map[string]bool)
		for q, path := range paths {
			quark := attribute.Quark(q)
			if got := tree.Lookup(path...); got != quark {
				t.Fatalf("%q is looked up as %d, want %d", path, got, quark)
			}
			if again.Add(tree.Parent(quark), tree.Name(quark)) != quark || again.Full(quark) != tree.Full(quark) {
				t.Fatalf("%q is another in the tree made again", path)
			}
			if full[tree.Full(quark)] {
				t.Fatalf("two attributes are called %s", tree.Full(quark))
			}
			full[tree.Full(quark)] = true
			pattern := strings.ReplaceAll(tree.Full(quark), "*", `\*`)
			if pattern == "" {
				continue // the empty pattern is all
			}
			if got := tree.Match(pattern); !slices.Equal(got, []attribute.Quark{quark}) {
				t.Fatalf("%q as a pattern matches %v, want %d", pattern, got, quark)
			}
		}
		if tree.Len() != len(paths) {
			t.Fatalf("%d attributes, want %d", tree.Len(), len(paths))
		}
	})
}

// One goroutine adds while others read.
func TestReadersBesideTheAdder(t *testing.T) {
	tree := attribute.NewTree()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for tree.Len() < 2000 {
				for _, q := range tree.Match("Threads/*/Status") {
					if got := tree.Lookup("Threads", tree.Name(tree.Parent(q)), "Status"); got != q {
						t.Errorf("quark %d is looked up as %d", q, got)
						return
					}
				}
				tree.Children(tree.Lookup("Threads"))
			}
		})
	}
	for i := range 1000 {
		tree.Path("Threads", fmt.Sprint(i), "Status")
	}
	wg.Wait()
}

func BenchmarkChild(b *testing.B) {
	tree := attribute.NewTree()
	var parents []attribute.Quark
	for i := range 20_000 {
		q := tree.Path("Threads", fmt.Sprint(i))
		tree.Add(q, "Status")
		parents = append(parents, q)
	}
	for i := range b.N {
		if tree.Child(parents[i%len(parents)], "Status") == attribute.None {
			b.Fatal("missing")
		}
	}
}

// BenchmarkAdd gives each of very many threads a few attributes, in whatever order they come; a turn is an attribute.
func BenchmarkAdd(b *testing.B) {
	const threads, below = 100_000, 10
	names := make([]string, below)
	for i := range names {
		names[i] = fmt.Sprint("name ", i)
	}
	for done := 0; done < b.N; {
		tree := attribute.NewTree()
		parents := make([]attribute.Quark, threads)
		for i := range parents {
			parents[i] = tree.Path("Threads", fmt.Sprint(i))
		}
		for _, name := range names {
			for i := range parents {
				tree.Add(parents[i*7919%threads], name)
			}
		}
		done += threads * below
	}
}
