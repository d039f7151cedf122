package ctf

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"synchroscope/trace"
)

// compared is how much of either end of two stream files is compared, in bytes: times and
// counts of its packets are there, so no two files that are not copies agree in them.
const compared = 4 << 10

// copies reports whether t is u once more, or a part of it, as what is left of a damaged archive is: a trace with its uuid
// and its host name, and with stream files that have the names, the sizes and the first and last packets of some of u.
func (t *Trace) copies(u *Trace) bool {
	if t == u || t.info.Bytes == 0 || t.info.Bytes > u.info.Bytes || t.info.Streams > u.info.Streams || t.info.Hostname != u.info.Hostname ||
		!t.plan.hasUUID || !u.plan.hasUUID || t.plan.uuid != u.plan.uuid || !t.among(u) {
		return false
	}
	own, others := t.digest(), u.digest()
	for name, sum := range own {
		if others[name] != sum {
			return false
		}
	}
	return own != nil && others != nil
}

// among reports whether all stream files of t have the names and sizes of some of u, which is known without reading them.
func (t *Trace) among(u *Trace) bool {
	own, others := t.sizes(), u.sizes()
	for name, size := range own {
		if other, ok := others[name]; !ok || other != size {
			return false
		}
	}
	return true
}

// sizes are those of the stream files, by name.
func (t *Trace) sizes() map[string]int64 {
	t.sized.Do(func() {
		t.sizesOf = make(map[string]int64)
		for _, f := range t.files() {
			t.sizesOf[f.name] = f.size
		}
	})
	return t.sizesOf
}

// digest is the same for the same stream files, as far as copies compares them, by name; nil if one cannot be
// read. The files are read the first time it is asked for: of many parts of a recording each is compared with all.
func (t *Trace) digest() map[string][sha256.Size]byte {
	t.digested.Do(func() {
		sums := make(map[string][sha256.Size]byte)
		for _, f := range t.files() {
			b, err := ends(filepath.Join(t.dir, f.name), f.size)
			if err != nil {
				return
			}
			sums[f.name] = sha256.Sum256(b)
		}
		t.digestOf = sums
	})
	return t.digestOf
}

// files are those of all streams, by name.
func (t *Trace) files() []streamFile {
	var files []streamFile
	for _, c := range t.streams {
		files = append(files, c.files...)
	}
	slices.SortFunc(files, func(a, b streamFile) int { return cmp.Compare(a.name, b.name) })
	return files
}

// ends are the first and the last bytes of a file.
func ends(path string, size int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n := int(min(size, compared))
	b := make([]byte, 2*n)
	if _, err := f.ReadAt(b[:n], 0); err != nil && err != io.EOF {
		return nil, err
	}
	if _, err := f.ReadAt(b[n:], size-int64(n)); err != nil && err != io.EOF {
		return nil, err
	}
	return b, nil
}

// copied returns for each trace that is a copy, of one ahead of it or of a part of any, the place of that one, which is read.
func copied(traces []*Trace) map[int]int {
	of := make(map[int]int)
	for i, t := range traces {
		for j, u := range traces {
			if t.copies(u) && (j < i || !u.copies(t)) {
				of[i] = j
				break
			}
		}
	}
	for i, j := range of {
		for k, ok := of[j]; ok; k, ok = of[j] {
			j = k
		}
		of[i] = j
	}
	return of
}

// again returns for each trace that is no copy the stream files that one ahead of it has too, by name, with the place of that
// one. So it is with what is left of two archives of one trace that are damaged in different places: neither is a part of the other.
func again(traces []*Trace, copies map[int]int) []map[string]int {
	type file struct {
		uuid, host, name string
		size             int64
	}
	places := make(map[file][]int)
	for i, t := range traces {
		if _, ok := copies[i]; ok || !t.plan.hasUUID {
			continue
		}
		for name, size := range t.sizes() {
			if size > 0 {
				f := file{string(t.plan.uuid[:]), t.info.Hostname, name, size}
				places[f] = append(places[f], i)
			}
		}
	}
	of := make([]map[string]int, len(traces))
	for f, in := range places {
		if len(in) < 2 {
			continue
		}
		first := make(map[[sha256.Size]byte]int)
		for _, i := range in {
			sum, ok := traces[i].digest()[f.name]
			if !ok {
				continue
			}
			if j, ok := first[sum]; !ok {
				first[sum] = i
			} else if of[i] == nil {
				of[i] = map[string]int{f.name: j}
			} else {
				of[i][f.name] = j
			}
		}
	}
	return of
}

// noticeStreams says that so many stream files of t are not read, because those of u are.
func (t *Trace) noticeStreams(u *Trace, n int) trace.Anomaly {
	what := "1 stream file is a copy of that"
	if n > 1 {
		what = fmt.Sprintf("%d stream files are copies of those", n)
	}
	return trace.Anomaly{Kind: "copy", Stream: t.place(), Message: fmt.Sprintf("%s of %s; what is there twice is read once", what, u.place()), Count: 1}
}

// notice says that t is not read, because u is.
func (t *Trace) notice(u *Trace) trace.Anomaly {
	what := "a copy of"
	if t.info.Streams < u.info.Streams {
		what = "a copy of a part of"
	}
	return trace.Anomaly{Kind: "copy", Stream: t.place(), Message: fmt.Sprintf("the trace is %s %s; it is not read", what, u.place()), Count: 1}
}

// place is the last part of the path of a trace: its session and its place there.
func (t *Trace) place() string {
	return filepath.ToSlash(filepath.Join(sessionName(t.dir), domainPath(t.dir)))
}
