package network

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// Machines are a set of two to ten that talk, of which everything is known: what every clock shows at every true time, and every message. They are drawn by a
// kind and a seed. A seed stands for its set for good, so no draw may be added, left out or moved.
type machines struct {
	kind     string
	seed     uint64
	clocks   []machineClock
	ids      []string
	span     int64 // ns, true, from start
	messages []machineMessage
	links    [][2]int
	delays   []int64 // by link: the longest usual one, ns
	text     string  // what they are
	instants []int64 // true times at which they are looked at
	bounded  int     // how often something is bounded where it was looked at
}

// A machineClock is a crystal of which the rate swings, and which is set now and then, in what it shows or in its rate. Instants are true times.
type machineClock struct {
	offset  int64
	ppm     float64
	swing   float64 // ppm
	phase   float64
	period  float64      // of the swing, ns
	rates   [][2]float64 // instant, ppm more from then on
	sets    [][2]int64   // instant, by ns
	records [2]int64     // from and until when its machine records
	holes   [][2]int64   // from and until when not
}

type machineMessage struct {
	from, to       int
	sent, received int64 // true
	both           bool  // recorded at both ends
}

// machineKinds are what sets are drawn by, and what is done to their clocks; "drawn" stands for any of none, one, both, near, again, edge, opposite and many.
var machineKinds = map[string]string{
	"none":     "no clock is set",
	"one":      "one clock, once",
	"both":     "two times anywhere",
	"near":     "both clocks of a link, within 20 s",
	"again":    "one clock by the same again and again",
	"edge":     "shortly after its machine begins or before it ends",
	"opposite": "by nearly as much back, by the same clock or by another",
	"many":     "three to seven times",
	"slew":     "rates are set, by up to 200 ppm",
	"mixed":    "drawn, now and then also as in part and as in ties",
	"part":     "drawn, machines begin late, end early, pause",
	"ties":     "drawn, times are whole µs and many are equal",
	"sparse":   "drawn, with seconds between messages",
	"dense":    "drawn, with ms",
	"long":     "drawn, for hours",
	"big":      "none, one or near, nine or ten machines that all talk",
}

func logBetween(r *rand.Rand, a, b float64) float64 { return a * math.Pow(b/a, r.Float64()) }

// machinesOf are the machines of a kind and a seed.
func machinesOf(kind string, seed uint64) *machines {
	r := rand.New(rand.NewPCG(seed, uint64(len(kind))*1000+uint64(kind[0])*7+uint64(kind[len(kind)-1])))
	p := &machines{kind: kind, seed: seed}
	p.begin(r)
	shape := p.connect(r)
	if kind == "part" || kind == "mixed" && r.IntN(3) == 0 {
		p.pause(r)
	}
	p.talk(r)
	how := p.set(r)
	p.text = fmt.Sprintf("%s, %d hosts, %s, %d s, %d messages", how, len(p.clocks), shape, p.span/1e9, len(p.messages))
	for i := range p.clocks {
		for _, s := range p.clocks[i].sets {
			p.text += fmt.Sprintf("; h%d at %.3f s by %.3f ms", i, seconds(s[0]), float64(s[1])/1e6)
		}
		for _, s := range p.clocks[i].rates {
			p.text += fmt.Sprintf("; h%d at %.3f s by %.1f ppm", i, seconds(int64(s[0])), s[1])
		}
	}
	return p
}

