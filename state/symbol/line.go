package symbol

import (
	"fmt"
	"strconv"
	"strings"
)

// heading reads the line that nm prints before the symbols of each of several files: "lib/libshop.so:".
func heading(line string) (file string, ok bool) {
	file, ok = strings.CutSuffix(line, ":")
	return file, ok && isFile(file)
}

// prefixed cuts off what nm -A prints before each symbol: "lib/libshop.so:0000000000001139 T main". Names of functions have colons too, so
// it is the first behind which an address stands, or the room for one.
func prefixed(line string) (file, rest string) {
	for at := 0; ; at++ {
		i := strings.IndexByte(line[at:], ':')
		if i < 0 {
			return "", line
		}
		at += i
		if rest = line[at+1:]; strings.HasPrefix(rest, room) || startsWithAddress(rest) {
			if !isFile(line[:at]) {
				return "", line
			}
			return line[:at], rest
		}
	}
}

// room is what stands before what has no address, at least.
const room = "        "

// isFile reports whether what stands before a colon can be the path of a file: a symbol without one begins with its address and a space, or the room for it.
func isFile(before string) bool {
	first, _, more := strings.Cut(before, " ")
	return first != "" && !(more && isAddress(first))
}

// startsWithAddress reports whether a text begins with an address that ends there, or before a space.
func startsWithAddress(s string) bool {
	for _, n := range []int{16, 8} {
		if (len(s) == n || len(s) > n && s[n] == ' ') && isAddress(s[:n]) {
			return true
		}
	}
	return false
}

// isAddress reports whether a word is an address as nm prints it: 8 or 16 digits.
func isAddress(word string) bool {
	if len(word) != 8 && len(word) != 16 {
		return false
	}
	for i := range len(word) {
		if c := word[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// code is what nm calls symbols that functions have: those that all see, weak ones, those that only their file sees, and those that
// are found as the program begins. Of several names of one address the one that more see is taken.
const code = "TWtwi"

// parseLine reads what stands of a symbol: address, size if there is one, kind and name. One that is not of a function is none, and no more is
// an empty line.
func parseLine(line string) (s symbol, is bool, err error) {
	line, _, _ = strings.Cut(line, "\t") // nm -l says behind a tab where it is in the source
	if line == "" || strings.HasPrefix(line, room) || strings.HasPrefix(line, "nm: ") {
		return s, false, nil // nothing, or it is defined elsewhere, or nm complained where its symbols go
	}
	first, rest, _ := strings.Cut(line, " ")
	if !isAddress(first) {
		return s, false, fmt.Errorf("%.60q is no line of what nm prints", line)
	}
	s.address, _ = strconv.ParseUint(first, 16, 64)
	kind, name, _ := strings.Cut(rest, " ")
	if isAddress(kind) {
		s.size, _ = strconv.ParseUint(kind, 16, 64)
		kind, name, _ = strings.Cut(name, " ")
	}
	if len(kind) != 1 {
		return s, false, fmt.Errorf("%.60q is no line of what nm prints", line)
	}
	rank := strings.Index(code, kind)
	s.rank, s.name = uint8(max(rank, 0)), name
	return s, rank >= 0 && name != "", nil // sections have no names
}
