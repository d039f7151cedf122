package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"synchroscope/handlers/wire"
)

func TestParseRequest(t *testing.T) {
	head := wire.Header{View: 2, Generation: 7}
	for _, c := range []struct {
		in   string
		want wire.Request
	}{
		{`{"op":"states","view":2,"gen":7,"begin":"-10","end":"1795229345235842846","columns":8192,"time":"reference","rows":[0,4294967295]}`,
			wire.Request{Header: head, Op: wire.OpStates, Begin: -10, End: 1795229345235842846, Columns: 8192, Rows: []uint32{0, 1<<32 - 1}}},
		{`{"op":"messages","view":2,"gen":7,"begin":"1","end":"2","columns":1,"time":"raw","limit":20000}`,
			wire.Request{Header: head, Op: wire.OpMessages, Begin: 1, End: 2, Columns: 1, Raw: true, Limit: 20000}},
		{`{"op":"messages","view":2,"gen":7,"begin":"1","end":"2","columns":1,"time":"raw","limit":2,"a":3,"b":0,"flows":true}`,
			wire.Request{Header: head, Op: wire.OpMessages, Begin: 1, End: 2, Columns: 1, Raw: true, Limit: 2, A: 3, Flows: true}},
		{`{"op":"density","view":2,"gen":7,"begin":"1","end":"2","columns":1,"time":"raw","limit":-1,"novelty":{}}`,
			wire.Request{Header: head, Op: wire.OpDensity, Begin: 1, End: 2, Columns: 1, Raw: true}},
		{`{"op":"at","view":2,"gen":7,"row":0,"at":"5","time":"reference"}`,
			wire.Request{Header: head, Op: wire.OpAt, At: 5}},
		{`{"op":"points","view":2,"gen":7,"a":1,"b":0,"limit":1}`,
			wire.Request{Header: head, Op: wire.OpPoints, A: 1, Limit: 1}},
		{`{"op":"points","view":2,"gen":7,"a":1,"b":0,"limit":1,"begin":"-3","end":"5"}`,
			wire.Request{Header: head, Op: wire.OpPoints, A: 1, Limit: 1, Begin: -3, End: 5}},
		{`{"op":"filter","view":2,"gen":7,"begin":"1","end":"2","time":"raw","where":"tid == 5"}`,
			wire.Request{Header: head, Op: wire.OpFilter, Begin: 1, End: 2, Raw: true, Where: "tid == 5"}},
		{`{"op":"measure","view":2,"gen":7,"begin":"1","end":"2","time":"raw","by":"changes"}`,
			wire.Request{Header: head, Op: wire.OpMeasure, Begin: 1, End: 2, Raw: true, By: wire.ByChanges}},
		{`{"op":"measure","view":2,"gen":7,"begin":"1","end":"2","time":"raw","by":"busy"}`,
			wire.Request{Header: head, Op: wire.OpMeasure, Begin: 1, End: 2, Raw: true, By: wire.ByBusy}},
		{`{"op":"measure","view":2,"gen":7,"begin":"1","end":"2","time":"raw","by":"use"}`,
			wire.Request{Header: head, Op: wire.OpMeasure, Begin: 1, End: 2, Raw: true, By: wire.ByUse}},
		{`{"op":"ack","view":2,"gen":7,"seq":0}`, wire.Request{Header: head, Op: wire.OpAck}},
		{`{"op":"alive","view":7,"gen":3}`, wire.Request{Header: wire.Header{View: 7, Generation: 3}, Op: wire.OpAlive}},
		{`{"op":"close","view":2}`, wire.Request{Header: wire.Header{View: 2}, Op: wire.OpClose}},
	} {
		got, err := wire.ParseRequest([]byte(c.in))
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		same(t, c.in, got, c.want)
	}
}

