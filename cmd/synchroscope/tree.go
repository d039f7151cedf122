package main

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"synchroscope/state/history"
	"synchroscope/state/kernel"
)

// treeCommand is the microscope of a history tree file.
func treeCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("tree", "check|stats|dump [--block N] FILE", `Looks into the file of a history tree.
check verifies all of it and names each damaged place, with what cannot be read
because of it; stats tells how it is made up, dump lists its blocks, or what
one holds: the intervals of a leaf or an extent, the last value of each
attribute of a block of state, which goes on at the end of the history; of
any other block a sentence says what it is for.`)
	block := fs.Int64("block", -1, "dump: list what this block holds")
	rest, code, done := parse(fs, args, stdout, stderr)
	if done {
		return code
	}
	if len(rest) != 2 {
		return misuse("tree", stderr, "it takes what to do and a FILE")
	}
	tasks := map[string]func(*os.File, io.Writer) error{
		"check": treeCheck,
		"stats": treeStats,
		"dump": func(f *os.File, w io.Writer) error {
			if isSet(fs, "block") {
				return treeDumpBlock(f, w, *block)
			}
			return treeDump(f, w)
		},
	}
	task, ok := tasks[rest[0]]
	if !ok {
		return misuse("tree", stderr, fmt.Sprintf("there is no %q", rest[0]))
	}
	if rest[0] != "dump" && isSet(fs, "block") {
		return misuse("tree", stderr, "--block is for dump")
	}
	if isSet(fs, "block") && *block < 0 {
		return misuse("tree", stderr, fmt.Sprintf("--block is the number of a block, not %d", *block))
	}
	f, err := os.Open(rest[1])
	if err != nil {
		return fault(stderr, err)
	}
	defer f.Close()
	out := bufio.NewWriter(stdout)
	err = task(f, out)
	if failed := out.Flush(); err == nil {
		err = failed
	}
	if err != nil {
		return fault(stderr, fmt.Errorf("%s: %w", rest[1], err))
	}
	return exitOK
}

