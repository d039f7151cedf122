//go:build race

package ingest

// The race detector makes reading twenty times slower, so a short recording lasts as long as a long one does without it.
const shopSeconds, busySeconds = 1, 1
