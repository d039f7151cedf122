package catalog

// A State is where a set stands between upload and history.
type State string

const (
	Uploading  State = "uploading"
	Extracting State = "extracting"
	Reading    State = "reading"
	Ready      State = "ready"
	Failed     State = "failed"
	Deleting   State = "deleting"
)

// transitions are the legal ones; every other is a defect of the program.
var transitions = map[State][]State{
	Uploading:  {Extracting, Failed, Deleting},
	Extracting: {Reading, Ready, Failed, Deleting},
	Reading:    {Ready, Failed, Deleting},
	Ready:      {Reading, Deleting},
	Failed:     {Uploading, Deleting},
	Deleting:   {},
}

// May tells whether a set may go from one state to another.
func (s State) May(to State) bool {
	for _, t := range transitions[s] {
		if t == to {
			return true
		}
	}
	return false
}

// known tells whether there is such a state.
func (s State) known() bool {
	_, known := transitions[s]
	return known
}
