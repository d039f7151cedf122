//go:build !race

package ctf

const raceEnabled = false
