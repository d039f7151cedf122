package filter_test

import (
	"strings"
	"testing"

	"synchroscope/trace/filter"
)

func TestNearest(t *testing.T) {
	names := []string{"next_tid", "prev_tid", "next_comm", "cpu_id", "tid", "network_header.ipv4.transport_header.tcp.dest_port", "ret", "next_tid"}
	for meant, want := range map[string]string{
		"next_tdi":      "next_tid",
		"nxt_tid":       "next_tid",
		"NEXT_TID":      "next_tid",
		"next_id":       "next_tid",
		"tdi":           "tid",
		"dest_port":     "network_header.ipv4.transport_header.tcp.dest_port",
		"dest_prot":     "network_header.ipv4.transport_header.tcp.dest_port",
		"tcp.dest_port": "network_header.ipv4.transport_header.tcp.dest_port",
		"colour":        "",
		"":              "",
	} {
		if got := strings.Join(filter.Nearest(meant, names), " "); got != want {
			t.Errorf("nearest to %q are %q, want %q", meant, got, want)
		}
	}
	if got := filter.Nearest("ab", []string{"abd", "abc", "abe", "abf", "b"}); strings.Join(got, " ") != "abc abd abe" {
		t.Errorf("of five at the same distance %q are offered", got)
	}
}
