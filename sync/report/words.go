package report

import (
	"fmt"
	"slices"
	"strings"

	"synchroscope/sync/hull"
	"synchroscope/sync/network"
)

// classWord says what a class means to somebody who has never heard of hulls.
func classWord(c hull.Class) Word {
	switch c {
	case hull.Accurate:
		return Word{"accurate", "good", "Messages in both directions enclose the clock on both sides over the whole overlap."}
	case hull.Approximate:
		return Word{"approximate", "medium", "There are messages in both directions, but all of one before all of the other: the estimate stands, without a bound."}
	case hull.Incomplete:
		return Word{"one direction", "medium", "Messages went one way only: they bound the clock on one side."}
	case hull.Fail:
		return Word{"contradiction", "bad", "The messages contradict each other: neither a line nor a curve with some steps fits them all."}
	}
	return Word{"no messages", "none", "These two hosts exchanged no message that both recorded."}
}

// classes are those that occur, each once.
func classes(s *network.Solution) []Word {
	var words []Word
	for _, c := range []hull.Class{hull.Accurate, hull.Approximate, hull.Incomplete, hull.Fail} {
		if slices.ContainsFunc(s.Links, func(k network.Link) bool { return k.Class == c }) {
			words = append(words, classWord(c))
		}
	}
	return words
}

// shape says what the messages of a link fit.
func shape(k *network.Link) string {
	switch {
	case k.Pieces == 0:
		return none
	case k.Shape == network.Steps:
		return "steps"
	case k.Pieces == 1:
		return "one line"
	}
	return counted(k.Pieces, "piece")
}

// summary says in sentences how well the clocks are known.
func summary(s *network.Solution, r *network.Report) []string {
	if len(s.Hosts) == 0 {
		return []string{"There is no host."}
	}
	if len(s.Hosts) == 1 {
		return []string{fmt.Sprintf("There is one host, %s: its clock is its own reference.", s.Hosts[0].Name)}
	}
	var known, unknown, islands []string
	var worst int64 = -1
	where := ""
	for i, h := range r.Hosts {
		switch {
		case int32(i) == s.Reference:
		case s.Unsynchronized(int32(i)):
			islands = append(islands, h.Name)
		case h.Error == nil:
			unknown = append(unknown, h.Name)
		default:
			known = append(known, h.Name)
			if h.Error.Max > worst {
				worst, where = h.Error.Max, h.Name
			}
		}
	}
	out := []string{fmt.Sprintf("All times are those of %s, the reference.", r.Reference)}
	if w := s.Options.Window; w != nil {
		begin, _ := span(s)
		if own := s.Hosts[s.Reference].Window; own != nil { // the same by the clock of the reference, whose times are those of the page
			w = own
		}
		out = append(out, fmt.Sprintf("Only the messages of a window count: of %s from %s after the beginning of the recording on. All others are counted, and say nothing of the clocks, but for where one was set.",
			about(float64(w.End-w.Begin)), about(float64(w.Begin-begin))))
	}
	for _, k := range s.Links {
		if k.Excluded {
			out = append(out, fmt.Sprintf("The link between %s and %s was left out, as was asked for.", s.Hosts[k.A].Name, s.Hosts[k.B].Name))
		}
	}
	switch {
	case len(known) == 1:
		out = append(out, fmt.Sprintf("The clock of %s is known to %s or better at every instant %sof its recording%s.", where, plusMinus(worst), ofThose(s, known), asWithin(s, "it goes")))
	case len(known) > 1:
		out = append(out, fmt.Sprintf("The clocks of %s are known to %s or better at every instant %sof their recordings%s; the worst is %s.", counted(len(known), "other host"), plusMinus(worst), ofThose(s, known), asWithin(s, "they go"), where))
	}
	if names := Unstated(s); len(names) > 0 {
		out = append(out, fmt.Sprintf("Messages outside of the window show that a clock was set there: beyond that %s.", nothing(names)))
	}
	if len(unknown) > 0 {
		out = append(out, fmt.Sprintf("%s placed by messages that bound %s on one side or not at the same time: how wrong that may be is unknown.", are(unknown), them(unknown)))
	}
	if len(islands) > 0 {
		message := "no message"
		if s.Options.Window != nil {
			message = "no message of the window"
		}
		if slices.ContainsFunc(s.Links, func(k network.Link) bool { return k.Excluded && !s.Related(k.A, k.B) }) {
			message += " of the links that were not left out"
		}
		out = append(out, fmt.Sprintf("%s not synchronized: %s relates %s to the reference.", are(islands), message, them(islands)))
	}
	if limit := capOf(s); limit > 0 {
		message, set := "no message", ""
		if s.Options.Window != nil {
			message, set = "no message of the window", " A clock that was set outside of the window is not bounded by them."
		}
		out = append(out, fmt.Sprintf("The bounds hold for every clock whose rate against another changes by at most %s%s; %s contradicts that.%s", perSecond(limit), exceptSteps(s), message, set))
	}
	for _, h := range s.Hosts {
		if h.Tick > 0 {
			out = append(out, fmt.Sprintf("The clock of %s advances by up to %s at once: what it recorded happened at the time stated or up to that much later. The bounds include it.", h.Name, bound(h.Tick)))
		}
	}
	if all, open := loops(s); all > 0 {
		words := fmt.Sprintf("%d of %s contradict those in use by more than the bounds allow; the table of loops says which.", open, group(int64(all))+" links that are not in use")
		if open == 0 {
			words = "The link that is not in use agrees with the others within the bounds: a check by messages that they do not rest on."
			if all > 1 {
				words = fmt.Sprintf("All %s links that are not in use agree with the others within the bounds: a check by messages that they do not rest on.", group(int64(all)))
			}
		}
		out = append(out, words)
	}
	if len(s.Links) > 0 {
		out = append(out, causality(s))
	}
	return out
}

