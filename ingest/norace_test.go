//go:build !race

package ingest

const shopSeconds, busySeconds = 2, 8
