package filter

import "strconv"

// A parser goes down the grammar of docs/guide/filter.md, one method for each rule.
type parser struct {
	lexer
	token token
	depth int
	check func(Comparison) error // nil for none
}

// checked returns a comparison, whose sides begin at the bytes left and right, unless there is something against it.
func (p *parser) checked(n node, c Comparison, left, right int) (node, error) {
	if p.check == nil {
		return n, nil
	}
	place := func(at int) func(string) error {
		return func(problem string) error { return p.wrong(at, "%s", problem) }
	}
	c.Left.wrong, c.Right.wrong = place(left), place(right)
	if err := p.check(c); err != nil {
		return nil, err
	}
	return n, nil
}

func (p *parser) advance() (err error) {
	p.token, err = p.next()
	return err
}

// sign takes the current token if it is that operator or bracket.
func (p *parser) sign(text string) (bool, error) {
	if p.token.kind != tokenSign || p.token.text != text {
		return false, nil
	}
	return true, p.advance()
}

// need takes an operator or bracket that must be there.
func (p *parser) need(text string) error {
	found, err := p.sign(text)
	if err == nil && !found {
		err = p.expected(text)
	}
	return err
}

// chain reads what next reads, once and after each sign.
func (p *parser) chain(sign string, next func() (node, error)) ([]node, error) {
	var nodes []node
	for {
		n, err := next()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
		if more, err := p.sign(sign); err != nil || !more {
			return nodes, err
		}
	}
}

func (p *parser) or() (node, error) {
	nodes, err := p.chain("||", p.and)
	if err != nil || len(nodes) == 1 {
		return first(nodes), err
	}
	return or(nodes), nil
}

func (p *parser) and() (node, error) {
	nodes, err := p.chain("&&", p.unary)
	if err != nil || len(nodes) == 1 {
		return first(nodes), err
	}
	return and(nodes), nil
}

func first(nodes []node) node {
	if nodes == nil {
		return nil
	}
	return nodes[0]
}

func (p *parser) unary() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.wrong(p.token.at, "parentheses and negations are nested deeper than %d", maxDepth)
	}
	defer func() { p.depth-- }()
	if found, err := p.sign("!"); err != nil {
		return nil, err
	} else if found {
		n, err := p.unary()
		return not{n}, err
	}
	if found, err := p.sign("("); err != nil {
		return nil, err
	} else if found {
		n, err := p.or()
		if err != nil {
			return nil, err
		}
		return n, p.need(")")
	}
	if p.token.kind == tokenName && p.token.text == "has" {
		if n, err := p.has(); n != nil || err != nil {
			return n, err
		}
	}
	return p.comparison()
}

// has reads has(PATH). It returns nil where has is the name of a field.
func (p *parser) has() (node, error) {
	before := *p
	if err := p.advance(); err != nil {
		return nil, err
	}
	if found, err := p.sign("("); err != nil || !found {
		*p = before
		return nil, err
	}
	at := p.token.at
	path, err := p.path()
	if err != nil {
		return nil, err
	}
	if err := p.need(")"); err != nil {
		return nil, err
	}
	return p.checked(has{path}, has{path}.comparison(), at, at)
}

