package declared

import (
	"fmt"

	"synchroscope/trace"
)

// An obstacle is why no event of a class can be what is declared of it.
type obstacle struct {
	sort         sortOfObstacle
	field, other string
	kind         trace.Kind // of field
}

// sortOfObstacle is in the order of how near the class is to what is wanted.
type sortOfObstacle uint8

const (
	noField sortOfObstacle = iota
	noThread
	noInteger
	neverBoth
)

// words say what is in the way, for an event of this name.
func (o *obstacle) words(event string) string {
	switch o.sort {
	case noThread:
		return "calls without row= are those of a thread, and no event that fits tells its thread; record it with lttng add-context -u -t vtid, or say with row= whose they are"
	case noInteger:
		return fmt.Sprintf("row wants an integer, and %s of %s is %s", o.field, event, kinds[o.kind])
	case neverBoth:
		return fmt.Sprintf("no %s has both %s and %s: they are of two options of one variant", event, o.field, o.other)
	}
	return fmt.Sprintf("no event that fits has all fields that it names: %s has no %s", event, o.field)
}

// kinds are what types are called.
var kinds = map[trace.Kind]string{
	trace.Float: "a number with a fraction", trace.String: "a text", trace.Struct: "a structure", trace.Array: "a text or a list",
	trace.Variant: "a variant", trace.Optional: "an optional", trace.Boolean: "a boolean", trace.BitMap: "a bit map",
}
