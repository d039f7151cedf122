package history_test

import (
	"math"
	"testing"

	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

func TestValues(t *testing.T) {
	w, err := history.Create(new(historytest.Memory), 0, history.Options{})
	if err != nil {
		t.Fatal(err)
	}
	read := w.Text([]byte("read"))
	if again := w.Text([]byte("read")); again != read || w.Text([]byte("write")) == read {
		t.Error("strings are not numbered by what they say")
	}
	if got := w.History().String(read); got != "read" {
		t.Errorf("the string reads %q", got)
	}
	long := make([]byte, 2<<20)
	if got := w.History().String(w.Text(long)); len(got) != 1<<20 {
		t.Errorf("a string of 2 MiB is kept with %d bytes", len(got))
	}
	if n, ok := history.Int(math.MinInt64).Int(); n != math.MinInt64 || !ok {
		t.Errorf("an integer is %d, %t", n, ok)
	}
	if x, ok := history.Float(-0.5).Float(); x != -0.5 || !ok {
		t.Errorf("a float is %g, %t", x, ok)
	}
	for _, want := range []bool{false, true} {
		if b, ok := history.Bool(want).Bool(); b != want || !ok {
			t.Errorf("a boolean is %t, %t", b, ok)
		}
	}
	for _, v := range []struct {
		value  history.Value
		kind   history.Kind
		string string
	}{
		{history.Value{}, history.KindNull, "null"},
		{history.Null(), history.KindNull, "null"},
		{history.Int(-7), history.KindInt, "-7"},
		{history.Float(2.5), history.KindFloat, "2.5"},
		{history.Bool(true), history.KindBool, "true"},
		{read, history.KindString, "#0"},
	} {
		_, isInt := v.value.Int()
		_, isFloat := v.value.Float()
		_, isBool := v.value.Bool()
		_, isText := v.value.Text()
		if v.value.Kind() != v.kind || v.value.String() != v.string || v.value.IsNull() != (v.kind == history.KindNull) ||
			isInt != (v.kind == history.KindInt) || isFloat != (v.kind == history.KindFloat) || isBool != (v.kind == history.KindBool) ||
			isText != (v.kind == history.KindString) || v.value.IsString() != isText {
			t.Errorf("%v is of kind %d, want %d and %q", v.value, v.value.Kind(), v.kind, v.string)
		}
	}
}