// begin draws how many there are, for how long, and their crystals. A swing is no faster than what is taken for granted of a crystal: 13.5 ppb a second.
func (p *machines) begin(r *rand.Rand) {
	hosts := 2 + r.IntN(5)
	if p.kind == "big" {
		hosts = 9 + r.IntN(2)
	}
	p.span = int64(logBetween(r, 20, 240) * 1e9)
	switch p.kind {
	case "long":
		p.span = int64(logBetween(r, 1800, 30000) * 1e9)
	case "big":
		p.span = int64(logBetween(r, 5, 20) * 1e9)
	}
	p.clocks = make([]machineClock, hosts)
	offsets := logBetween(r, 1, 4e14) // ns to days
	fast := -1
	if r.IntN(3) == 0 {
		fast = r.IntN(hosts)
	}
	for i := range p.clocks {
		c := &p.clocks[i]
		c.offset = int64((2*r.Float64() - 1) * offsets)
		c.ppm = r.Float64()*100 - 50
		if i == fast {
			c.ppm = r.Float64()*1000 - 500
		}
		if r.IntN(2) == 0 {
			c.period = logBetween(r, 120, 3600) * 1e9
			most := 1.35e-8 / 1e-6 * c.period / 1e9 / (2 * math.Pi)
			c.swing = most * r.Float64()
			c.phase = 2 * math.Pi * r.Float64()
		}
		c.records = [2]int64{start, start + p.span}
		p.ids = append(p.ids, fmt.Sprint("id", r.IntN(1000), i))
	}
}

// connect draws who talks with whom.
func (p *machines) connect(r *rand.Rand) (shape string) {
	hosts := len(p.clocks)
	switch t := r.IntN(4); {
	case p.kind == "big" || t == 3 && hosts > 2:
		for a := range hosts {
			for b := a + 1; b < hosts; b++ {
				p.links = append(p.links, [2]int{a, b})
			}
		}
		return "mesh"
	case t == 0:
		for b := 1; b < hosts; b++ {
			p.links = append(p.links, [2]int{0, b})
		}
		return "star"
	default:
		for a := 0; a+1 < hosts; a++ {
			p.links = append(p.links, [2]int{a, a + 1})
		}
		if t == 2 && hosts > 2 {
			p.links = append(p.links, [2]int{hosts - 1, 0})
			return "ring"
		}
		return "chain"
	}
}

// pause draws when machines record nothing.
func (p *machines) pause(r *rand.Rand) {
	for i := range p.clocks {
		c := &p.clocks[i]
		if r.IntN(2) == 0 {
			c.records[0] += int64(r.Float64() * 0.4 * float64(p.span))
		}
		if r.IntN(2) == 0 {
			c.records[1] -= int64(r.Float64() * 0.4 * float64(p.span))
		}
		if r.IntN(3) == 0 {
			at := start + int64(r.Float64()*float64(p.span))
			c.holes = append(c.holes, [2]int64{at, at + int64(r.Float64()*0.3*float64(p.span))})
		}
	}
}

// A machineTalk is how two machines talk.
type machineTalk struct {
	link     [2]int
	every    int64         // ns
	delay    [2]int64      // there and back, ns
	jitter   float64       // ns
	mute     [2][][2]int64 // from and until when nothing arrives, there and back
	ties     bool          // whole ms and µs, and several at once
	outliers float64       // the share that is late by 200 ms
	loss     float64       // the share that is lost
}

// talk draws all messages.
func (p *machines) talk(r *rand.Rand) {
	all := machineTalk{ties: p.kind == "ties" || p.kind == "mixed" && r.IntN(8) == 0}
	if r.IntN(4) == 0 {
		all.outliers = 0.02
	}
	if r.IntN(3) == 0 {
		all.loss = 0.3 * r.Float64()
	}
	if all.ties {
		for i := range p.clocks {
			c := &p.clocks[i]
			c.swing = 0
			switch r.IntN(3) {
			case 0:
				c.ppm = 0
			case 1:
				c.ppm = float64(r.IntN(100) - 50)
			}
		}
	}
	base := logBetween(r, 0.01, 1) // s
	for _, l := range p.links {
		w := all
		w.link = l
		w.every = p.every(r, base)
		there := int64(logBetween(r, 20e3, 1e6))
		back := there
		if r.IntN(2) == 0 {
			back = int64(logBetween(r, 20e3, 3e6))
		}
		if w.ties {
			there, back = there/1000*1000, back/1000*1000
		}
		w.delay = [2]int64{there, back}
		w.jitter = float64(r.IntN(3)) * 40e3
		if r.IntN(3) == 0 {
			for range 1 + r.IntN(2) {
				at := start + int64(r.Float64()*float64(p.span))
				d := r.IntN(3)
				m := [2]int64{at, at + int64(r.Float64()*0.3*float64(p.span))}
				if d != 1 {
					w.mute[0] = append(w.mute[0], m)
				}
				if d != 0 {
					w.mute[1] = append(w.mute[1], m)
				}
			}
		}
		p.exchange(r, &w)
		p.delays = append(p.delays, max(there, back)+int64(3*w.jitter))
	}
}

