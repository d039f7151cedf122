package workload

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update-manual", false, "write the tables of docs/simulator.md anew")

const (
	manual = "../../docs/simulator.md"
	begins = "<!-- kinds of workloads: go test ./simulate/workload -run TestManual -update-manual -->\n"
	ends   = "<!-- end of kinds -->\n"
)

// The manual's tables of kinds and parameters are those of the program.
func TestManual(t *testing.T) {
	page, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), begins)
	tables, after, ended := strings.Cut(rest, ends)
	if !found || !ended {
		t.Fatalf("%s has no place for the kinds of workloads", manual)
	}
	want := tablesOfKinds()
	if tables == want {
		return
	}
	if !*update {
		t.Fatalf("%s tells of other kinds of workloads than there are; the line before them says how to write them anew", manual)
	}
	if err := os.WriteFile(manual, []byte(before+begins+want+ends+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

func tablesOfKinds() string {
	var b strings.Builder
	for _, k := range Kinds() {
		fmt.Fprintf(&b, "\n### `%s`\n\n%s.\n\n| parameter | default | from | to | is |\n|---|---|---|---|---|\n", k.Name, strings.ToUpper(k.Does[:1])+k.Does[1:])
		for _, p := range k.Params {
			fallback, from, to, does := "", "", "", p.Does
			if p.Default != "" {
				fallback = "`" + p.Default + "`"
			}
			switch p.Type {
			case Word:
				does += "; `" + strings.Join(p.Words, "`, `") + "`"
			case Host, Hosts:
			default:
				from, to = p.show(p.Min), p.show(p.Max)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", p.Name, fallback, from, to, does)
		}
	}
	b.WriteString("\n")
	return b.String()
}
