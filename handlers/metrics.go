package handlers

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"synchroscope/handlers/live"
	"synchroscope/handlers/wire"
	"synchroscope/ingest"
)

// metrics are the figures of GET /metrics.
type metrics struct {
	registry *prometheus.Registry
	uploaded prometheus.Counter
	seconds  *prometheus.HistogramVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		uploaded: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "synchroscope_uploaded_bytes_total", Help: "Bytes of archives received.",
		}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "synchroscope_query_seconds", Help: "Time that queries of views and of the API took.",
			Buckets: []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10},
		}, []string{"query"}),
	}
	m.registry.MustRegister(m.uploaded, m.seconds, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// query takes the duration of one query of a view.
func (m *metrics) query(op wire.Op, d time.Duration) { m.observe(string(op), d) }

func (m *metrics) observe(query string, d time.Duration) {
	m.seconds.WithLabelValues(query).Observe(d.Seconds())
}

// watch adds what is asked of the engine and the hub when it is scraped.
func (m *metrics) watch(engine *ingest.Engine, hub *live.Hub) {
	m.registry.MustRegister(engineCollector{engine}, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "synchroscope_live_connections", Help: "Open websockets.",
	}, func() float64 { return float64(hub.Sessions()) }))
}

// An engineCollector sums up the trace sets. The sums fall when a set is
// deleted, so they are gauges.
type engineCollector struct{ engine *ingest.Engine }

var (
	setsDesc    = prometheus.NewDesc("synchroscope_sets", "Trace sets by state.", []string{"state"}, nil)
	eventsDesc  = prometheus.NewDesc("synchroscope_events", "Events read, of all trace sets.", nil, nil)
	lostDesc    = prometheus.NewDesc("synchroscope_lost_events", "Events that the tracers lost, of all trace sets.", nil, nil)
	packetsDesc = prometheus.NewDesc("synchroscope_lost_packets", "Whole packets of an unknown number of events that are missing, of all trace sets.", nil, nil)
	bytesDesc   = prometheus.NewDesc("synchroscope_disk_bytes", "Bytes on disk, of all trace sets.", nil, nil)
)

func (c engineCollector) Describe(d chan<- *prometheus.Desc) {
	d <- setsDesc
	d <- eventsDesc
	d <- lostDesc
	d <- packetsDesc
	d <- bytesDesc
}

func (c engineCollector) Collect(out chan<- prometheus.Metric) {
	states := map[ingest.State]float64{ingest.Uploading: 0, ingest.Importing: 0, ingest.Ready: 0, ingest.Failed: 0}
	var events, lost, packets, bytes int64
	for _, set := range c.engine.Sets() {
		status := set.Status()
		states[status.State]++
		events += status.Events
		lost += status.LostEvents
		packets += status.LostPackets
		bytes += status.Bytes
	}
	for state, n := range states {
		out <- prometheus.MustNewConstMetric(setsDesc, prometheus.GaugeValue, n, string(state))
	}
	out <- prometheus.MustNewConstMetric(eventsDesc, prometheus.GaugeValue, float64(events))
	out <- prometheus.MustNewConstMetric(lostDesc, prometheus.GaugeValue, float64(lost))
	out <- prometheus.MustNewConstMetric(packetsDesc, prometheus.GaugeValue, float64(packets))
	out <- prometheus.MustNewConstMetric(bytesDesc, prometheus.GaugeValue, float64(bytes))
}
