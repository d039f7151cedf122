package workload

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Type is what values a parameter takes.
type Type int

// The types of parameters.
const (
	Number   Type = iota // an integer: 12
	Real                 // a number: 0.25 or 25%
	Duration             // with its unit: 20ms
	Bytes                // an integer with a unit at will: 1500, 64KiB, 2MiB
	Word                 // one of Param.Words
	Host                 // one host
	Hosts                // one or more hosts or patterns of hosts, with commas: web, node-*
)

// A Param is a parameter of a kind.
type Param struct {
	Name     string
	Type     Type
	Default  string // as in a scenario; empty if it must be given
	Min, Max float64
	Words    []string
	Does     string
}

// values are the parameters of a workload as they count.
type values struct {
	numbers map[string]float64
	words   map[string]string
	hosts   map[string][]string
}

func (v values) int(name string) int           { return int(v.numbers[name]) }
func (v values) real(name string) float64      { return v.numbers[name] }
func (v values) duration(name string) int64    { return int64(v.numbers[name]) }
func (v values) bytes(name string) int         { return int(v.numbers[name]) }
func (v values) word(name string) string       { return v.words[name] }
func (v values) host(name string) string       { return v.hosts[name][0] }
func (v values) hostList(name string) []string { return v.hosts[name] }

// resolve reads the parameters that a scenario gives.
func (k Kind) resolve(args map[string]string, hosts []string) (values, error) {
	v := values{make(map[string]float64), make(map[string]string), make(map[string][]string)}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !slices.ContainsFunc(k.Params, func(p Param) bool { return p.Name == name }) {
			return values{}, fmt.Errorf("%s has no parameter %q; it has %s", k.Name, name, k.params())
		}
	}
	for _, p := range k.Params {
		text, given := args[p.Name]
		if !given {
			text = p.Default
		}
		if text == "" {
			return values{}, fmt.Errorf("%s needs the parameter %s: %s", k.Name, p.Name, p.Does)
		}
		if err := p.read(text, hosts, v); err != nil {
			return values{}, fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	return v, nil
}

func (k Kind) params() string {
	var all []string
	for _, p := range k.Params {
		all = append(all, p.Name)
	}
	return strings.Join(all, ", ")
}

// read puts the value of a parameter among the others.
func (p Param) read(text string, hosts []string, into values) error {
	var n float64
	var err error
	switch p.Type {
	case Word:
		if !slices.Contains(p.Words, text) {
			return fmt.Errorf("%s is %q; it can be %s", p.Name, text, strings.Join(p.Words, ", "))
		}
		into.words[p.Name] = text
		return nil
	case Host, Hosts:
		list, err := pick(p.Name, text, hosts)
		if err != nil {
			return err
		}
		if p.Type == Host && len(list) != 1 {
			return fmt.Errorf("%s is %q, which is %d hosts; it takes one", p.Name, text, len(list))
		}
		into.hosts[p.Name] = list
		return nil
	case Number:
		var i int64
		i, err = strconv.ParseInt(text, 10, 53)
		n = float64(i)
	case Real:
		n, err = parseReal(text)
	case Duration:
		var d time.Duration
		d, err = time.ParseDuration(text)
		n = float64(d)
	case Bytes:
		n, err = parseBytes(text)
	}
	if err != nil || math.IsNaN(n) {
		return fmt.Errorf("%s is %q, which is no %s", p.Name, text, p.Type)
	}
	if n < p.Min || n > p.Max {
		return fmt.Errorf("%s is %s; it can be from %s to %s", p.Name, text, p.show(p.Min), p.show(p.Max))
	}
	into.numbers[p.Name] = n
	return nil
}

func (t Type) String() string {
	return [...]string{"integer", "number", "duration such as 20ms", "number of bytes such as 64KiB", "word", "host", "list of hosts"}[t]
}

// show is a number as a scenario would have it.
func (p Param) show(n float64) string {
	if p.Type == Duration {
		return time.Duration(n).String()
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// parseReal reads a number, or a part of a hundred: 2.5%.
func parseReal(text string) (float64, error) {
	if part, ok := strings.CutSuffix(text, "%"); ok {
		n, err := strconv.ParseFloat(part, 64)
		return n / 100, err
	}
	return strconv.ParseFloat(text, 64)
}

var units = []struct {
	name string
	is   float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}

func parseBytes(text string) (float64, error) {
	is := 1.0
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			text, is = rest, u.is
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 40)
	return float64(n) * is, err
}

// pick is the list of hosts that a text such as "web, node-*" names, each once, in the order of the text
// and, of one pattern, in that of the scenario.
func pick(name, text string, hosts []string) ([]string, error) {
	var list []string
	for pattern := range strings.SplitSeq(text, ",") {
		pattern = strings.TrimSpace(pattern)
		found := false
		for _, h := range hosts {
			fits, err := path.Match(pattern, h)
			if err != nil {
				return nil, fmt.Errorf("%s has the pattern %q, which cannot be read", name, pattern)
			}
			found = found || fits
			if fits && !slices.Contains(list, h) {
				list = append(list, h)
			}
		}
		if !found {
			return nil, fmt.Errorf("%s names %q, but there is no such host", name, pattern)
		}
	}
	return list, nil
}
