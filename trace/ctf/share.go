package ctf

// Bytes of windows: one fits into a second-level cache with what else is used.
const (
	defaultWindow = 64 << 10
	allWindows    = 6 << 20
	minWindow     = 512 // where there are thousands of streams
)

// What is decoded ahead: the more streams a reader has, the less of each, so that all of them together do not hold
// more than allAhead. Readers that go on in turn share that, as far as each of their streams has windows of enoughAhead: in smaller ones
// decoding takes longer. A batch is a window and the records of the events in it.
const (
	allAhead    = 9 << 20
	amongAhead  = 4 << 20 // of readers that go on in turn: most of them wait, and what they have decoded waits with them
	maxBatches  = 3       // of a stream: one being filled, one waiting, one being read
	fewBatches  = 2       // where not all can have maxBatches with full windows: while one is read there are other streams to go on with
	eventBytes  = 16      // of a window, for each record that there may be; most events are larger
	recordBytes = 32      // of memory
	leastAhead  = 2 << 10 // bytes of a window; if they would be less, no stream is decoded ahead
	enoughAhead = 8 << 10 // bytes of a window, which is not less because others read as well
)

// A share is what each stream of a reader may hold at once.
type share struct {
	window  int // bytes of a window
	batches int // of the stream, once it is decoded ahead; 0 if it is not to be
}

// perByte is how many bytes a batch takes for each of its window.
const perByte = 1 + recordBytes/eventBytes

// shareOf is what each of so many streams of a reader may hold, of which long ones are wanted decoded ahead or not, among so many readers.
func shareOf(streams, among int, ahead bool) share {
	streams, among = max(streams, 1), max(among, 1)
	alone := share{window: max(minWindow, min(defaultWindow, allWindows/streams))}
	if !ahead {
		return alone
	}
	all := allAhead
	if among > 1 {
		all = amongAhead
	}
	if all/streams/among >= maxBatches*perByte*defaultWindow {
		return share{defaultWindow, maxBatches}
	}
	own := allAhead / streams / (fewBatches * perByte)
	w := max(all/streams/among/(fewBatches*perByte), min(own, enoughAhead))
	if w >= leastAhead {
		return share{min(w, defaultWindow), fewBatches}
	}
	return alone
}

// records is how many events a batch has at most.
func (s share) records() int { return s.window / eventBytes }
