package validate

import (
	"fmt"

	"synchroscope/simulate/truth"
)

// carriage is what messages add up to on the network, in packets.
type carriage struct {
	sent, received int64
	copied         int64 // received more often than they were sent
	latest         int64 // true time at which something was sent
}

func (c *carriage) add(m *truth.Message) {
	c.sent += int64(m.Packets)
	c.received += int64(m.TimesReceived)
	c.copied += int64(max(0, int(m.TimesReceived)-int(m.Packets)))
	c.latest = max(c.latest, m.Sent)
}

// carried holds the counts of the network against the messages. They are bounds: the messages do not say over how many links each
// packet went, nor what was under way at the end, or came to a machine that was down or had no room. What a CPU sends
// while it is ahead of the end is carried too, and is no message.
func (t *tally) carried() {
	n, sum := &t.c.truth.Network, &t.network
	const soon = 1e6
	behind := int64(len(t.hosts))
	if sum.latest >= t.c.truth.End-soon {
		behind *= 64
	}
	gone := n.Lost + n.Dropped + n.Unroutable
	check := t.c.report.check(Counts)
	for _, b := range []struct {
		holds bool
		text  string
	}{
		{min(n.Carried, n.Lost, n.Dropped, n.Unroutable, n.Duplicated) >= 0, "a count of the network is negative"},
		{gone <= sum.sent+n.Duplicated-sum.received+behind,
			fmt.Sprintf("%d packets are lost, dropped or unroutable, but of %d that were sent and %d copies %d came", gone, sum.sent, n.Duplicated, sum.received)},
		{sum.copied <= n.Duplicated, fmt.Sprintf("%d packets came more often than they were sent, but %d were copied", sum.copied, n.Duplicated)},
		{sum.sent <= n.Carried+n.Dropped+n.Unroutable, fmt.Sprintf("%d packets were sent, but links carried, dropped or had no way for only %d", sum.sent, n.Carried+n.Dropped+n.Unroutable)},
		{sum.received <= n.Carried-n.Lost+n.Duplicated, fmt.Sprintf("%d packets came, but links carried only %d, lost %d and copied %d", sum.received, n.Carried, n.Lost, n.Duplicated)},
	} {
		if check.Done++; !b.holds {
			check.fail(Problem{Text: b.text})
		}
	}
}
