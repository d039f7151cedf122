package history

import "testing"

// SplitCells makes queries for pixels use a second processor above so many cells.
func SplitCells(t testing.TB, cells int) {
	before := fewCells
	fewCells = cells
	t.Cleanup(func() { fewCells = before })
}
