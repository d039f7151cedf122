// Package wire writes the messages of docs/format/wire.md.
package wire
