package ctf

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// Recordings groups traces that are parts of one: the chunks that LTTng leaves behind
// when a session is rotated, each a directory with a metadata file of its own
// (SESSION/archives/CHUNK/kernel beside SESSION/kernel). They have the uuid and the place
// in the session's layout in common, and their streams go on from one to the next; a
// [Reader] joins them. Traces whose streams begin at the same time with different packets, or that name two hosts, are not parts of one.
// A copy of a trace, or of a part of it, is in the recording of that trace; a reader reads one of both.
// The order is that of the first part of each.
func Recordings(traces []*Trace) [][]*Trace {
	var recordings [][]*Trace
	for _, t := range traces {
		i := slices.IndexFunc(recordings, func(r []*Trace) bool { return t.continues(r) })
		if i < 0 {
			recordings = append(recordings, []*Trace{t})
			continue
		}
		recordings[i] = append(recordings[i], t)
	}
	return recordings
}

// continues reports whether t is another part of the recording that has the given ones.
func (t *Trace) continues(parts []*Trace) bool {
	if slices.ContainsFunc(parts, func(p *Trace) bool { return t.copies(p) || p.copies(t) }) {
		return true
	}
	p := parts[0]
	domain := domainPath(t.dir)
	if domain == "" || domain != domainPath(p.dir) || !t.plan.hasUUID || !p.plan.hasUUID || t.plan.uuid != p.plan.uuid || t.info.Hostname != p.info.Hostname {
		return false
	}
	for _, p := range parts {
		for _, c := range t.streams {
			if slices.ContainsFunc(p.streams, c.overlaps) {
				return false
			}
		}
	}
	return true
}

// overlaps reports whether files of two chains begin at the same time in the same stream, and not with the same packet.
func (c *chain) overlaps(d *chain) bool {
	return c.same(d) && slices.ContainsFunc(c.files, func(f streamFile) bool {
		return slices.ContainsFunc(d.files, func(g streamFile) bool { return f.begin == g.begin && !(f.first.known && f.first == g.first) })
	})
}

// domainPath is the part of a path that LTTng lays out within a session or a chunk:
// "kernel", "ust/uid/0/64-bit", "ust/pid/name-1234-20260101-120000"; "" if there is none.
func domainPath(dir string) string {
	parts := strings.Split(filepath.ToSlash(filepath.Clean(dir)), "/")
	for i, p := range parts {
		if i > 0 && p == "ust" && (i+1 == len(parts) || parts[i+1] == "uid" || parts[i+1] == "pid") {
			return strings.Join(parts[i:], "/")
		}
	}
	if n := len(parts); n > 1 && parts[n-1] == "kernel" {
		return "kernel"
	}
	return ""
}

// joined lists the streams of traces, in their order, but for those of copies and the files that are there twice; those of one recording are joined.
func joined(traces []*Trace, parts []part, copies map[int]int, twice []map[string]int) []*stream {
	index := make(map[*Trace]int, len(traces))
	of := make(map[*Trace][]*Trace, len(traces))
	for i, t := range traces {
		index[t] = i
	}
	for _, r := range Recordings(traces) {
		for _, t := range r {
			of[t] = r
		}
	}
	var streams []*stream
	taken := make(map[*chain]bool)
	for i := range copies {
		for _, c := range traces[i].streams {
			taken[c] = true
		}
	}
	for i, t := range traces {
		for j, c := range t.streams {
			if taken[c] {
				continue
			}
			s := &stream{part: parts[i], index: int32(j)}
			for _, u := range of[t] {
				for _, d := range u.streams {
					if d != c && (u == t || taken[d] || !c.same(d)) {
						continue
					}
					taken[d] = true
					s.full = max(s.full, d.full)
					for _, f := range d.files {
						if _, ok := twice[index[u]][f.name]; ok {
							continue
						}
						s.files = append(s.files, file{parts[index[u]], filepath.Join(u.dir, f.name), u.name(f.name), f.begin, d.known})
					}
				}
			}
			if len(s.files) == 0 {
				continue
			}
			slices.SortStableFunc(s.files, func(a, b file) int { return cmp.Compare(a.begin, b.begin) })
			streams = append(streams, s)
		}
	}
	return streams
}
