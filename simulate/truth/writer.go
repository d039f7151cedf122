package truth

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"synchroscope/simulate/clock"
)

// A Writer writes messages as they come, and then truth.json.
type Writer struct {
	dir    string
	file   *os.File
	out    *bufio.Writer
	buffer []byte
	count  int64
	err    error
}

// Create begins the truth of a cluster in a directory that is there.
func Create(dir string) (*Writer, error) {
	file, err := os.Create(filepath.Join(dir, Messages))
	if err != nil {
		return nil, err
	}
	w := &Writer{dir: dir, file: file, out: bufio.NewWriterSize(file, 1<<18)}
	w.buffer = binary.LittleEndian.AppendUint32(append(w.buffer, magic...), version)
	w.buffer = binary.LittleEndian.AppendUint32(w.buffer, recordSize)
	_, w.err = w.out.Write(w.buffer)
	return w, nil
}

// Message writes a message. What fails is told by Close.
func (w *Writer) Message(m *Message) {
	w.count++
	w.buffer = m.append(w.buffer[:0])
	if _, err := w.out.Write(w.buffer); err != nil && w.err == nil {
		w.err = err
	}
}

// Count is how many messages were written.
func (w *Writer) Count() int64 { return w.count }

// Abort closes the file of messages and writes nothing else.
func (w *Writer) Abort() { w.file.Close() }

// Close writes truth.json; it takes boots and samples of the hosts from their clocks, which
// are in the same order, and the number of messages from what was written.
func (w *Writer) Close(t *Truth, clocks []*clock.Clock) error {
	err := w.out.Flush()
	if w.err != nil {
		err = w.err
	}
	if e := w.file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", filepath.Join(w.dir, Messages), err)
	}
	path := filepath.Join(w.dir, File)
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<18)
	err = w.document(out, t, clocks)
	if e := out.Flush(); err == nil {
		err = e
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path) // half of it is none
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return nil
}

func (w *Writer) document(out *bufio.Writer, t *Truth, clocks []*clock.Clock) error {
	byHost := make(map[string]Counts)
	for i := range t.Hosts {
		byHost[t.Hosts[i].Name] = t.Hosts[i].Counts()
	}
	total := t.Counts()
	p := printer{out: out}
	p.key("{\n", "scenario", t.Scenario)
	p.key(",\n", "seed", strconv.FormatUint(t.Seed, 10))
	p.key(",\n", "begin", Integer(0))
	p.key(",\n", "end", Integer(t.End))
	p.key(",\n", "epoch", Integer(clock.Epoch))
	p.key(",\n", "events", total.Events)
	p.key(",\n", "lost_events", total.Lost)
	p.key(",\n", "recorded_sent", total.Sent)
	p.key(",\n", "recorded_received", total.Received)
	p.key(",\n", "by_host", byHost)
	p.key(",\n", "network", t.Network)
	p.key(",\n", "messages_file", Messages)
	p.key(",\n", "message_count", w.count)
	p.text(",\n\"hosts\": [")
	for i := range t.Hosts {
		if i > 0 {
			p.text(",")
		}
		p.host(&t.Hosts[i], clocks[i], t.End)
	}
	p.text("\n]")
	if w.count <= maxListed {
		p.text(",\n\"messages\": [")
		p.messages(w.dir, t)
		p.text("\n]")
	}
	p.text("\n}\n")
	return p.err
}

// maxListed is how many messages truth.json lists itself.
const maxListed = 100_000

// A printer writes JSON piece by piece and keeps the first error.
type printer struct {
	out *bufio.Writer
	err error
}

func (p *printer) text(s string) {
	if _, err := p.out.WriteString(s); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *printer) key(before, key string, value any) {
	b, err := json.Marshal(value)
	if err != nil && p.err == nil {
		p.err = err
	}
	p.text(before + strconv.Quote(key) + ": " + string(b))
}

func (p *printer) host(h *Host, c *clock.Clock, end int64) {
	boots := make([]Boot, 0, 1)
	for _, b := range c.Boots() {
		out := Boot{Begin: b.Begin, Origin: Integer(b.Origin)}
		if b.End != math.MaxInt64 {
			out.End = &b.End
		}
		boots = append(boots, out)
	}
	p.key("\n{", "name", h.Name)
	p.key(", ", "cpus", h.CPUs)
	p.key(",\n ", "clock", h.Clock)
	p.key(",\n ", "boots", boots)
	traces := h.Traces
	if traces == nil {
		traces = []Trace{}
	}
	p.key(",\n ", "traces", traces)
	p.text(",\n \"samples\": [")
	var b []byte
	step := Step(end)
	for at := int64(0); ; at = min(at+step, end) {
		s := Sample{True: at, Down: !c.Running(at)}
		if !s.Down {
			s.Local = c.Local(at)
		}
		b = s.append(b[:0])
		if at < end {
			b = append(b, ',')
		}
		p.text(string(b))
		if at == end {
			break
		}
	}
	p.text("]}")
}

// Step is the time between two samples, ns: a second, or the largest of 500, 200, 100 ms
// and so on of which a thousand fit into the duration; 1000 ns at least.
func Step(duration int64) int64 {
	for unit := int64(1e9); unit > 1000; unit /= 10 {
		for _, step := range [...]int64{unit, unit / 2, unit / 5} {
			if duration/step >= 1000 {
				return step
			}
		}
	}
	return 1000
}

func (p *printer) messages(dir string, t *Truth) {
	first := true
	err := ReadMessages(dir, func(m *Message) error {
		b, err := json.Marshal(t.list(m))
		if !first {
			p.text(",")
		}
		p.text("\n" + string(b))
		first = false
		return err
	})
	if p.err == nil {
		p.err = err
	}
}
