package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// An Op is what a request asks for.
type Op string

// The operations of a request.
const (
	OpStates   Op = "states"
	OpMessages Op = "messages"
	OpDensity  Op = "density"
	OpAt       Op = "at"
	OpPoints   Op = "points"
	OpRan      Op = "ran"
	OpFilter   Op = "filter"
	OpMeasure  Op = "measure"
	OpWakeups  Op = "wakeups"
	OpFlows    Op = "connections"
	OpAck      Op = "ack"
	OpClose    Op = "close"
	OpAlive    Op = "alive"
)

// Limits of a request.
const (
	MaxRequest = 64 << 10 // bytes
	MaxColumns = 8192
	MaxRows    = 4096
	MaxLimit   = 20000
	MaxWhere   = 4096 // bytes of a filter on rows
	MaxHosts   = 4096

	// MaxTime bounds times both ways, so that no clock map and no difference of two
	// times can overflow: the year 2116.
	MaxTime = 1 << 62
)

// A Request is one text frame of the browser, checked: whatever its Op uses is
// within the limits above, the rest is zero.
type Request struct {
	Header
	Op         Op
	Begin, End int64 // ns, Begin < End; both 0 where OpPoints is of all messages
	Columns    int
	Raw        bool // times are the hosts' own
	Rows       []uint32
	Limit      int
	Row        uint32
	OfRow      bool // Row is given, where it need not be
	At         int64
	A, B       int32
	Seq        uint32
	Where      string // a filter on rows, not read yet
	By         Measure
	Flows      bool    // connections are told apart
	Hosts      []int32 // whose connections; none for all
	From, To   int64   // the part of the range that is counted, From < To
}

// A Measure is what rows are asked about a stretch of time: a number of each, or which of them fit.
type Measure string

// The measures.
const (
	ByCPU     Measure = "cpu"     // ns on a CPU
	ByChanges Measure = "changes" // of its status
	ByBusy    Measure = "busy"    // on a CPU or about to be, for however short a time; without a number
	ByUse     Measure = "use"     // of hosts: the share of their CPUs' time in which these did anything, 0 to 1
)

// A RequestError says what is wrong with a request, and, as far as that can be
// told, which view it was meant for.
type RequestError struct {
	Header
	Message string
}

func (e *RequestError) Error() string { return e.Message }

// The JSON form. Numbers are pointers where zero has a meaning of its own.
type request struct {
	Op      Op       `json:"op"`
	View    *uint16  `json:"view"`
	Gen     uint32   `json:"gen"`
	Begin   *string  `json:"begin"`
	End     *string  `json:"end"`
	Columns int      `json:"columns"`
	Time    string   `json:"time"`
	Rows    []uint32 `json:"rows"`
	Limit   int      `json:"limit"`
	Row     *uint32  `json:"row"`
	At      *string  `json:"at"`
	A       *int32   `json:"a"`
	B       *int32   `json:"b"`
	Seq     *uint32  `json:"seq"`
	Where   string   `json:"where"`
	By      Measure  `json:"by"`
	Flows   bool     `json:"flows"`
	Hosts   []int32  `json:"hosts"`
	From    *string  `json:"from"`
	To      *string  `json:"to"`
}

// fields is, per operation, how the fields it uses are checked, in order.
var fields = map[Op][]func(*request, *Request) error{
	OpStates:   {rangeField, columnsField, timeField, rowsField},
	OpMessages: {rangeField, columnsField, timeField, limitField, somePairField, flowsField, hostsField},
	OpDensity:  {rangeField, columnsField, timeField},
	OpAt:       {rowField, atField, timeField},
	OpPoints:   {pairField, limitField, partField},
	OpRan:      {rangeField, columnsField, timeField, rowsField, rowField},
	OpFilter:   {rangeField, timeField, whereField},
	OpMeasure:  {rangeField, timeField, byField},
	OpWakeups:  {rangeField, timeField, rowsField, limitField, someRowField},
	OpFlows:    {rangeField, countedField, timeField, limitField, somePairField, hostsField},
	OpAck:      {seqField},
	OpClose:    {},
	OpAlive:    {},
}

// ParseRequest reads one text frame. Its error is a *RequestError.
func ParseRequest(b []byte) (Request, error) {
	var in request
	err := json.Unmarshal(b, &in)
	out := Request{Op: in.Op, Header: Header{Generation: in.Gen}}
	if in.View != nil {
		out.View = *in.View
	}
	if err == nil {
		err = in.check(&out)
	} else {
		err = plain(err)
	}
	if err != nil {
		return Request{}, &RequestError{Header: out.Header, Message: err.Error()}
	}
	return out, nil
}

func (in *request) check(out *Request) error {
	checks, ok := fields[in.Op]
	if !ok {
		return fmt.Errorf("there is no operation %.40q", string(in.Op))
	}
	if in.View == nil || *in.View == 0 {
		return fmt.Errorf("%q needs a view from 1 to 65535", in.Op)
	}
	for _, check := range checks {
		if err := check(in, out); err != nil {
			return fmt.Errorf("%q %w", in.Op, err)
		}
	}
	return nil
}

