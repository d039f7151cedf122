package wire

// Statuses is the number of statuses of a thread, which are the states 0..8 of a run.
const Statuses = 9

// Special states of a run, beside the statuses.
const (
	Mixed   = 254 // a column in which several statuses have a share
	Nothing = 255
)

// States is the answer to "states": rows of runs. Its columns are filled by
// Row and Run and have the lengths that the page asks for.
type States struct {
	Header
	Seq        uint32
	Begin, End int64 // ns, in the requested time
	Columns    int
	Complete   bool // nothing in the range can still change
	Clocks     Clocks

	rows     []uint32
	rowRuns  []uint32
	runEnd   []uint16
	runLabel []uint16
	runState []uint8
	mixes    []uint8
	labels   []string
	numbers  map[string]uint16 // of labels, from 1
}

// Row begins a row; the runs added until the next Row are its.
func (s *States) Row(id uint32) {
	s.rows = append(s.rows, id)
	s.rowRuns = append(s.rowRuns, uint32(len(s.runEnd)))
}

// Run adds a run that ends before column end. mix counts where state is Mixed only.
func (s *States) Run(end int, state uint8, label string, mix *[Statuses]uint8) {
	s.runEnd = append(s.runEnd, uint16(end))
	s.runState = append(s.runState, state)
	s.runLabel = append(s.runLabel, s.label(label))
	if state == Mixed {
		s.mixes = append(s.mixes, mix[:]...)
	}
}

// Brief says of the run that was added last, which is Mixed, that a thread was on a CPU for less than any share: in which status. It takes the place of a label,
// which such a run has not.
func (s *States) Brief(status uint8) { s.runLabel[len(s.runLabel)-1] = uint16(status) }

// label numbers a text; past the last number a run goes without.
func (s *States) label(text string) uint16 {
	if text == "" {
		return 0
	}
	n, ok := s.numbers[text]
	if ok || len(s.labels) == 1<<16-1 {
		return n
	}
	if s.numbers == nil {
		s.numbers = make(map[string]uint16)
	}
	s.labels = append(s.labels, text)
	n = uint16(len(s.labels))
	s.numbers[text] = n
	return n
}

// Size is about the length of the message so far. Who fills a States stops
// when it passes MaxFrame.
func (s *States) Size() int {
	return 64 + s.Clocks.size() + 8*len(s.rows) + 5*len(s.runEnd) + len(s.mixes) + 4*len(s.labels) + textBytes(s.labels)
}

// Encode writes the message.
func (s *States) Encode() ([]byte, error) {
	f := newFrame(KindStates, s.Header, s.Size())
	f.u32(s.Seq)
	f.u32(uint32(len(s.rows)))
	f.i64(s.Begin)
	f.i64(s.End)
	f.u32(uint32(s.Columns))
	f.u32(flag(s.Complete))
	f.u32(uint32(len(s.runEnd)))
	f.u32(uint32(len(s.mixes) / Statuses))
	f.u32(uint32(textBytes(s.labels)))
	f.u32(uint32(len(s.labels)))
	f.u32s(s.rows)
	f.u32s(s.rowRuns)
	f.u32(uint32(len(s.runEnd)))
	f.u16s(s.runEnd)
	f.align(4)
	f.u16s(s.runLabel)
	f.align(4)
	f.bytes(s.runState)
	f.align(4)
	f.bytes(s.mixes)
	f.texts(s.labels)
	f.clocks(&s.Clocks)
	return f.done()
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}
