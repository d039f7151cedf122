package scenario

import (
	"fmt"
	"strconv"
	"strings"
)

// A statement with sequences in braces stands for as many as these have elements: with n = 4,
//
//	link node-{1..n} node-{2..n,1}
//
// is a ring. All sequences of a statement and of those below it have one length.

const maxElements = 10_000

// expand is the statements that one stands for.
func (s statement) expand(n int) ([]statement, error) {
	var sequences [][]string
	count := -1
	var fail error
	text := func(t string) string {
		_, err := replace(t, func(inside string) (string, error) {
			list, err := elements(inside, n)
			if err != nil {
				return "", err
			}
			if count >= 0 && len(list) != count {
				return "", fmt.Errorf("{%s} has %d elements, a sequence before it %d", inside, len(list), count)
			}
			count = len(list)
			sequences = append(sequences, list)
			return "", nil
		})
		if err != nil && fail == nil {
			fail = err
		}
		return t
	}
	s.each(text)
	if fail != nil {
		return nil, fail
	}
	if count < 0 {
		return []statement{s}, nil
	}
	all := make([]statement, count)
	for i := range all {
		next := 0
		all[i] = s.each(func(t string) string {
			t, _ = replace(t, func(string) (string, error) {
				next++
				return sequences[next-1][i], nil
			})
			return t
		})
	}
	return all, nil
}

// each is a copy of the statement with all its texts replaced, in order.
func (s statement) each(f func(string) string) statement {
	c := statement{line: s.line}
	for _, w := range s.words {
		c.words = append(c.words, f(w))
	}
	for _, a := range s.args {
		c.args = append(c.args, arg{a.key, f(a.value)})
	}
	for _, u := range s.under {
		c.under = append(c.under, u.each(f))
	}
	return c
}

// replace replaces all {...} in a text.
func replace(text string, f func(inside string) (string, error)) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		inside, after, found := strings.Cut(rest, "}")
		if !found {
			return "", fmt.Errorf("%q has a { without a }", text)
		}
		with, err := f(inside)
		if err != nil {
			return "", err
		}
		out.WriteString(with)
		text = after
	}
}

// elements is the list that a sequence such as "2..n,1" means. "1..6~n" goes round until
// there are n.
func elements(text string, n int) ([]string, error) {
	list, length, cycled := strings.Cut(text, "~")
	var all []string
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "..")
		if !isRange {
			if v, err := number(part, n); err == nil {
				part = strconv.Itoa(v)
			}
			all = append(all, strings.TrimSpace(part))
			continue
		}
		from, err := number(low, n)
		if err != nil {
			return nil, fmt.Errorf("{%s}: %w", text, err)
		}
		to, err := number(high, n)
		if err != nil {
			return nil, fmt.Errorf("{%s}: %w", text, err)
		}
		if to-from >= maxElements {
			return nil, fmt.Errorf("{%s} has more than %d elements", text, maxElements)
		}
		for v := from; v <= to; v++ {
			all = append(all, strconv.Itoa(v))
		}
	}
	if !cycled {
		return all, nil
	}
	count, err := number(length, n)
	if err != nil || count < 0 || count > maxElements || len(all) == 0 {
		return nil, fmt.Errorf("{%s} cannot be repeated so", text)
	}
	round := make([]string, count)
	for i := range round {
		round[i] = all[i%len(all)]
	}
	return round, nil
}

// number is an integer, n, n+1 or n-1.
func number(text string, n int) (int, error) {
	text = strings.TrimSpace(text)
	rest, isN := strings.CutPrefix(text, "n")
	if !isN {
		n = 0
	} else if n < 0 {
		return 0, fmt.Errorf("how many n is, a statement hosts above says")
	} else if rest == "" {
		return n, nil
	} else if rest[0] != '+' && rest[0] != '-' {
		return 0, fmt.Errorf("%q is no number", text)
	}
	v, err := strconv.ParseInt(rest, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	return n + int(v), nil
}
