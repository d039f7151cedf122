package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"synchroscope/sync/match"
	"synchroscope/sync/network"
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
	if want := []string{"solution", "hosts", "addresses", "aliases", "links", "pieces", "error", "points", "cuts", "matching", "messages"}; !slices.Equal(names, want) {
		t.Errorf("tables %v, want %v", names, want)
	}
}

// What a report has of a solution as a whole and of its hosts is in the tables too.
func TestTablesOfHosts(t *testing.T) {
	c := newCluster(t, []string{"alpha", "beta", "gamma"}, [][2]int{{0, 1}, {1, 2}}, 50)
	c.Hosts[0].Addresses = []match.Holding{{Address: netip.MustParseAddr("10.0.0.1"), Begin: epoch, End: epoch + 1, Sent: 7}}
	c.Hosts[0].Aliases = []match.Alias{{Address: netip.MustParseAddr("192.0.2.9"), Of: netip.MustParseAddr("10.0.0.1"), By: 2, Messages: 3}}
	rows := make(map[string][][]any)
	for _, table := range Tables(c.Solution, c.each) {
		err := table.Each(func(row ...any) error {
			rows[table.Name] = append(rows[table.Name], slices.Clone(row))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{
		"addresses": fmt.Sprintf("[[alpha 10.0.0.1 <nil> %d %d 7 false]]", epoch, epoch+1),
		"aliases":   "[[alpha 192.0.2.9 10.0.0.1 gamma 3]]",
		"solution":  "[[beta 1 true hull <nil> <nil> <nil> <nil> <nil>]]",
	} {
		if got := fmt.Sprint(rows[name]); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, row := range rows["hosts"] {
		loss, sum := row[13].(int64), row[14].(int64)
		if best := row[3].(bool); best != (loss == 0) || sum <= 0 {
			t.Errorf("%v as the reference: %d ns more, errors of %d ns", row[0], loss, sum)
		}
	}
}

// The table of hosts has the window in which messages counted by each host's clock.
func TestWindowsOfHosts(t *testing.T) {
	c := newCluster(t, []string{"alpha", "beta"}, [][2]int{{0, 1}}, 50)
	s := *c.Solution
	s.Hosts = slices.Clone(s.Hosts)
	s.Hosts[1].Window = &network.Window{Begin: epoch + 5, End: epoch + 9}
	for _, table := range Tables(&s, c.each) {
		if table.Name != "hosts" {
			continue
		}
		begin, end := slices.Index(table.Columns, "window_begin_ns"), slices.Index(table.Columns, "window_end_ns")
		want := map[any][2]any{"alpha": {nil, nil}, "beta": {network.Time(epoch + 5), network.Time(epoch + 9)}}
		if err := table.Each(func(row ...any) error {
			if got := [2]any{row[begin], row[end]}; got != want[row[0]] {
				t.Errorf("the window of %v is %v, want %v", row[0], got, want[row[0]])
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// What is no UTF-8 of a name is a sign that says so, or programs would refuse the whole table.
func TestTableIsUTF8(t *testing.T) {
	table := Table{Columns: []string{"thread"}, Each: func(row func(...any) error) error { return row("tr\xc3\xa8s-long-nom\xc3") }}
	var text bytes.Buffer
	if err := table.CSV(&text); err != nil {
		t.Fatal(err)
	}
	if want := "thread\ntrès-long-nom\uFFFD\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
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
