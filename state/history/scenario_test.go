package history_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
	"synchroscope/state/history/historytest"
)

// TestScenarios runs testdata/scenario_*. A scenario drives one tree:
//
//	create start=T [node=BYTES] [children=N]
//	change                     lines "TIME PATH VALUE", "TIME remove PATH" or "update PATH VALUE"
//	publish at=T
//	checkpoint                 keeps the file and the checkpoint as they are now
//	crash                      goes on from there
//	finish at=T                and opens the file again
//	point path=P at=T          also: full at=T; range path=P begin=T end=T
//	pixels path=P edges=(T,...)
//	blocks                     the blocks of the finished file
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		s := &scenario{}
		datadriven.RunTest(t, path, s.run)
	})
}

type scenario struct {
	file *historytest.Memory
	w    *history.Writer
	h    *history.History

	saved *historytest.Memory
	blob  []byte
}

func (s *scenario) run(t *testing.T, d *datadriven.TestData) string {
	commands := map[string]func(*testing.T, *datadriven.TestData) (string, error){
		"create": s.create, "change": s.change, "publish": s.publish, "checkpoint": s.checkpoint, "crash": s.crash,
		"finish": s.finish, "point": s.point, "full": s.full, "range": s.between, "pixels": s.pixels, "blocks": s.blocks,
	}
	command, ok := commands[d.Cmd]
	if !ok {
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	out, err := command(t, d)
	if err != nil {
		return out + err.Error() + "\n"
	}
	return out
}

func arg(t *testing.T, d *datadriven.TestData, name string) (n int64) {
	if d.HasArg(name) {
		d.ScanArgs(t, name, &n)
	}
	return n
}

func (s *scenario) quark(t *testing.T, d *datadriven.TestData) attribute.Quark {
	var path string
	d.ScanArgs(t, "path", &path)
	return s.h.Attributes().Lookup(strings.Split(path, "/")...)
}

func (s *scenario) create(t *testing.T, d *datadriven.TestData) (string, error) {
	s.file = new(historytest.Memory)
	var err error
	s.w, err = history.Create(s.file, arg(t, d, "start"), history.Options{NodeSize: int(arg(t, d, "node")), MaxChildren: int(arg(t, d, "children"))})
	if err == nil {
		s.h = s.w.History()
	}
	return "", err
}

func (s *scenario) value(text string) history.Value {
	if text == "null" {
		return history.Null()
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return history.Int(n)
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return history.Float(x)
	}
	if b, err := strconv.ParseBool(text); err == nil {
		return history.Bool(b)
	}
	return s.w.Text([]byte(text))
}

func (s *scenario) change(t *testing.T, d *datadriven.TestData) (string, error) {
	for line := range strings.Lines(d.Input) {
		f := strings.Fields(line)
		if f[0] == "update" {
			if err := s.w.Update(s.w.Attributes().Path(strings.Split(f[1], "/")...), s.value(f[2])); err != nil {
				return "", err
			}
			continue
		}
		at, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			return "", err
		}
		if f[1] == "remove" {
			err = s.w.Remove(at, s.w.Attributes().Path(strings.Split(f[2], "/")...))
		} else {
			err = s.w.Modify(at, s.w.Attributes().Path(strings.Split(f[1], "/")...), s.value(f[2]))
		}
		if err != nil {
			return "", err
		}
	}
	return "", nil
}

func (s *scenario) publish(t *testing.T, d *datadriven.TestData) (string, error) {
	s.w.Publish(arg(t, d, "at"))
	start, end := s.h.Bounds()
	return fmt.Sprintf("%d to %d\n", start, end), nil
}

func (s *scenario) checkpoint(*testing.T, *datadriven.TestData) (out string, err error) {
	s.blob, err = s.w.Checkpoint()
	s.saved = s.file
	return "", err
}

func (s *scenario) crash(*testing.T, *datadriven.TestData) (out string, err error) {
	s.file = s.saved.Clone()
	if s.w, err = history.Resume(s.file, s.blob); err == nil {
		s.h = s.w.History()
	}
	return "", err
}

func (s *scenario) finish(t *testing.T, d *datadriven.TestData) (string, error) {
	if err := s.w.Finish(arg(t, d, "at")); err != nil {
		return "", err
	}
	if err := history.Check(s.file); err != nil {
		return "", err
	}
	var err error
	s.h, err = history.Open(s.file)
	return "", err
}

func (s *scenario) line(iv history.Interval) string {
	return fmt.Sprintf("%s [%d, %d) %s\n", s.h.Attributes().Full(iv.Quark), iv.Start, iv.End, s.h.Text(iv.Value))
}

func (s *scenario) point(t *testing.T, d *datadriven.TestData) (string, error) {
	iv, err := s.h.Point(context.Background(), s.quark(t, d), arg(t, d, "at"))
	if err != nil {
		return "", err
	}
	return s.line(iv), nil
}

func (s *scenario) full(t *testing.T, d *datadriven.TestData) (out string, err error) {
	err = s.h.Full(context.Background(), arg(t, d, "at"), func(iv history.Interval) bool { out += s.line(iv); return true })
	return out, err
}

func (s *scenario) between(t *testing.T, d *datadriven.TestData) (out string, err error) {
	err = s.h.Range(context.Background(), []attribute.Quark{s.quark(t, d)}, arg(t, d, "begin"), arg(t, d, "end"),
		func(iv history.Interval) bool { out += s.line(iv); return true })
	return out, err
}

func (s *scenario) pixels(t *testing.T, d *datadriven.TestData) (out string, err error) {
	a, _ := d.Arg("edges")
	var edges []int64
	for _, v := range a.Vals {
		n, err := strconv.ParseInt(v, 10, 64)
		if err != nil {
			return "", err
		}
		edges = append(edges, n)
	}
	runs, err := s.h.Pixels(context.Background(), []attribute.Quark{s.quark(t, d)}, edges)
	if err != nil {
		return "", err
	}
	for _, r := range runs[0] {
		out += fmt.Sprintf("%d-%d", r.From, r.To)
		if r.Mix == nil {
			out += " " + s.h.Text(r.Value)
		}
		for _, m := range r.Mix {
			out += fmt.Sprintf(" %s:%d", s.h.Text(m.Value), m.Time)
		}
		out += "\n"
	}
	return out, nil
}

func (s *scenario) blocks(*testing.T, *datadriven.TestData) (out string, err error) {
	err = s.h.Blocks(context.Background(), func(b history.Block) bool {
		out += fmt.Sprintf("%d %s level %d [%d, %d) %d in %d columns\n", b.Number, b.Kind, b.Level, b.Start, b.End, b.Count, b.Columns)
		return true
	})
	return out, err
}
