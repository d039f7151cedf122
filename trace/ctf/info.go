package ctf

import (
	"strings"

	"synchroscope/trace/ctf/schema"
)

// describe collects what Info tells of the metadata.
func describe(t *schema.Trace) Info {
	info := Info{Kind: "other", Env: make(map[string]string)}
	for _, v := range t.Env { // cloned, else all of the metadata would stay in memory for them
		info.Env[strings.Clone(v.Name)] = strings.Clone(v.String())
	}
	if d := info.Env["domain"]; d == "kernel" || d == "ust" {
		info.Kind = d
	}
	info.Hostname = info.Env["hostname"]
	if len(t.Clocks) > 0 {
		info.ClockID = strings.Clone(t.Clocks[0].Identity())
	}
	for _, s := range t.Streams {
		for _, e := range s.Events {
			info.Classes = append(info.Classes, e.Name)
		}
	}
	return info
}
