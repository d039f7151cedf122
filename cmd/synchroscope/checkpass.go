package main

import (
	"io"
	"math"
	"runtime"
	"sync/atomic"

	"synchroscope/trace"
	"synchroscope/trace/ctf"
)

// A pass is one trace that is read to its end, and what is found out about it.
type pass struct {
	host   int // index in opened.hosts
	parts  []*ctf.Trace
	report traceReport
	err    error
	all    *atomic.Int64 // the bytes that all passes have read

	options    ctf.Options
	reader     *ctf.Reader
	begin, end int64
	bytes      int64
}

// passes are those of all traces, and how many bytes they have.
func (o *opened) passes() (list []*pass, all int64) {
	for i, h := range o.hosts {
		for _, parts := range ctf.Recordings(h.Traces) {
			info := parts[0].Info()
			p := &pass{host: i, parts: parts, report: traceReport{
				Path: o.shown[parts[0]], Host: h.Name, Format: info.Format, Kind: info.Kind, Anomalies: []trace.Anomaly{},
			}}
			for _, t := range parts {
				all += t.Info().Bytes
				p.report.Streams += t.Info().Streams
			}
			list = append(list, p)
		}
	}
	if len(list) > runtime.GOMAXPROCS(0) { // as many are read at once as it pays
		for _, p := range list {
			p.options.Ahead = -1
		}
	}
	return list, all
}

func (p *pass) open() (err error) {
	p.begin, p.end = math.MaxInt64, math.MinInt64
	p.reader, err = ctf.NewReader(p.parts, p.options)
	return err
}

// run reads the trace.
func (p *pass) run() error {
	if err := p.open(); err != nil {
		return err
	}
	for {
		if _, err := p.next(); err != nil {
			return p.close(err)
		}
	}
}

// next is the next event, and counted.
func (p *pass) next() (*trace.Event, error) {
	ev, err := p.reader.Next()
	if err != nil {
		return nil, err
	}
	r := &p.report
	r.Events++
	p.begin, p.end = min(p.begin, ev.Recorded), max(p.end, ev.Recorded)
	if r.Events%progressStep == 0 {
		addLost(&r.LostEvents, &r.LostPackets, p.reader.Losses())
		now := p.reader.Bytes()
		p.all.Add(now - p.bytes)
		p.bytes = now
	}
	return ev, nil
}

// close takes down what is known once there are no more events, for the given reason. A trace that
// ended by itself is no error.
func (p *pass) close(why error) error {
	defer p.reader.Close()
	r := &p.report
	if why != io.EOF {
		return why
	}
	if r.Events > 0 {
		r.Begin, r.End = new(decimal(p.begin)), new(decimal(p.end))
	}
	addLost(&r.LostEvents, &r.LostPackets, p.reader.Losses())
	r.Anomalies = append(r.Anomalies, p.reader.Anomalies()...)
	return nil
}