func TestParseRequestRefuses(t *testing.T) {
	const ranged = `"view":2,"gen":7,"time":"raw","limit":5,`
	for _, c := range []struct{ in, sentence string }{
		{``, `a request is not JSON: it is empty`},
		{`{"op":`, `a request is not JSON: it cannot be read beyond byte 6`},
		{`null`, `there is no operation ""`},
		{`[]`, `a request is a JSON object`},
		{`{"op":7}`, `"op" of a request cannot be number`},
		{`{"op":"drop table","view":1}`, `there is no operation "drop table"`},
		{`{"op":"states"}`, `"states" needs a view from 1 to 65535`},
		{`{"op":"close","view":0}`, `"close" needs a view from 1 to 65535`},
		{`{"op":"close","view":65536}`, `"view" of a request cannot be number 65536`},
		{`{"op":"close","view":1e999}`, `"view" of a request cannot be number 1e999`},
		{`{"op":"close","view":1,"gen":-1}`, `"gen" of a request cannot be number -1`},
		{`{"op":"filter",` + ranged + `"begin":"1","end":"5"}`, `"filter" needs a filter of at most 4096 bytes for "where"`},
		{`{"op":"filter",` + ranged + `"begin":"1","end":"5","where":"` + strings.Repeat("x", 4097) + `"}`, `"filter" needs a filter of at most 4096 bytes for "where"`},
		{`{"op":"measure",` + ranged + `"begin":"1","end":"5","by":"colour"}`, `"measure" needs "cpu", "changes", "busy" or "use" for "by", not "colour"`},
		{`{"op":"messages",` + ranged + `"begin":"1","end":"5","columns":9,"limit":9,"a":2,"b":2}`, `"messages" needs the numbers of two different hosts`},
		{`{"op":"messages",` + ranged + `"begin":"1","end":"5","columns":9,"limit":9,"a":2}`, `"messages" needs the numbers of two different hosts`},
		{`{"op":"messages",` + ranged + `"begin":"5","end":"5","columns":9}`, `"messages" needs a begin before its end`},
		{`{"op":"messages",` + ranged + `"begin":"6","end":"5","columns":9}`, `"messages" needs a begin before its end`},
		{`{"op":"messages",` + ranged + `"end":"5","columns":9}`, `"messages" needs "begin"`},
		{`{"op":"messages",` + ranged + `"begin":5,"end":"5","columns":9}`, `"begin" of a request cannot be number`},
		{`{"op":"messages",` + ranged + `"begin":"-9223372036854775808","end":"5","columns":9}`, `"messages" needs a time in ns as a decimal string for "begin", not "-9223372036854775808"`},
		{`{"op":"messages",` + ranged + `"begin":"1","end":"1e3","columns":9}`, `"messages" needs a time in ns as a decimal string for "end", not "1e3"`},
		{`{"op":"messages",` + ranged + `"begin":"1","end":"5","columns":0}`, `"messages" needs "columns" from 1 to 8192, not 0`},
		{`{"op":"messages",` + ranged + `"begin":"1","end":"5","columns":8193}`, `"messages" needs "columns" from 1 to 8192, not 8193`},
		{`{"op":"density","view":1,"begin":"1","end":"5","columns":1}`, `"density" needs "reference" or "raw" for "time", not ""`},
		{`{"op":"points","view":1,"a":0,"b":0,"limit":1}`, `"points" needs the numbers of two different hosts`},
		{`{"op":"points","view":1,"a":0,"b":-1,"limit":1}`, `"points" needs the numbers of two different hosts`},
		{`{"op":"points","view":1,"a":0,"b":1,"limit":1,"begin":"5"}`, `"points" needs "end"`},
		{`{"op":"points","view":1,"a":0,"b":1,"limit":20001}`, `"points" needs "limit" from 1 to 20000, not 20001`},
		{`{"op":"at","view":1,"at":"1","time":"raw"}`, `"at" needs "row"`},
		{`{"op":"ack","view":1}`, `"ack" needs "seq"`},
		{`{"op":"states","view":1,"begin":"1","end":"5","columns":1,"time":"raw","rows":[` + strings.Repeat("0,", 4096) + `0]}`, `"states" asks for 4097 rows, more than 4096`},
	} {
		_, err := wire.ParseRequest([]byte(c.in))
		if err == nil || err.Error() != c.sentence {
			t.Errorf("%.80s: error %q, want %q", c.in, err, c.sentence)
		}
	}
}

// An error goes to the view that asked, where that can be told.
func TestRequestErrorView(t *testing.T) {
	_, err := wire.ParseRequest([]byte(`{"op":"states","begin":7,"view":4,"gen":9}`))
	var wrong *wire.RequestError
	if !errors.As(err, &wrong) {
		t.Fatalf("error %v is not a *RequestError", err)
	}
	same(t, "header", wrong.Header, wire.Header{View: 4, Generation: 9})
}

// Whatever is accepted is within the limits that the queries rely on.
func FuzzParseRequest(f *testing.F) {
	f.Add([]byte(`{"op":"states","view":2,"gen":7,"begin":"-10","end":"20","columns":8192,"time":"reference","rows":[0,4294967295]}`))
	f.Add([]byte(`{"op":"messages","view":2,"gen":7,"begin":"1","end":"2","columns":1,"time":"raw","limit":20000}`))
	f.Add([]byte(`{"op":"at","view":2,"gen":7,"row":0,"at":"5","time":"reference"}`))
	f.Add([]byte(`{"op":"points","view":2,"gen":7,"a":1,"b":0,"limit":1}`))
	f.Add([]byte(`{"op":"ack","view":2,"gen":7,"seq":0}`))
	f.Add([]byte(`{"op":"close","view":1e999}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := wire.ParseRequest(b)
		if err != nil {
			var wrong *wire.RequestError
			if !errors.As(err, &wrong) || wrong.Message == "" {
				t.Fatalf("error %v is not a sentence", err)
			}
			if message := wire.EncodeError(wrong.Header, wrong.Message); !json.Valid(message[wire.HeaderSize:]) {
				t.Fatalf("the error's message is not JSON: %q", message)
			}
			return
		}
		if r.View == 0 {
			t.Fatal("a view 0")
		}
		switch r.Op {
		case wire.OpStates, wire.OpMessages, wire.OpDensity:
			if r.Begin >= r.End || r.Begin < -wire.MaxTime || r.End > wire.MaxTime || r.Columns < 1 || r.Columns > wire.MaxColumns || len(r.Rows) > wire.MaxRows {
				t.Fatalf("out of limits: %+v", r)
			}
		case wire.OpPoints:
			if r.A == r.B || r.A < 0 || r.B < 0 {
				t.Fatalf("out of limits: %+v", r)
			}
		}
		if (r.Op == wire.OpMessages || r.Op == wire.OpPoints) && (r.Limit < 1 || r.Limit > wire.MaxLimit) {
			t.Fatalf("out of limits: %+v", r)
		}
	})
}
