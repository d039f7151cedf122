package trace

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseTime reads a time as a whole number of ns, or as seconds with a point and up to nine decimals: what
// [AppendTime] writes. It is the time since the epoch or, where the caller says so, a distance.
func ParseTime(s string) (ns int64, err error) {
	whole, decimals, seconds := strings.Cut(s, ".")
	digits := whole
	if seconds {
		if len(decimals) > 9 {
			return 0, fmt.Errorf("the time %.40q has more than nine decimals", s)
		}
		digits += decimals + "000000000"[len(decimals):]
	}
	if strings.TrimPrefix(whole, "-") != "" && whole[0] != '+' {
		if ns, err = strconv.ParseInt(digits, 10, 64); err == nil {
			return ns, nil
		}
	}
	return 0, fmt.Errorf("%.40q is no time: nanoseconds, or seconds with a decimal point", s)
}
