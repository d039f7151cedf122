package report

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"synchroscope/sync/network"
)

// CSV writes the table with a line of its columns first, as RFC 4180 has it but for line ends, which are LF. Nothing is an empty cell. Where a row
// cannot be had, some rows before it may not be written either.
//
// A text that a spreadsheet would take for a formula gets an apostrophe before it: names of hosts come from traces. Numbers
// are numbers. A name that the kernel cut in the middle of a character ends with U+FFFD: all of it is UTF-8.
func (t *Table) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	if err := w.Write(t.Columns); err != nil {
		return err
	}
	cells := make([]string, len(t.Columns))
	err := t.Each(func(row ...any) error {
		for i, v := range row {
			cells[i] = csvCell(v)
		}
		return w.Write(cells)
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return harmless(strings.ToValidUTF8(v, "\uFFFD"))
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case network.Time:
		return strconv.FormatInt(int64(v), 10)
	case network.Float:
		return strconv.FormatFloat(float64(v), 'g', 17, 64)
	}
	panic(fmt.Sprintf("report: a table has a value of type %T", v))
}

// harmless is a text that no spreadsheet evaluates. A number in words, as an exact coefficient, stays one.
func harmless(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r\n", rune(s[0])) && s[0] != '\'' {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil && strings.Trim(s, "-.0123456789") == "" {
		return s
	}
	return "'" + s
}

// JSONL writes a line of JSON for each row: an object of the columns, times as strings, for they do not fit a double.
func (t *Table) JSONL(out io.Writer) error {
	w := bufio.NewWriter(out)
	keys := make([][]byte, len(t.Columns))
	for i, c := range t.Columns {
		keys[i] = fmt.Appendf(nil, ",%q:", c)
		if i == 0 {
			keys[i][0] = '{'
		}
	}
	err := t.Each(func(row ...any) error {
		for i, v := range row {
			b, err := json.Marshal(v)
			if err != nil {
				return err
			}
			w.Write(keys[i])
			w.Write(b)
		}
		_, err := w.WriteString("}\n")
		return err
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
