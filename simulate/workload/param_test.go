package workload

import (
	"strings"
	"testing"
)

var testHosts = []string{"client", "web", "cache", "db", "node-1", "node-2"}

// What a scenario may not say of a workload is refused with what it may say.
func TestCheckRefuses(t *testing.T) {
	for _, test := range []struct {
		kind string
		args map[string]string
		says string
	}{
		{"no-such", nil, `there is no kind of workload "no-such"; there are balancer, copy, `},
		{"copy", nil, "copy needs the parameter from: where the files are"},
		{"copy", map[string]string{"from": "web", "to": "db", "speed": "1"}, `copy has no parameter "speed"; it has from, to, files`},
		{"copy", map[string]string{"from": "web", "to": "moon"}, `copy: to names "moon", but there is no such host`},
		{"copy", map[string]string{"from": "web", "to": "node-*"}, `copy: to is "node-*", which is 2 hosts; it takes one`},
		{"copy", map[string]string{"from": "web", "to": "[a-"}, `pattern "[a-"`},
		{"copy", map[string]string{"from": "web", "to": "db", "size": "0"}, "copy: size is 0; it can be from 1 to"},
		{"copy", map[string]string{"from": "web", "to": "db", "size": "a lot"}, `copy: size is "a lot", which is no number of bytes such as 64KiB`},
		{"copy", map[string]string{"from": "web", "to": "db", "pause": "5"}, `copy: pause is "5", which is no duration such as 20ms`},
		{"copy", map[string]string{"from": "web", "to": "db", "pause": "48h"}, "copy: pause is 48h; it can be from 0s to 24h0m0s"},
		{"web", map[string]string{"hits": "1.5"}, "web: hits is 1.5; it can be from 0 to 1"},
		{"web", map[string]string{"hits": "NaN"}, `web: hits is "NaN", which is no number`},
		{"web", map[string]string{"shoppers": "2.5"}, `web: shoppers is "2.5", which is no integer`},
		{"pingpong", map[string]string{"from": "*", "to": "*", "protocol": "sctp"}, `pingpong: protocol is "sctp"; it can be tcp, udp, icmp`},
	} {
		_, err := Check(test.kind, test.args, testHosts)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s %v: %v, want %q", test.kind, test.args, err, test.says)
		}
	}
}

// Values are what a scenario says, or else the default; patterns name hosts in the order of the text, each once.
func TestResolve(t *testing.T) {
	v, err := pingpong.resolve(map[string]string{"from": "node-*, web, node-1", "to": "db", "size": "64KiB", "period": "20ms"}, testHosts)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(v.hostList("from"), " "); got != "node-1 node-2 web" {
		t.Errorf("from is %s", got)
	}
	if v.bytes("size") != 64<<10 || v.duration("period") != 20*ms || v.int("reply") != 64 || v.word("protocol") != "tcp" || v.host("to") != "db" {
		t.Errorf("values are %v", v)
	}
}

// Every default is one that could be given, and every kind and parameter says what it is.
func TestKinds(t *testing.T) {
	seen := make(map[string]bool)
	for _, k := range Kinds() {
		if seen[k.Name] || k.Does == "" || k.start == nil {
			t.Errorf("the kind %q is there twice, or not explained", k.Name)
		}
		seen[k.Name] = true
		v := values{make(map[string]float64), make(map[string]string), make(map[string][]string)}
		for _, p := range k.Params {
			if p.Does == "" {
				t.Errorf("%s: %s is not explained", k.Name, p.Name)
			}
			if p.Default == "" {
				continue
			}
			if err := p.read(p.Default, testHosts, v); err != nil {
				t.Errorf("%s: %v", k.Name, err)
			}
		}
	}
}