func (p *parser) comparison() (node, error) {
	at := p.token.at
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	if p.token.kind != tokenSign {
		return nil, p.expected("a comparison such as == or =~")
	}
	if p.token.text == "=~" || p.token.text == "!~" {
		return p.fits(left, at)
	}
	o, ok := orders[p.token.text]
	if !ok {
		return nil, p.expected("a comparison such as == or =~")
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	rightAt := p.token.at
	if err := p.quoted(left, at); err != nil {
		return nil, err
	}
	right, err := p.operand()
	if err != nil {
		return nil, err
	}
	return p.compare(left, right, o, at, rightAt)
}

// quoted is against a text without quotes, such as db-1, which would be read as far as it looks like a field or a number. It is the current
// token and what follows that without a space, and left, from the byte at on, is compared with it.
func (p *parser) quoted(left operand, at int) error {
	t := p.token
	if t.kind != tokenName && t.kind != tokenNumber || left.kind() == aNumber {
		return nil
	}
	n := textLength(p.text[t.at:])
	if n <= t.end-t.at || pathLength(p.text[t.at:]) >= n {
		return nil
	}
	return p.wrong(t.at, "a text with other characters than letters, digits and _ goes in quotes: %s%q", p.text[at:t.at], p.text[t.at:t.at+n])
}

// compare checks the two sides of a comparison, which begin at the bytes at and rightAt.
func (p *parser) compare(left, right operand, o order, at, rightAt int) (node, error) {
	l, r := left.kind(), right.kind()
	switch {
	case !left.isPath() && !right.isPath():
		return nil, p.wrong(at, "expected a field on one side of the comparison, found two values")
	case l != anything && r != anything && l != r:
		return nil, p.wrong(at, "%s and %s are never equal: one is %s, the other %s", left.append(nil), right.append(nil), l, r)
	}
	for _, side := range [...][2]*operand{{&left, &right}, {&right, &left}} {
		if err := side[1].meant(side[0].property()); err != nil {
			return nil, p.wrong(at, "%v", err)
		}
	}
	n := compare{left, right, o}
	return p.checked(n, n.comparison(), at, rightAt)
}

// fits reads the rest of PATH =~ "GLOB".
func (p *parser) fits(left operand, at int) (node, error) {
	if !left.isPath() {
		return nil, p.wrong(at, "expected a field on the left of %s, found a value", p.token.text)
	}
	if left.kind() == aNumber {
		return nil, p.wrong(at, "expected a string on the left of %s, found the number %s", p.token.text, left.append(nil))
	}
	negate := p.token.text == "!~"
	if err := p.advance(); err != nil {
		return nil, err
	}
	if p.token.kind != tokenString {
		return nil, p.expected("a pattern in quotes")
	}
	rightAt := p.token.at
	g, err := NewGlob(p.token.text)
	if err != nil {
		return nil, p.wrong(rightAt, "%v", err)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	n := fits{left.path, g, negate}
	return p.checked(n, n.comparison(), at, rightAt)
}

func (p *parser) operand() (operand, error) {
	t := p.token
	switch {
	case t.kind == tokenString:
		return operand{form: aString, text: t.text}, p.advance()
	case t.kind == tokenNumber:
		n, err := parseNumber(t.text)
		if err != nil {
			return operand{}, p.wrong(t.at, "%v", err)
		}
		return operand{form: aNumber, text: t.text, number: n}, p.advance()
	case t.kind == tokenName && (t.text == "true" || t.text == "false"):
		n := number{}
		if t.text == "true" {
			n.bits = 1
		}
		return operand{form: aNumber, text: t.text, number: n}, p.advance()
	case t.kind == tokenName, t.kind == tokenSign && (t.text == "." || t.text == "$ctx."):
		path, err := p.path()
		return operand{path: path}, err
	}
	return operand{}, p.expected("a field or a value")
}

func (p *parser) path() (*path, error) {
	x := &path{element: -1}
	if p.token.kind == tokenSign {
		if inContext := p.token.text == "$ctx."; inContext || p.token.text == "." {
			x.where = fields
			if inContext {
				x.where = contexts
			}
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
	}
	for {
		t := p.token
		if t.kind != tokenName && (t.kind != tokenString || x.where == anywhere && x.names == nil) || t.text == "" {
			return nil, p.expected("the name of a field")
		}
		if len(x.names) == maxPath {
			return nil, p.wrong(t.at, "a path has more than %d elements", maxPath)
		}
		x.names = append(x.names, t.text)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if more, err := p.sign("."); err != nil {
			return nil, err
		} else if !more {
			break
		}
	}
	if found, err := p.sign("["); err != nil {
		return nil, err
	} else if found {
		i, err := strconv.ParseUint(p.token.text, 10, 31)
		if p.token.kind != tokenNumber || err != nil {
			return nil, p.expected("the number of an element, from 0")
		}
		x.element = int(i)
		if err := p.advance(); err != nil {
			return nil, err
		}
		if err := p.need("]"); err != nil {
			return nil, err
		}
	}
	if x.where == anywhere && len(x.names) == 1 && x.element < 0 {
		x.property = properties[x.names[0]]
	}
	return x, nil
}
