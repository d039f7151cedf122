package network

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// A Time is ns, a string in JSON.
type Time int64

func (t Time) MarshalJSON() ([]byte, error) {
	b := append([]byte(nil), '"')
	return append(strconv.AppendInt(b, int64(t), 10), '"'), nil
}

func (t *Time) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	*t = Time(v)
	return err
}

// A Float is a number with 17 significant digits in JSON.
type Float float64

func (f Float) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(f), 'g', 17, 64), nil
}

func (b Bound) MarshalJSON() ([]byte, error) { return json.Marshal([2]any{Time(b.Local), b.Bound}) }

func (b *Bound) UnmarshalJSON(data []byte) error {
	var pair [2]json.Number
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	var err error
	if b.Local, err = pair[0].Int64(); err != nil {
		return err
	}
	b.Bound, err = pair[1].Int64()
	return err
}

// digits is the precision of the exact strings: that of IEEE decimal128.
const digits = 34

// decimal prints r with 34 significant digits, rounded half away from zero.
func decimal(r *big.Rat) string {
	if r.Sign() == 0 {
		return "0"
	}
	// 10^n <= |r| < 10^(n+1): the digits before the point say n, but for fractions.
	abs := new(big.Rat).Abs(r)
	n := len(new(big.Int).Quo(abs.Num(), abs.Denom()).String()) - 1
	for n > -1000 && abs.Cmp(power(n)) < 0 {
		n--
	}
	places := digits - 1 - n
	if places >= 0 {
		return r.FloatString(places)
	}
	scale := power(-places)
	whole := new(big.Rat).Quo(r, scale).FloatString(0)
	return whole + strings.Repeat("0", -places)
}

func power(n int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		p.Inv(p)
	}
	return p
}
