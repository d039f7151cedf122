package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"synchroscope/bench/traces"
)

// A server is a synchroscope in a process of its own, as users run it.
type server struct {
	cmd    *exec.Cmd
	url    string
	set    string
	events string
}

// serve makes what is missing in the cache and starts the server over it.
func serve(ctx context.Context, o options) (*server, error) {
	program, err := traces.Program(ctx, o.cache, o.program)
	if err != nil {
		return nil, err
	}
	kept, err := traces.Keep(ctx, o.cache, program, o.key)
	if err != nil {
		return nil, err
	}
	// Another program may store a set in another way.
	data := filepath.Join(o.cache, o.key.String()+"-data")
	if err := os.RemoveAll(data); err != nil {
		return nil, err
	}
	if err := traces.Run(ctx, program, "build", "-data", data, "-name", o.key.Scenario, kept); err != nil {
		return nil, err
	}
	return start(ctx, program, data)
}

func start(ctx context.Context, program, data string) (*server, error) {
	cmd := exec.CommandContext(ctx, program, "serve", "-listen", "127.0.0.1:0", "-data", data)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd}
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "listens on "); ok {
			s.url = strings.TrimSpace(after)
		}
	}
	if s.url == "" {
		s.stop()
		return nil, errors.New("the server did not say where it listens")
	}
	go func() {
		for lines.Scan() {
		}
	}()
	if err := s.find(ctx); err != nil {
		s.stop()
		return nil, err
	}
	return s, nil
}

// find waits until the one set of the server is ready.
func (s *server) find(ctx context.Context) error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/sets", nil)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		var sets []struct {
			ID, State string
			Events    json.Number
		}
		err = json.NewDecoder(response.Body).Decode(&sets)
		response.Body.Close()
		if err != nil {
			return err
		}
		if len(sets) == 1 && sets[0].State == "ready" {
			s.set, s.events = sets[0].ID, sets[0].Events.String()
			return nil
		}
	}
	return errors.New("the set was not ready within a minute")
}

func (s *server) page(query string) string { return "/sets/" + s.set + query }

func (s *server) live() string {
	return "ws" + strings.TrimPrefix(s.url, "http") + "/api/sets/" + s.set + "/live"
}

func (s *server) stop() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}
