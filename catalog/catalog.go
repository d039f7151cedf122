// Package catalog keeps what must survive the process in Badger: trace sets,
// their files, states and checkpoints. docs/format/catalog.md lists the keys.
package catalog
