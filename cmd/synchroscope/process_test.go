package main

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// A process is the program itself: TestMain puts it into PATH.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	line   string // the first line it printed
	stderr bytes.Buffer
}

func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command("synchroscope", args...)}
	p.cmd.Env = append(os.Environ(), env...)
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	if p.line, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		p.cmd.Wait()
		t.Fatalf("%q printed nothing: %v\n%s", args, err, p.stderr.String())
	}
	return p
}

// url is the address in the first line.
func (p *process) url() string {
	p.t.Helper()
	url := regexp.MustCompile(`http://\S+`).FindString(p.line)
	if url == "" {
		p.t.Fatalf("no address in %q", p.line)
	}
	return url
}

// status is that of a GET.
func (p *process) status(url string) int {
	p.t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		p.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

// stop sends a signal and insists on exit code 0.
func (p *process) stop(s os.Signal) {
	p.t.Helper()
	p.cmd.Process.Signal(s)
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("after %v: %v\n%s", s, err, p.stderr.String())
	}
}

// The demonstration prints the address of its set at once, and leaves nothing behind.
func TestDemo(t *testing.T) {
	temp := t.TempDir()
	p := start(t, []string{"TMPDIR=" + temp}, "demo")
	url := p.url()
	if !strings.Contains(url, "/sets/") {
		t.Errorf("the address is %s, not that of the set", url)
	}
	if code := p.status(url); code != 200 {
		t.Errorf("%s: %d", url, code)
	}
	p.stop(os.Interrupt)
	left, err := os.ReadDir(temp)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// A server that is stopped in the middle of an import ends well, and has the
// set again when it is started again.
func TestServe(t *testing.T) {
	data := t.TempDir()
	args := []string{"serve", "--listen", "127.0.0.1:0", "--data", data, "demo/shop-4hosts.tar.gz"}
	p := start(t, nil, args...)
	if code := p.status(p.url() + "/healthz"); code != 200 {
		t.Errorf("health %d", code)
	}
	p.stop(syscall.SIGTERM)

	p = start(t, nil, args...)
	answer, err := http.Get(p.url() + "/api/sets")
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	body.ReadFrom(answer.Body)
	answer.Body.Close()
	if n := strings.Count(body.String(), `"name":"shop-4hosts"`); n != 1 {
		t.Errorf("%d sets of the same path after a second start: %s", n, body.String())
	}
	p.stop(syscall.SIGTERM)
}