func isSet(fs *flag.FlagSet, name string) bool {
	set := false
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// mostDamages is how many damaged places are told of one by one.
const mostDamages = 100

func treeCheck(f *os.File, w io.Writer) error {
	found, err := history.Inspect(f, mostDamages)
	if err != nil {
		return err
	}
	if found.Count > 0 {
		return treeDamaged(found, w)
	}
	h, err := history.Open(f)
	if err != nil {
		return err
	}
	s := h.Stats()
	fmt.Fprintf(w, "%d pages, %d intervals of %d attributes: nothing is wrong.\n", s.Pages, s.Intervals, s.Attributes)
	warnOfModel(s, w)
	return warnOfCrowds(h, w)
}

// treeDamaged tells of every damaged place, and what is lost by it. The error is of all.
func treeDamaged(s *history.Survey, w io.Writer) error {
	for _, d := range s.Damages {
		fmt.Fprintf(w, "%v\n    lost: %s\n", d.Err, d.Lost)
	}
	if more := s.Count - len(s.Damages); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if s.Adrift > 0 {
		fmt.Fprintf(w, "%s more that can be read, and to which nothing leads any more\n", plural(int64(s.Adrift), "block", "blocks"))
	}
	if s.Count == 1 {
		return s.Damages[0].Err
	}
	return fmt.Errorf("%d places are damaged, the first: %w", s.Count, s.Damages[0].Err)
}

// warnOfModel tells where an earlier model built the states.
func warnOfModel(s history.Stats, w io.Writer) {
	if s.Model < kernel.Version {
		fmt.Fprintf(w, "warning: version %d of the state model built this, the newest is %d; synchroscope serve --rebuild builds it anew.\n", s.Model, kernel.Version)
	}
}

// warnOfCrowds names the places where many states last from node to node.
func warnOfCrowds(h *history.History, w io.Writer) error {
	crowds, err := h.Crowds(context.Background())
	for _, c := range crowds {
		fmt.Fprintf(w, "warning: %v\n", c)
	}
	return err
}

// A tally adds up the blocks of one kind and level.
type tally struct {
	blocks, pages, columns, count, stored int
}

func treeStats(f *os.File, w io.Writer) error {
	h, err := history.Open(f)
	if err != nil {
		return err
	}
	type class struct {
		kind  string
		level int
	}
	var order []class
	tallies := make(map[class]*tally)
	err = h.Blocks(context.Background(), func(b history.Block) bool {
		c := class{b.Kind, b.Level}
		if tallies[c] == nil {
			tallies[c] = new(tally)
			order = append(order, c)
		}
		t := tallies[c]
		t.blocks++
		t.pages += b.Pages
		t.columns += b.Columns
		t.count += b.Count
		t.stored += b.Stored
		return true
	})
	if err != nil {
		err = fmt.Errorf("only the blocks before a damaged one are counted: %w", err)
	}
	s := h.Stats()
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "from\t%d ns\nto\t%d ns\n", s.Start, s.End)
	fmt.Fprintf(t, "attributes\t%d\nstrings\t%d\nintervals\t%d\n", s.Attributes, s.Strings, s.Intervals)
	fmt.Fprintf(t, "bytes\t%d\nbytes per interval\t%.2f\n", s.Bytes, float64(s.Bytes)/float64(max(s.Intervals, 1)))
	compression := "none"
	if s.Compress {
		compression = "S2, where it saves pages"
	}
	fmt.Fprintf(t, "node size\tat most %d\npage size\t%d\nchildren per node\tat most %d\ncompression\t%s\ndepth\t%d\nstate model\tversion %d\n\n", s.NodeSize, s.PageSize, s.MaxChildren, compression, s.Depth, s.Model)
	fmt.Fprintf(t, "kind\tlevel\tblocks\tpages\tfill\tcolumns\tintervals or entries\n")
	for _, c := range order {
		k := tallies[c]
		fill := 100 * float64(k.stored) / float64(k.pages*s.PageSize)
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.1f %%\t%d\t%d\n", c.kind, c.level, k.blocks, k.pages, fill, k.columns, k.count)
	}
	if err := cmp.Or(t.Flush(), err); err != nil {
		return err
	}
	warnOfModel(s, w)
	return warnOfCrowds(h, w)
}

func treeDump(f *os.File, w io.Writer) error {
	h, err := history.Open(f)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintf(t, "block\tpages\tbyte\tkind\tlevel\tstart ns\tend ns\tcolumns\tcount\tbytes\tstored\n")
	err = h.Blocks(context.Background(), func(b history.Block) bool {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", b.Number, b.Pages, b.Offset, b.Kind, b.Level, b.Start, b.End, b.Columns, b.Count, b.Used, b.Stored)
		return true
	})
	return cmp.Or(t.Flush(), err) // where a page is damaged, those before it
}

func treeDumpBlock(f *os.File, w io.Writer, number int64) error {
	h, err := history.Open(f)
	if err != nil {
		return err
	}
	if number >= int64(h.Stats().Pages) {
		return fmt.Errorf("there is no block %d, only %d pages", number, h.Stats().Pages)
	}
	b, err := h.Block(uint32(number))
	if err != nil {
		return err
	}
	if what := noIntervals[b.Kind]; what != "" {
		_, err := fmt.Fprintf(w, "Block %d is of kind %s and has no intervals: it holds %s.\n", b.Number, b.Kind, what)
		return err
	}
	mark := ""
	if b.Kind == "state" {
		mark = " (ongoing)"
	}
	return h.BlockIntervals(b.Number, func(iv history.Interval) bool {
		_, err := fmt.Fprintf(w, "%d %d %s = %s%s\n", iv.Start, iv.End, h.Attributes().Full(iv.Quark), h.Text(iv.Value), mark)
		return err == nil
	})
}

// noIntervals is what blocks hold that have no intervals, by kind.
var noIntervals = map[string]string{
	"index":       "where the children of a node begin and end and in which blocks they, and what crosses from one to the next, stand",
	"summary":     "how long, and in how many intervals, each attribute had each of its few values in the children of a node",
	"wide totals": "how long, and in how many intervals, each attribute had each of its many values in one child of a node",
	"names":       "the names of the attributes and the texts that are values",
}
