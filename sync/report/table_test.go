package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every table says the same in both forms, a value for each column, and all messages are there.
func TestTables(t *testing.T) {
	c := newCluster(t, []string{"alpha", "=2+3", "-rm,\"x\"\ny"}, [][2]int{{0, 1}, {1, 2}}, 50)
	var names []string
	for _, table := range Tables(c.Solution, c.each) {
		names = append(names, table.Name)
		var text, lines bytes.Buffer
		if err := errors.Join(table.CSV(&text), table.JSONL(&lines)); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&text).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", table.Name, err)
		}
		if !slices.Equal(rows[0], table.Columns) {
			t.Errorf("%s begins with %q", table.Name, rows[0])
		}
		objects := strings.Split(strings.TrimSuffix(lines.String(), "\n"), "\n")
		if len(rows) > 1 && len(objects) != len(rows)-1 {
			t.Errorf("%s: %d rows and %d lines", table.Name, len(rows)-1, len(objects))
		}
		for i, row := range rows[1:] {
			var object map[string]any
			if err := json.Unmarshal([]byte(objects[i]), &object); err != nil || len(object) != len(row) {
				t.Fatalf("%s: %v in %s", table.Name, err, objects[i])
			}
			for k, cell := range row {
				if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@") {
					if _, err := strconv.ParseFloat(cell, 64); err != nil {
						t.Errorf("%s: a spreadsheet would evaluate %q", table.Name, cell)
					}
				}
				if v := object[table.Columns[k]]; (v == nil) != (cell == "") {
					t.Errorf("%s: %s is %q and %v", table.Name, table.Columns[k], cell, v)
				}
			}
		}
		if table.Name == "messages" && len(rows) != 1+int(c.Counts.Matched) {
			t.Errorf("%d rows of %d messages", len(rows)-1, c.Counts.Matched)
		}
	}
	if want := []string{"hosts", "links", "pieces", "error", "points", "cuts", "matching", "messages"}; !slices.Equal(names, want) {
		t.Errorf("tables %v, want %v", names, want)
	}
}

func TestHarmless(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "web": "web", "=1": "'=1", "+1+1": "'+1+1", "-5.25": "-5.25", "-5e3": "'-5e3", "@SUM(A1)": "'@SUM(A1)", "-host": "'-host",
		"\t=1": "'\t=1", "\r": "'\r", "'=1": "''=1", "a=1": "a=1", "+7": "'+7",
	} {
		if got := harmless(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}