// every draws how often two machines talk, ns.
func (p *machines) every(r *rand.Rand, base float64) int64 {
	every := logBetween(r, base/2, 4*base)
	if r.IntN(5) == 0 {
		every = logBetween(r, 0.5, 5)
	}
	switch p.kind {
	case "long":
		every = logBetween(r, 0.3, 30)
	case "sparse":
		every = logBetween(r, 0.5, 6)
	case "dense":
		every = logBetween(r, 0.002, 0.02)
	case "big":
		every = logBetween(r, 0.05, 1)
	}
	return int64(every * 1e9)
}

// exchange draws the messages of a link: questions and answers, messages of either side at random, or bursts.
func (p *machines) exchange(r *rand.Rand, w *machineTalk) {
	say := func(d int, sent int64) int64 { return p.say(r, w, d, sent) }
	pattern := r.IntN(3)
	for at := start + r.Int64N(w.every); at < start+p.span-300e6; {
		if w.ties {
			at = at / 1_000_000 * 1_000_000
		}
		switch pattern {
		case 0:
			say(1, say(0, at)+1000+r.Int64N(100_000))
			at += w.every*9/10 + r.Int64N(w.every/5+1)
		case 1:
			say(r.IntN(2), at)
			at += int64(r.ExpFloat64()*float64(w.every)/2) + 1
		case 2:
			t := at
			for range 1 + r.IntN(12) {
				t = say(1, say(0, t)+1000+r.Int64N(100_000)) + 1000 + r.Int64N(3_000_000)
			}
			at = max(t, at+int64(r.ExpFloat64()*6*float64(w.every))) + 1
		}
	}
}

// say draws a message in a direction of a link, and returns when it arrives.
func (p *machines) say(r *rand.Rand, w *machineTalk, d int, sent int64) (received int64) {
	from, to := w.link[d], w.link[1-d]
	received = sent + w.delay[d]
	if !w.ties {
		received += int64(r.ExpFloat64() * w.jitter)
	}
	if w.outliers > 0 && r.Float64() < w.outliers {
		received += 200e6
	}
	muted := slices.ContainsFunc(w.mute[d], func(m [2]int64) bool { return sent >= m[0] && sent < m[1] })
	if muted || r.Float64() < w.loss {
		return received
	}
	copies := 1
	if w.ties && r.IntN(3) == 0 {
		copies = 3
	}
	for range copies {
		p.messages = append(p.messages, machineMessage{from, to, sent, received, p.clocks[from].recorded(sent) && p.clocks[to].recorded(received)})
	}
	return received
}

