package truth

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"synchroscope/simulate/chance"
	"synchroscope/simulate/clock"
)

const second = 1_000_000_000

func anyMessage(hosts int) *rapid.Generator[Message] {
	return rapid.Custom(func(t *rapid.T) Message {
		u16, flag := rapid.Uint16(), rapid.Bool()
		return Message{
			Sent: rapid.Int64Min(0).Draw(t, "sent"), Received: rapid.Int64Min(-1).Draw(t, "received"),
			From: int32(rapid.IntRange(0, hosts-1).Draw(t, "from")), To: int32(rapid.IntRange(-1, hosts-1).Draw(t, "to")),
			Length: rapid.Uint32().Draw(t, "length"), Source: rapid.Uint32().Draw(t, "source"), Destination: rapid.Uint32().Draw(t, "destination"),
			SourcePort: u16.Draw(t, "port"), DestinationPort: u16.Draw(t, "port"), Seq: rapid.Uint32().Draw(t, "seq"), ID: u16.Draw(t, "id"),
			Protocol: rapid.Uint8().Draw(t, "protocol"), RecordedSent: flag.Draw(t, "bit"), RecordedReceived: flag.Draw(t, "bit"),
			Joined: flag.Draw(t, "bit"), Changed: flag.Draw(t, "bit"), Packets: u16.Draw(t, "packets"), TimesReceived: u16.Draw(t, "times"),
		}
	})
}

func write(t interface{ Fatal(...any) }, dir string, tr *Truth, messages []Message) []*clock.Clock {
	w, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i := range messages {
		w.Message(&messages[i])
	}
	var clocks []*clock.Clock
	for _, h := range tr.Hosts {
		c, err := clock.New(h.Clock, chance.New(tr.Seed, clock.Stream(h.Name)))
		if err != nil {
			t.Fatal(err)
		}
		clocks = append(clocks, c)
	}
	if err := w.Close(tr, clocks); err != nil {
		t.Fatal(err)
	}
	return clocks
}

// TestRound: what is written is read again, and the list of messages is that of the file.
func TestRound(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		want := Truth{Scenario: rapid.String().Draw(t, "name"), Seed: rapid.Uint64().Draw(t, "seed"), End: rapid.Int64Range(1, 5*second).Draw(t, "end")}
		want.Network = Network{Carried: rapid.Int64().Draw(t, "carried")}
		count := func() int64 { return rapid.Int64Range(0, 1<<50).Draw(t, "count") }
		for _, name := range []string{"web", "db"} {
			h := Host{Name: name, CPUs: 2, Clock: clock.Spec{Offset: count(), Rate: 7.25, Walk: 0.001}}
			h.Traces = []Trace{{Path: name + "/kernel", End: want.End, Events: count(), Lost: count(), Packets: count(), Missing: count(), LostPackets: count(), Cut: true}}
			want.Hosts = append(want.Hosts, h)
		}
		messages := rapid.SliceOf(anyMessage(2)).Draw(t, "messages")
		clocks := write(t, dir, &want, messages)
		got, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Hosts {
			checkSamples(t, got.Hosts[i].Samples, clocks[i], want.End)
			if b := got.Hosts[i].Boots; len(b) != 1 || int64(b[0].Origin) != clocks[i].Origin() || b[0].End != nil {
				t.Fatalf("the boots of %s are %+v", got.Hosts[i].Name, b)
			}
			got.Hosts[i].Samples, got.Hosts[i].Boots = nil, nil
		}
		for i, m := range messages {
			if !got.Lists(int64(i), &m) {
				t.Fatalf("message %d is listed otherwise: %+v", i, m)
			}
			for _, change := range []func(*Message){
				func(m *Message) { m.Sent++ }, func(m *Message) { m.Received++ }, func(m *Message) { m.From = 1 - m.From }, func(m *Message) { m.To = (m.To+2)%3 - 1 },
				func(m *Message) { m.Protocol++ }, func(m *Message) { m.Length++ }, func(m *Message) { m.RecordedSent = !m.RecordedSent }, func(m *Message) { m.RecordedReceived = !m.RecordedReceived },
			} {
				other := m
				if change(&other); got.Lists(int64(i), &other) {
					t.Fatalf("message %d is %+v and listed as %+v", i, m, other)
				}
			}
		}
		if got.Lists(int64(len(messages)), &Message{}) {
			t.Fatal("one more message is listed than there are")
		}
		got.listed = nil
		want.MessageCount = int64(len(messages))
		want.Scenario = strings.ToValidUTF8(want.Scenario, "\ufffd")
		if !reflect.DeepEqual(*got, want) {
			t.Fatalf("written %+v\nread %+v", want, *got)
		}
		var read []Message
		if err := ReadMessages(dir, func(m *Message) error { read = append(read, *m); return nil }); err != nil {
			t.Fatal(err)
		}
		if len(read)+len(messages) > 0 && !reflect.DeepEqual(read, messages) {
			t.Fatalf("written %+v\nread %+v", messages, read)
		}
	})
}