// plain words an error of encoding/json without the names of our types.
func plain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return errors.New("a request is a JSON object")
		}
		return fmt.Errorf("%q of a request cannot be %.60s", wrong.Field, wrong.Value)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset > 0 {
		return fmt.Errorf("a request is not JSON: it cannot be read beyond byte %d", syntax.Offset)
	}
	return errors.New("a request is not JSON: it is empty")
}

func parseTime(s *string, name string) (int64, error) {
	if s == nil {
		return 0, fmt.Errorf("needs %q", name)
	}
	t, err := strconv.ParseInt(*s, 10, 64)
	if err != nil || t > MaxTime || t < -MaxTime {
		return 0, fmt.Errorf("needs a time in ns as a decimal string for %q, not %.40q", name, *s)
	}
	return t, nil
}

func rangeField(in *request, out *Request) (err error) {
	out.Begin, out.End, err = parseRange(in.Begin, "begin", in.End, "end")
	return err
}

func countedField(in *request, out *Request) (err error) {
	out.From, out.To, err = parseRange(in.From, "from", in.To, "to")
	return err
}

func parseRange(begin *string, first string, end *string, last string) (b, e int64, err error) {
	if b, err = parseTime(begin, first); err != nil {
		return 0, 0, err
	}
	if e, err = parseTime(end, last); err != nil {
		return 0, 0, err
	}
	if b >= e {
		return 0, 0, fmt.Errorf("needs a %s before its %s", first, last)
	}
	return b, e, nil
}

// partField is rangeField, or nothing.
func partField(in *request, out *Request) error {
	if in.Begin == nil && in.End == nil {
		return nil
	}
	return rangeField(in, out)
}

func columnsField(in *request, out *Request) error {
	out.Columns = in.Columns
	return within(in.Columns, MaxColumns, "columns")
}

func limitField(in *request, out *Request) error {
	out.Limit = in.Limit
	return within(in.Limit, MaxLimit, "limit")
}

func within(n, most int, name string) error {
	if n < 1 || n > most {
		return fmt.Errorf("needs %q from 1 to %d, not %d", name, most, n)
	}
	return nil
}

func timeField(in *request, out *Request) error {
	switch in.Time {
	case "reference":
	case "raw":
		out.Raw = true
	default:
		return fmt.Errorf("needs \"reference\" or \"raw\" for \"time\", not %.40q", in.Time)
	}
	return nil
}

func rowsField(in *request, out *Request) error {
	if len(in.Rows) > MaxRows {
		return fmt.Errorf("asks for %d rows, more than %d", len(in.Rows), MaxRows)
	}
	out.Rows = in.Rows
	return nil
}

func rowField(in *request, out *Request) error {
	if in.Row == nil {
		return errors.New(`needs "row"`)
	}
	out.Row = *in.Row
	return nil
}

// someRowField is rowField, or nothing.
func someRowField(in *request, out *Request) error {
	if in.Row == nil {
		return nil
	}
	out.OfRow = true
	return rowField(in, out)
}

func atField(in *request, out *Request) (err error) {
	out.At, err = parseTime(in.At, "at")
	return err
}

func pairField(in *request, out *Request) error {
	if in.A == nil || in.B == nil || *in.A < 0 || *in.B < 0 || *in.A == *in.B {
		return errors.New("needs the numbers of two different hosts")
	}
	out.A, out.B = *in.A, *in.B
	return nil
}

func flowsField(in *request, out *Request) error {
	out.Flows = in.Flows
	return nil
}

func hostsField(in *request, out *Request) error {
	if len(in.Hosts) > MaxHosts {
		return fmt.Errorf("asks for %d hosts, more than %d", len(in.Hosts), MaxHosts)
	}
	for _, host := range in.Hosts {
		if host < 0 {
			return fmt.Errorf("needs numbers of hosts, not %d", host)
		}
	}
	out.Hosts = in.Hosts
	return nil
}

// somePairField leaves both numbers at 0 where no pair is wanted.
func somePairField(in *request, out *Request) error {
	if in.A == nil && in.B == nil {
		return nil
	}
	return pairField(in, out)
}

func seqField(in *request, out *Request) error {
	if in.Seq == nil {
		return errors.New(`needs "seq"`)
	}
	out.Seq = *in.Seq
	return nil
}

func whereField(in *request, out *Request) error {
	if in.Where == "" || len(in.Where) > MaxWhere {
		return fmt.Errorf("needs a filter of at most %d bytes for \"where\"", MaxWhere)
	}
	out.Where = in.Where
	return nil
}

func byField(in *request, out *Request) error {
	if in.By != ByCPU && in.By != ByChanges && in.By != ByBusy && in.By != ByUse {
		return fmt.Errorf("needs \"cpu\", \"changes\", \"busy\" or \"use\" for \"by\", not %.40q", string(in.By))
	}
	out.By = in.By
	return nil
}
