package history

import "testing"

// SplitCells makes queries for pixels use a second processor above so many cells, and those
// for all attributes always.
func SplitCells(t testing.TB, cells int) {
	before, pages := fewCells, fewPages
	fewCells, fewPages = cells, 2
	t.Cleanup(func() { fewCells, fewPages = before, pages })
}
