//go:build race

package ctf

// raceEnabled says that the tests run in the race detector, and ten times as long.
const raceEnabled = true