// checkSamples: they are exact, often enough, and at all whole seconds.
func checkSamples(t *rapid.T, samples []Sample, c *clock.Clock, end int64) {
	at := make(map[int64]bool)
	for i, s := range samples {
		at[s.True] = true
		if s.Local != c.Local(s.True) || s.Down {
			t.Fatalf("at %d the clock shows %d, not %d", s.True, c.Local(s.True), s.Local)
		}
		if i > 0 && s.True-samples[i-1].True > second {
			t.Fatalf("there is no sample for %d ns", s.True-samples[i-1].True)
		}
	}
	for k := int64(0); k <= end; k += second {
		if !at[k] {
			t.Fatalf("there is no sample at the whole second %d", k)
		}
	}
	if end >= 1_000_000 && len(samples) < 1000 || !at[end] {
		t.Fatalf("of %d ns there are %d samples", end, len(samples))
	}
}

// TestDown: a machine that is down shows nothing.
func TestDown(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, &Truth{Scenario: "x", End: 10 * second, Hosts: []Host{{Name: "a", Clock: clock.Spec{Reboots: []clock.Reboot{{At: 4 * second, Down: 2 * second}}}}}}, nil)
	got, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range got.Hosts[0].Samples {
		if down := s.True >= 4*second && s.True < 6*second; s.Down != down {
			t.Errorf("at %d the machine is down: %v", s.True, s.Down)
		}
	}
	if b := got.Hosts[0].Boots; len(b) != 2 || *b[0].End != 4*second || b[1].Begin != 6*second || int64(b[1].Origin) != clock.Epoch+6*second {
		t.Errorf("the boots are %+v", b)
	}
}

// TestListed: few messages stand in truth.json too, in the names of the contract.
func TestListed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, &Truth{Scenario: "x", End: second, Hosts: []Host{{Name: "a"}, {Name: "b"}}}, []Message{
		{Sent: 5, Received: 9, From: 0, To: 1, Protocol: 6, Length: 52, RecordedSent: true}, {Sent: 6, Received: -1, From: 1, To: -1, Protocol: 17},
	})
	b, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Messages json.RawMessage
	}
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, d.Messages); err != nil {
		t.Fatal(err)
	}
	want := `[{"from":"a","to":"b","protocol":"tcp","sent":5,"received":9,"recorded_sent":true,"recorded_received":false,"length":52},` +
		`{"from":"b","to":null,"protocol":"udp","sent":6,"received":null,"recorded_sent":false,"recorded_received":false,"length":0}]`
	if compact.String() != want {
		t.Errorf("the messages are\n%s, they should be\n%s", compact.String(), want)
	}
}

// TestRefused: what was changed is not believed.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{`"seed": "7"`, `"seed": "x"`, `the seed "x" is no number`},
		{`"begin": "0"`, `"begin": "1"`, "it does not begin at 0"},
		{`"begin": "0"`, `"begin": 0`, "0 is no integer in quotes"},
		{`"events": 0`, `"events": 1`, "do not add up"},
		{`"by_host"`, `"by_hast"`, `unknown field "by_hast"`},
		{`{"a":`, `{"c":`, `by_host is not what the traces of "a" add up to`},
		{`"messages.bin"`, `"../x"`, "they are always in messages.bin"},
		{`"path":"a"`, `"path":"../a"`, "is not in the directory"},
		{`[0,"1767225600000000000"]`, `[0,1767225600]`, "1767225600 is no integer in quotes"},
		{`[5000000,`, `[15000000,`, "comes after that at"},
		{"\n}\n", "\n}}\n", "goes on behind its end"},
	} {
		dir := t.TempDir()
		write(t, dir, &Truth{Scenario: "x", Seed: 7, End: second, Hosts: []Host{{Name: "a", Traces: []Trace{{Path: "a", End: second}}}}}, nil)
		path := filepath.Join(dir, File)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(b), c.from, c.to, 1)
		if changed == string(b) {
			t.Fatalf("%s is not in the file:\n%.1500s", c.from, b)
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("with %s for %s: %v; it should say: %s", c.to, c.from, err, c.want)
		}
	}
}

// TestMessagesRefused: a file that is cut or is no such file is told.
func TestMessagesRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, &Truth{Scenario: "x", End: second, Hosts: []Host{{Name: "a"}}}, []Message{{To: -1}})
	path := filepath.Join(dir, Messages)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, to byte) []byte {
		b := bytes.Clone(whole)
		b[at] = to
		return b
	}
	for _, c := range []struct {
		bytes []byte
		want  string
	}{
		{whole[:10], "is no file of messages"},
		{change(0, 'x'), "is no file of messages"},
		{change(8, 9), "has version 9"},
		{whole[:len(whole)-1], "ends in the middle of message 0"},
		{change(16+47, 0x80), "message 0 has bits that mean nothing"},
		{change(16+7, 0x80), "message 0 has a time or a host that cannot be"},
	} {
		if err := os.WriteFile(path, c.bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		err := ReadMessages(dir, func(*Message) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; it should say: %s", err, c.want)
		}
	}
}
