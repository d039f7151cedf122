package writer_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"synchroscope/internal/peer"
	"synchroscope/trace"
	"synchroscope/trace/ctf/schema"
	"synchroscope/trace/ctf/writer"
)

// theirLine is what both programs print of an event: time, name, and the fields in groups of braces.
var theirLine = regexp.MustCompile(`^\[ *(\d+\.\d{9})\] (?:\(\S+\) )?(?:web )?(\w+): (.*)$`)

// Both programs read what is written: the same times, names and values.
func TestBabeltrace(t *testing.T) {
	for name, args := range map[string][]string{
		"babeltrace":  {"--clock-seconds", "--no-delta"},
		"babeltrace2": {"--clock-seconds", "--no-delta"},
	} {
		for _, o := range []writer.Options{{}, {Packets: true, Index: true}} {
			t.Run(fmt.Sprint(name, o.Packets), func(t *testing.T) {
				tool, ok := peer.Program(t, name)
				if !ok {
					t.SkipNow()
				}
				dir := write(t, kernel(), o)
				out, err := exec.Command(tool, append(args, dir)...).Output()
				if err != nil {
					t.Fatal(err)
				}
				theirs := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
				ours := events(read(t, dir))
				if len(ours) != len(theirs) {
					t.Fatalf("%d events, %s reads %d", len(ours), name, len(theirs))
				}
				for i := range ours {
					m := theirLine.FindStringSubmatch(theirs[i])
					if m == nil {
						t.Fatalf("%s writes %s", name, theirs[i])
					}
					_, fields, _ := strings.Cut(m[3], "}, ") // behind the packet context
					if got, want := plain(m[1]+" "+m[2]+" "+fields), plain(ours[i]); got != want {
						t.Fatalf("%s reads\n%s\nas\n%s, want\n%s", name, theirs[i], got, want)
					}
				}
			})
		}
	}
}

// Both programs print the times that are read, whatever the frequency of the clock: for the month in which a double is good
// for it, unless a cycle is a whole number of ns, where they are wrong after some seconds.
func TestBabeltraceClocks(t *testing.T) {
	for _, c := range []schema.Clock{
		{Frequency: 3_290_000_000, Seconds: 1641387136, Offset: 3_289_999_999},
		{Frequency: 3_293_841_647, Seconds: 1641387136, Offset: 958208802},
		{Frequency: 3_293_841_647, Seconds: 1641387136, Offset: 1290408523}, // the double of the origin is 1 ns more
		{Frequency: 2_893_000_001, Seconds: 1},
		{Frequency: 999e6, Offset: 998_999_999},
		{Frequency: 24e6, Seconds: 5, Offset: 7},
		{Frequency: 32768, Seconds: 5, Offset: 32767},
		{Frequency: 100e9, Seconds: 1641387136, Offset: 99_999_999_999},
		{Frequency: 1_193_182, Seconds: 5, Offset: 2},
		{Frequency: 999e6, Offset: 1641387136*999e6 + 123_456_789}, // seconds as cycles
	} {
		t.Run(fmt.Sprint(c.Frequency, "+", c.Offset), func(t *testing.T) {
			c.Name, c.Absolute = "c", true
			dir, m := filepath.Join(t.TempDir(), "trace"), writer.LTTng("web", traceUUID, clockUUID, 1e9)
			const month = 1 << 53 / 3
			most, _ := (&schema.Clock{Frequency: c.Frequency}).Cycles(month)
			var cycles []uint64
			for chance := rand.New(rand.NewPCG(7, c.Frequency)); len(cycles) < 5000; {
				cycles = append(cycles, chance.Uint64N(most)>>chance.IntN(20))
			}
			slices.Sort(cycles)
			ours, beside := stamped(t, dir, m, c, cycles)
			if beside == 0 {
				t.Error("exact division would do for these")
			}
			for _, name := range []string{"babeltrace", "babeltrace2"} {
				if name == "babeltrace" && uint64(c.Offset) >= c.Frequency {
					continue // it divides all of the origin
				}
				tool, ok := peer.Program(t, name)
				if !ok {
					t.SkipNow()
				}
				out, err := exec.Command(tool, "--clock-seconds", "--no-delta", dir).Output()
				if err != nil {
					t.Fatal(err)
				}
				var theirs []string
				for line := range strings.Lines(string(out)) {
					time, _, _ := strings.Cut(strings.TrimPrefix(line, "["), "]")
					theirs = append(theirs, strings.TrimSpace(time))
				}
				if len(ours) != len(theirs) {
					t.Fatalf("%d events, %s reads %d", len(ours), name, len(theirs))
				}
				for i := range ours {
					if ours[i] != theirs[i] {
						t.Fatalf("cycle %d is at %s, to %s at %s", cycles[i], ours[i], name, theirs[i])
					}
				}
			}
		})
	}
}

// stamped writes a trace with an event at each number of cycles, and returns their times as they are read, and how many of them are
// not the exact ones.
func stamped(t *testing.T, dir string, m *schema.Trace, c schema.Clock, cycles []uint64) (times []string, beside int) {
	t.Helper()
	c.UUID, m.Clocks = clockUUID, []schema.Clock{c}
	s := m.Streams[0]
	s.EventHeader, s.PacketContext = writer.LargeHeader(false, c.Name), writer.PacketContext(false, c.Name)
	s.Events = []*schema.Event{{Name: "tick", Payload: trace.NewStruct(1, nil)}}
	d, err := writer.Create(dir, m, writer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := d.Stream("channel0_0", writer.StreamOptions{PacketSize: 4096})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range cycles {
		out.Begin(d.ClassByID(0, 0), n)
		if err := out.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(read(t, dir)) {
		time, _, _ := strings.Cut(line, " ")
		times = append(times, time)
	}
	origin := c.Time(0)
	for _, n := range cycles {
		exact := new(big.Int).SetUint64(n)
		exact.Mul(exact, big.NewInt(1e9)).Div(exact, new(big.Int).SetUint64(c.Frequency))
		if exact.Add(exact, big.NewInt(origin)).Int64() != c.Time(n) {
			beside++
		}
	}
	return times, beside
}

// events are the lines that are events, as both sides have them: without the CPU.
func events(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if before, after, ok := strings.Cut(line, " cpu=3 "); ok {
			lines = append(lines, before+" "+after)
		}
	}
	return lines
}

var (
	words  = regexp.MustCompile(`"[^"]*"|[^\s,:=()\[\]{}"]+`)
	labels = regexp.MustCompile(`\( "[^"]*" : container = (\d+) \)|:"[^"]*"|\[\d+\] = |<unknown>|\b(?:tcp|unknown) ?=`)
)

// plain is what the words of a line are, in one form: without labels, the names of options and
// punctuation, hexadecimal as decimal.
func plain(line string) string {
	line = labels.ReplaceAllString(line, "$1")
	var out []string
	for _, w := range words.FindAllString(line, -1) {
		var n uint64
		if strings.HasPrefix(w, "0x") {
			fmt.Sscanf(w, "0x%x", &n)
			w = fmt.Sprint(n)
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
