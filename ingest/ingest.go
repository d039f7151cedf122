// Package ingest takes trace sets from upload to history: one job per host,
// all of them resumable.
package ingest