// Unstated are the hosts that have a bound, though not of all that they recorded, as there is outside of a window where messages show that a clock was set.
func Unstated(s *network.Solution) (names []string) {
	for _, h := range s.Hosts {
		if b := h.Map.Bounds(); h.Window != nil && len(b) > 0 && (b[0][0] > h.Begin || b[len(b)-1][0] < h.End) {
			names = append(names, h.Name)
		}
	}
	return names
}

// nothing says of hosts that no bound is stated.
func nothing(names []string) string {
	return "nothing is stated of " + strings.TrimSuffix(strings.TrimSuffix(are(names), " is"), " are")
}

// ofThose narrows the instants that are spoken of where one of the hosts has no bound at some.
func ofThose(s *network.Solution, names []string) string {
	for _, name := range Unstated(s) {
		if slices.Contains(names, name) {
			return "with a bound "
		}
	}
	return ""
}

// asWithin says on what the bounds rest outside of the window, if there is one, of clocks of which goes is said.
func asWithin(s *network.Solution, goes string) string {
	if s.Options.Window == nil {
		return ""
	}
	return fmt.Sprintf(", if %s on outside of the window as within it, without being set", goes)
}

// exceptSteps says that the bounds leave steps out, if there are any.
func exceptSteps(s *network.Solution) string {
	if slices.ContainsFunc(s.Links, func(k network.Link) bool { return k.Shape == network.Steps }) {
		return ", but for the steps, where they are wider"
	}
	return ""
}

// span is from when to when hosts recorded that are related to the reference, in reference time.
func span(s *network.Solution) (begin, end int64) {
	for i, h := range s.Hosts {
		if s.Unsynchronized(int32(i)) {
			continue
		}
		from, to := h.Map.Reference(h.Begin), h.Map.Reference(h.End)
		if begin == 0 && end == 0 {
			begin, end = from, to
		}
		begin, end = min(begin, from), max(end, to)
	}
	return begin, end
}