// set draws when clocks are set and by how much, and returns how.
func (p *machines) set(r *rand.Rand) (how string) {
	size := func() int64 {
		by := int64(logBetween(r, 1e6, 60e9))
		if p.span < 60e9 {
			by = min(by, p.span/3)
		}
		if r.IntN(2) == 0 {
			by = -by
		}
		return by
	}
	anywhere := func(c *machineClock) int64 {
		return c.records[0] + int64((0.02+0.96*r.Float64())*float64(c.records[1]-c.records[0]))
	}
	pick := func() *machineClock { return &p.clocks[r.IntN(len(p.clocks))] }
	set := func(c *machineClock, at, by int64) { c.sets = append(c.sets, [2]int64{at, by}) }
	how = p.kind
	switch p.kind {
	case "mixed", "part", "ties", "sparse", "dense", "long":
		how = []string{"none", "none", "one", "one", "both", "near", "again", "edge", "opposite", "many"}[r.IntN(10)]
	case "big":
		how = []string{"none", "one", "near"}[r.IntN(3)]
	}
	switch how {
	case "one":
		c := pick()
		set(c, anywhere(c), size())
	case "both":
		for range 2 {
			c := pick()
			set(c, anywhere(c), size())
		}
	case "near":
		l := r.IntN(len(p.links))
		c, d := &p.clocks[p.links[l][0]], &p.clocks[p.links[l][1]]
		at := anywhere(c)
		set(c, at, size())
		set(d, at+int64(logBetween(r, 1e6, 20e9)), size())
	case "again":
		c := pick()
		by, at := size(), anywhere(c)
		for range 2 + r.IntN(4) {
			set(c, at, by)
			at += int64(logBetween(r, 1e9, 30e9))
		}
	case "edge":
		for range 1 + r.IntN(2) {
			c := pick()
			off := int64(logBetween(r, 1e7, 1e10))
			if r.IntN(2) == 0 {
				set(c, c.records[0]+off, size())
			} else {
				set(c, c.records[1]-off, size())
			}
		}
	case "opposite":
		c := pick()
		by, at := size(), anywhere(c)
		set(c, at, by)
		if r.IntN(2) == 0 {
			c = pick()
		}
		set(c, at+int64(logBetween(r, 1e8, 60e9)), -by+int64((r.Float64()-0.5)*logBetween(r, 1e3, math.Abs(float64(by)))))
	case "many":
		for range 3 + r.IntN(5) {
			c := pick()
			set(c, anywhere(c), size())
		}
	case "slew":
		for range 1 + r.IntN(4) {
			c := pick()
			c.rates = append(c.rates, [2]float64{float64(anywhere(c)), r.Float64()*400 - 200})
		}
	}
	for i := range p.clocks {
		c := &p.clocks[i]
		slices.SortFunc(c.sets, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
		c.sets = slices.DeleteFunc(c.sets, func(s [2]int64) bool { return s[0] <= c.records[0] || s[0] >= c.records[1] || s[1] == 0 })
	}
	return how
}

// local is what the clock shows at an instant.
func (c *machineClock) local(at int64) int64 {
	f := c.ppm * float64(at-start) / 1e6
	if c.swing != 0 {
		turn := 2 * math.Pi / c.period
		f += c.swing / 1e6 / turn * (math.Sin(c.phase+turn*float64(at-start)) - math.Sin(c.phase))
	}
	for _, k := range c.rates {
		if float64(at) > k[0] {
			f += k[1] * (float64(at) - k[0]) / 1e6
		}
	}
	x := at + c.offset + int64(math.Floor(f))
	for _, s := range c.sets {
		if at >= s[0] {
			x += s[1]
		}
	}
	return x
}

// when are the instants at which the clock shows a time while its machine records: none if it was set forward over it, several if it was set back.
func (c *machineClock) when(x int64) (list []int64) {
	edges := []int64{c.records[0]}
	for _, s := range c.sets {
		if s[0] > c.records[0] && s[0] < c.records[1] {
			edges = append(edges, s[0])
		}
	}
	edges = append(edges, c.records[1]+1)
	for i := 1; i < len(edges); i++ {
		a, b := edges[i-1], edges[i]-1
		if a > b || c.local(a) > x || c.local(b) < x {
			continue
		}
		k := sort.Search(int(b-a), func(i int) bool { return c.local(a+int64(i)) >= x })
		list = append(list, a+int64(k))
	}
	return list
}

// up reports whether an instant is between the first and the last that the machine records.
func (c *machineClock) up(at int64) bool { return at >= c.records[0] && at <= c.records[1] }

// recorded reports whether the machine records at an instant.
func (c *machineClock) recorded(at int64) bool {
	return c.up(at) && !slices.ContainsFunc(c.holes, func(h [2]int64) bool { return at >= h[0] && at < h[1] })
}
