package declared

import "testing"

// LimitCalls makes rows show so many calls inside each other, and keep so many deeper ones of a row and of all.
func LimitCalls(t testing.TB, shown, deep, all int) {
	a, b, c := maxDepth, maxDeep, mostDeep
	maxDepth, maxDeep, mostDeep = shown, deep, all
	t.Cleanup(func() { maxDepth, maxDeep, mostDeep = a, b, c })
}

// LimitRows lets a host have so many rows.
func LimitRows(t testing.TB, most int) {
	before := maxTracks
	maxTracks = most
	t.Cleanup(func() { maxTracks = before })
}

// LimitModules lets so many modules of a process be known, of all, and so many processes.
func LimitModules(t testing.TB, loaded, all, processes int) {
	a, b, c := mostLoaded, mostModules, mostProcesses
	mostLoaded, mostModules, mostProcesses = loaded, all, processes
	t.Cleanup(func() { mostLoaded, mostModules, mostProcesses = a, b, c })
}
