package ctf

import "synchroscope/trace/ctf/schema"

// describe collects what Info tells of the metadata.
func describe(t *schema.Trace) Info {
	info := Info{Kind: "other", Env: make(map[string]string)}
	for _, v := range t.Env {
		info.Env[v.Name] = v.String()
	}
	if d := info.Env["domain"]; d == "kernel" || d == "ust" {
		info.Kind = d
	}
	info.Hostname = info.Env["hostname"]
	if len(t.Clocks) > 0 {
		info.ClockID = t.Clocks[0].Identity()
	}
	for _, s := range t.Streams {
		for _, e := range s.Events {
			info.Classes = append(info.Classes, e.Name)
		}
	}
	return info
}
