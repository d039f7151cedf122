package writer_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

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
				tool, err := exec.LookPath(name)
				if err != nil {
					if os.Getenv("CI") != "" {
						t.Fatalf("%s is not installed, but this run is to compare with it", name)
					}
					t.Skipf("%s is not installed", name)
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
