package history

import "testing"

// SplitCells makes queries for pixels use a second processor above so many cells, and hold
// no more than six times that at once, and those for all attributes use one always.
func SplitCells(t testing.TB, cells int) {
	before, most, pages := fewCells, mostCells, fewPages
	fewCells, mostCells, fewPages = cells, 6*cells, 2
	t.Cleanup(func() { fewCells, mostCells, fewPages = before, most, pages })
}
