package filter

import (
	"cmp"
	"slices"
	"strings"
)

// mostNearest is how many names are offered for a misspelt one.
const mostNearest = 3

// Nearest returns those of the names that are most likely meant by one that is none of them, the likeliest
// first: spelt nearly so, or with only the last elements of a path said.
func Nearest(meant string, names []string) []string {
	type candidate struct {
		name  string
		apart int
	}
	var near []candidate
	for _, name := range names {
		d := apart(meant, name)
		if at := strings.LastIndexByte(name, '.'); at >= 0 && !strings.Contains(meant, ".") {
			d = min(d, 1+apart(meant, name[at+1:]))
		}
		if strings.HasSuffix(name, "."+meant) {
			d = 0
		}
		if d <= max(1, len(meant)/3) {
			near = append(near, candidate{name, d})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Or(a.apart-b.apart, cmp.Compare(a.name, b.name)) })
	near = slices.CompactFunc(near, func(a, b candidate) bool { return a.name == b.name })
	var out []string
	for _, c := range near[:min(len(near), mostNearest)] {
		out = append(out, c.name)
	}
	return out
}

// apart counts the bytes that are inserted, left out, replaced or exchanged with their neighbour to
// make b of a, whatever their case.
func apart(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(b)]
}
