package trace

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// naiveJSON is what a value is after it was written as JSON and read again.
func naiveJSON(t *Type, v value) any {
	switch t.Kind {
	case Boolean:
		return v.num != 0
	case Integer, BitMap:
		var n any
		digits := fmt.Sprint(uint64(v.num) << (64 - t.Size) >> (64 - t.Size))
		if t.Signed {
			digits = fmt.Sprint(v.num)
		}
		n = json.Number(digits)
		if len(strings.TrimPrefix(digits, "-")) > 16 || len(digits) == 16 && digits > "9007199254740992" || len(digits) == 17 && digits[0] == '-' && digits > "-9007199254740992" {
			n = digits
		}
		if t.Labels == nil {
			return n
		}
		labels := []any{}
		switch {
		case t.Kind == Integer:
			labels = append(labels, t.Labels[v.num/2].Label)
		case v.num&1 != 0:
			labels = append(labels, "low")
		}
		return map[string]any{"value": n, "labels": labels}
	case Float:
		return json.Number("1.5")
	case String:
		return v.text
	case Struct:
		o := make(map[string]any)
		for i, m := range t.Members {
			o[m.Name[1:]] = naiveJSON(m.Type, v.parts[i])
		}
		return o
	case Optional:
		if v.parts == nil {
			return nil
		}
		return naiveJSON(t.Elem, v.parts[0])
	case Variant:
		m := t.Members[v.option]
		return map[string]any{m.Name[1:]: naiveJSON(m.Type, v.parts[0])}
	}
	list := []any{}
	for _, p := range v.parts {
		list = append(list, naiveJSON(t.Elem, p))
	}
	return list
}

func checkJSON(t *rapid.T, written []byte, typ *Type, v value) {
	d := json.NewDecoder(bytes.NewReader(written))
	d.UseNumber()
	var got any
	if err := d.Decode(&got); err != nil {
		t.Fatalf("%s: %v", written, err)
	}
	if want := naiveJSON(typ, v); !reflect.DeepEqual(got, want) {
		t.Fatalf("JSON\n%s, want\n%v", written, want)
	}
}

// Any bytes come out as encoding/json reads them from its own writing.
func TestJSONStringModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "string")
		theirs, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var want, got, gotBytes string
		if err := json.Unmarshal(theirs, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(AppendJSONString(nil, s), &got); err != nil || got != want {
			t.Fatalf("%q is written as %q (%v)", s, got, err)
		}
		if err := json.Unmarshal(AppendJSONString(nil, []byte(s)), &gotBytes); err != nil || gotBytes != want {
			t.Fatalf("the bytes of %q are written as %q (%v)", s, gotBytes, err)
		}
	})
}

func TestFloatJSON(t *testing.T) {
	for v, want := range map[float64]string{
		0.25: "0.25", 3: "3", 1e300: "1e+300", 1 << 60: "1.152921504606847e+18", math.SmallestNonzeroFloat64: "5e-324",
		math.Inf(1): `"+Inf"`, math.Inf(-1): `"-Inf"`,
	} {
		if got := string(floatJSON(nil, v)); got != want {
			t.Errorf("%v is written as %s, want %s", v, got, want)
		}
	}
	if got := string(floatJSON(nil, math.NaN())); got != `"NaN"` {
		t.Errorf("NaN is written as %s", got)
	}
}
