package ctf_test

import (
	"fmt"
	"strings"
	"testing"

	"synchroscope/trace/ctf"
	"synchroscope/trace/ctf/text/texttest"
)

// A trace tells of which CPUs it has packets, one file or several, by all its channels: not of one whose file is empty, nor by the names of files. It does not
// where a file does not say.
func TestCPUs(t *testing.T) {
	const head = `
ctf 1.8 le
clock c freq=1000000000
HEADER
stream 0
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c); cpu_id u32}
event-header {timestamp u64:clock(c)}
event 0 e
stream 1
packet-context {timestamp_begin u64:clock(c); timestamp_end u64:clock(c)}
event-header {timestamp u64:clock(c)}
event 0 f
`
	const files = `
file channel0_0 stream=0
packet begin=1 end=2 cpu=7
1.5 e
packet begin=2 end=3 cpu=7
2.5 e
file channel0_1 stream=0
file channel0_2 stream=0
packet begin=1 end=2 cpu=3
file channel1_0 stream=0
packet begin=1 end=2 cpu=7
1.6 e
`
	const silent = `
file channel2_0 stream=1
packet begin=1 end=2
1.7 f
`
	for header, name := range map[string]string{
		"packet-header {stream_id u32}":                         "files that do not say which stream they are",
		"packet-header {stream_id u32; stream_instance_id u64}": "files that say it",
	} {
		for files, want := range map[string]string{files: "[3 7] true", files + silent: "[] false"} {
			tr, err := ctf.Open(texttest.Dir(t, strings.Replace(head, "HEADER", header, 1)+files))
			if err != nil {
				t.Fatal(err)
			}
			cpus, ok := tr.CPUs()
			if got := fmt.Sprint(cpus, ok); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}
