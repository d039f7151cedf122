package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// maxPattern is the longest pattern of paths in bytes.
const maxPattern = 1000

// repeated is the parameter that may be given several times: filters that must all hold.
const repeated = "where"

// query reads the query string of a request: each of the named parameters at most once, but for the repeated one, and no
// other. One without a value is as if it were not there.
func query(r *http.Request, names ...string) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, badRequest("What follows the question mark of the address is not encoded as it must be.")
	}
	for name, values := range q {
		switch {
		case len(names) == 0:
			return nil, badRequest("There is no parameter %.40q here, nor any other.", name)
		case !slices.Contains(names, name):
			return nil, badRequest("There is no parameter %.40q here; there are %s.", name, strings.Join(names, ", "))
		case len(values) > 1 && name != repeated:
			return nil, badRequest("%q is given %d times.", name, len(values))
		case slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }):
			return nil, badRequest("%q is not UTF-8.", name)
		case !slices.ContainsFunc(values, func(v string) bool { return v != "" }):
			q.Del(name)
		}
	}
	return q, nil
}

func badRequest(format string, args ...any) failure {
	return failure{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// wrongValue is a bad request because of one value of a parameter, of which it says what is wrong with it.
func wrongValue(name string, index int, format string, args ...any) *wrongParameter {
	fault := fmt.Sprintf(format, args...)
	return &wrongParameter{badRequest("%q %s", name, fault), name, index, fault}
}

// timeParam reads a time in ns.
func timeParam(value, name string) (int64, error) {
	t, err := strconv.ParseInt(value, 10, 64)
	if err != nil || t > wire.MaxTime || t < -wire.MaxTime {
		return 0, badRequest("%q must be a time in ns, not %.40q.", name, value)
	}
	return t, nil
}

// boolParam reads 1, 0, true or false; without a value it is false.
func boolParam(q url.Values, name string) (bool, error) {
	switch value := q.Get(name); value {
	case "1", "true":
		return true, nil
	case "0", "false", "":
		return false, nil
	default:
		return false, badRequest("%q must be 1 or 0, not %.40q.", name, value)
	}
}

// hostsParam returns the host of a name, or all without one.
func hostsParam(set *ingest.Set, q url.Values) ([]*ingest.Host, error) {
	if !q.Has("host") {
		return set.Hosts(), nil
	}
	h, err := hostNamed(set, q.Get("host"))
	if err != nil {
		return nil, err
	}
	return []*ingest.Host{h}, nil
}

// hostNamed finds a host of a set by its name.
func hostNamed(set *ingest.Set, name string) (*ingest.Host, error) {
	for _, h := range set.Hosts() {
		if h.Name() == name {
			return h, nil
		}
	}
	return nil, badRequest("The trace set has no host %.80q.", name)
}

// pathParam reads a pattern of attribute paths. What could only be meant for another language of
// patterns is refused, instead of fitting nothing; behind a backslash it stands for itself.
func pathParam(q url.Values) (string, error) {
	pattern := q.Get("path")
	if len(pattern) > maxPattern {
		return "", badRequest(`"path" has at most %d bytes.`, maxPattern)
	}
	before := '/' // the character before, 0 for an escaped one
	for i, c := range pattern {
		switch {
		case before == '\\':
			before = 0
			continue
		case unicode.IsControl(c):
			return "", badRequest(`"path" is not a pattern: byte %d is a control character.`, i+1)
		case strings.ContainsRune("[]{}?", c):
			return "", badRequest(`"path" is not a pattern: byte %d is %q, and only "*" and "**" stand for something; behind a backslash it stands for itself.`, i+1, c)
		case c == '/' && before == '/':
			return "", badRequest(`"path" is not a pattern: there is nothing before the "/" at byte %d.`, i+1)
		}
		before = c
	}
	switch {
	case before == '\\':
		return "", badRequest(`"path" is not a pattern: nothing follows the backslash at its end.`)
	case before == '/' && pattern != "":
		return "", badRequest(`"path" is not a pattern: nothing follows the "/" at its end.`)
	}
	return pattern, nil
}
