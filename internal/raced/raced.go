// Package raced is for tests that run twice: whole, and once more under the race detector with -short, for what goroutines do to
// each other. There everything takes five to twenty times as long, so a test in which nothing new can meet says so and is left to the
// round without: what it promises of results it has shown there. A test that says nothing runs in both.
//
// Which goroutines a test starts is seen in what -trace writes of it: the stacks of the transitions from NotExist.
package raced

import (
	"strings"
	"testing"
)

// Alone leaves a test out of the raced round in which one goroutine does all the work.
func Alone(t testing.TB) {
	t.Helper()
	leave(t, "one goroutine does all the work here: the race detector has nothing to see")
}

// Elsewhere leaves a test out of the raced round whose goroutines, all of them, are those of the tests it names, which run there.
func Elsewhere(t testing.TB, tests ...string) {
	t.Helper()
	leave(t, "all its goroutines are those of "+strings.Join(tests, " and ")+", which the race detector sees")
}

func leave(t testing.TB, why string) {
	t.Helper()
	if detector && testing.Short() {
		t.Skip(why)
	}
}
