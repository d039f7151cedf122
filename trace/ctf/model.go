package ctf

import "synchroscope/trace/ctf/schema"

// Metadata reads the metadata of the trace in dir, and returns what it says and in which
// format, as [Info] names it.
func Metadata(dir string) (t *schema.Trace, format string, err error) {
	return readMetadata(dir)
}