// causality says whether messages are received after they were sent.
func causality(s *network.Solution) string {
	violations, unsure := 0, false
	for i := range s.Links {
		k := &s.Links[i]
		violations += k.Violations
		unsure = unsure || k.AToB > 0 && k.Latency[0].Min < -2 || k.BToA > 0 && k.Latency[1].Min < -2
	}
	switch {
	case violations > 0:
		return fmt.Sprintf("Received before sent in these times: %s; the links below say which.", counted(violations, "message"))
	case unsure:
		return "No message is received before it was sent, but for some beside a step of a clock, by less than the error there."
	}
	if s.Options.Window != nil {
		return "No message of the window is received before it was sent; of others that is not known."
	}
	return "No message is received before it was sent."
}

func are(names []string) string {
	if len(names) > 6 {
		return strings.Join(names[:5], ", ") + " and " + counted(len(names)-5, "other") + " are"
	}
	if len(names) > 1 {
		return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1] + " are"
	}
	return names[0] + " is"
}

func them(names []string) string {
	if len(names) > 1 {
		return "them"
	}
	return "it"
}

// capOf is the largest cap that a bound rests on.
func capOf(s *network.Solution) float64 {
	var most float64
	for i := range s.Hosts {
		most = max(most, s.Hosts[i].RateCap)
	}
	return most
}

func figures(s *network.Solution, r *network.Report) []Figure {
	var messages, pieces int64
	inUse, worst := 0, int64(-1)
	for i := range s.Links {
		k := &s.Links[i]
		messages += int64(k.AToB + k.BToA)
		pieces = max(pieces, int64(k.Pieces))
		if k.InTree {
			inUse++
		}
	}
	for _, h := range r.Hosts {
		if h.Error != nil {
			worst = max(worst, h.Error.Max)
		}
	}
	n := len(s.Hosts)
	exchanged, recorded := "exchanged messages", "Packets that were recorded where they were sent and where they arrived."
	if s.Options.Window != nil {
		messages = r.Matching.Matched // also of links that have none in the window, and are not among those of the solution
		exchanged += " in the window"
		recorded += " Those outside of the window are counted, too."
	}
	bounded := "No clock is further off than this at any instant at which it is bounded" + asWithin(s, "it goes") + "."
	return []Figure{
		{"Hosts", group(int64(n)), "A host is a clock: all traces that it stamped."},
		{"Reference", r.Reference, "The host with the smallest total error to all others, unless another was asked for."},
		{"Worst bound", plusMinus(worst), bounded},
		{"Links", fmt.Sprintf("%s of %s in use", group(int64(inUse)), group(int64(len(s.Links)))), fmt.Sprintf("A link is a pair of hosts that %s, of %s. Those in use are the forest with the smallest errors; the others are a check.", exchanged, counted(n*(n-1)/2, "pair"))},
		{"Messages", group(messages), recorded},
		{"Most pieces", group(pieces), "Of one link's clock: 1 is a line, more are straight pieces of a clock whose rate changes."},
	}
}

func matching(r *network.Report) []Figure {
	m := r.Matching
	rows := []Figure{
		{"Sent", group(m.Sent), "ends of packets that were recorded as sent"},
		{"Received", group(m.Received), "ends of packets that were recorded as received"},
		{"Messages", group(m.Matched), "pairs of the two: each is a statement about two clocks"},
		{"Sent again", group(m.Retransmitted), "seen twice on a side by one host: nobody can tell which is whose partner"},
		{"Ambiguous", group(m.Ambiguous), "seen on a side by several hosts: forwarded, bridged or copied"},
		{"Local", group(m.Loopback), "sent and received by the same host"},
		{"Pieces of others", group(m.Pieces), "of a packet that was cut or joined on its way, whose statement another piece makes"},
		{"Without a partner, sent", group(m.UnmatchedSent), "the other end was not recorded"},
		{"Without a partner, received", group(m.UnmatchedReceived), "the other end was not recorded"},
		{"Given up", group(m.Evicted), "dropped unmatched to bound the memory"},
	}
	return rows
}
