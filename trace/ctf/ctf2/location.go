package ctf2

import "synchroscope/trace"

var origins = map[string]trace.Scope{
	"packet-header":                 trace.PacketHeader,
	"packet-context":                trace.PacketContext,
	"event-record-header":           trace.EventHeader,
	"event-record-common-context":   trace.StreamContext,
	"event-record-specific-context": trace.EventContext,
	"event-record-payload":          trace.Payload,
}

// location reads where a length or a selector stands: a path from an origin, or from the structure around
// the field that needs it. A null leads to the structure around; behind a name it takes the name back,
// so names that lead nowhere harm nothing there.
func location(v *value) *trace.Ref {
	r := &trace.Ref{Located: true, Line: v.line, Column: v.column}
	var path []*value
	if v.kind == array { // of the release candidates: the origin is the first name
		path = v.list()
		if len(path) > 0 && path[0].kind == text && origins[path[0].text] != 0 {
			r.Scope, path = origins[path[0].text], path[1:]
		}
	} else {
		if o := v.get("origin"); o != nil {
			if r.Scope = origins[o.string()]; r.Scope == 0 {
				o.fail("%q is no origin of a field location", o.text)
			}
		}
		path = v.need("path").list()
	}
	for _, x := range path {
		switch {
		case x.kind == text:
			r.Path = append(r.Path, x.text)
		case x.kind != null:
			x.expect("a name or null")
		case len(r.Path) > 0:
			r.Path = r.Path[:len(r.Path)-1]
		case r.Scope != trace.Lexical:
			x.fail("the path leads out of its origin")
		default:
			r.Up++
		}
	}
	if len(path) == 0 || path[len(path)-1].kind == null {
		v.fail("the path must end with a name")
	}
	return r
}
