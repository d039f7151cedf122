package main

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// healthCommand asks a running server whether it is alive: the health check of
// a container, which has no other program in it.
func healthCommand(args []string, stdout, stderr io.Writer) int {
	fs := newFlags("health", "[URL]", "Asks a running server whether it is alive. URL is http://127.0.0.1:8080/healthz by default.")
	rest, code, done := parse(fs, args, stdout, stderr)
	if done {
		return code
	}
	url := "http://127.0.0.1:8080/healthz"
	switch len(rest) {
	case 0:
	case 1:
		url = rest[0]
	default:
		return misuse("health", stderr, "one URL is enough")
	}
	client := http.Client{Timeout: 3 * time.Second}
	answer, err := client.Get(url)
	if err != nil {
		return fault(stderr, err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fault(stderr, fmt.Errorf("%s answers %s", url, answer.Status))
	}
	return exitOK
}
