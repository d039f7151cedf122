package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A printing is the events command in the middle of printing what is in an archive.
type printing struct {
	*exec.Cmd
	out       io.Closer
	stderr    bytes.Buffer
	temporary string
}

// startPrinting returns when the first line has come: the archive is open, and the rest does not
// fit the pipe, so the program cannot be done either.
func startPrinting(t *testing.T) *printing {
	t.Helper()
	dir := t.TempDir()
	archive := filepath.Join(dir, "run.zip")
	f, err := os.Create(archive)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, content := range map[string][]byte{"kernel/metadata": []byte(metadata), "kernel/channel0_0": ticks(50_000)} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	p := &printing{temporary: filepath.Join(dir, "temporary")}
	if err := os.Mkdir(p.temporary, 0o755); err != nil {
		t.Fatal(err)
	}
	p.Cmd = exec.Command("synchroscope", "events", archive)
	p.Env = append(os.Environ(), "TMPDIR="+p.temporary)
	p.Stderr = &p.stderr
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = out
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReaderSize(out, 16).ReadString('\n')
	if err != nil || !strings.Contains(line, "tick") {
		t.Fatalf("first line %q, error %v", line, err)
	}
	if entries, err := os.ReadDir(p.temporary); err != nil || len(entries) != 1 {
		t.Errorf("while it runs there are %d temporary directories, error %v", len(entries), err)
	}
	return p
}

// ended checks how the program ended, and that nothing is left of what it extracted.
func (p *printing) ended(t *testing.T, code int) {
	t.Helper()
	p.Wait()
	if got := p.ProcessState.ExitCode(); got != code {
		t.Errorf("exit code %d, want %d", got, code)
	}
	if p.stderr.Len() > 0 {
		t.Errorf("stderr %q", &p.stderr)
	}
	if entries, err := os.ReadDir(p.temporary); err != nil || len(entries) != 0 {
		t.Errorf("afterwards there are %d temporary directories, error %v", len(entries), err)
	}
}

// An interrupt while events are printed removes what was extracted.
func TestInterruptRemovesTemporaryFiles(t *testing.T) {
	p := startPrinting(t)
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	p.ended(t, exitInterrupt)
}

// So does the end of who reads them, such as head, which is no fault.
func TestReaderGoesAway(t *testing.T) {
	p := startPrinting(t)
	p.out.Close()
	p.ended(t, exitOK)
}

// ticks is a stream of n events for testdata/metadata.tsdl.
func ticks(n int) []byte {
	var events []byte
	for i := range n {
		events = appendEvent(events, 1, uint64(i), uint32(i))
	}
	return packet(0, 0, uint64(n), events)
}

// packet is one packet of the stream that testdata/metadata.tsdl describes.
func packet(cpu uint32, begin, end uint64, events []byte) []byte {
	const head = 4 + 4 + 5*8 + 4
	bits := uint64(head+len(events)) * 8
	le := binary.LittleEndian
	var b []byte
	b = le.AppendUint32(b, 0xc1fc1fc1)
	b = le.AppendUint32(b, 0) // stream class
	b = le.AppendUint64(b, begin)
	b = le.AppendUint64(b, end)
	b = le.AppendUint64(b, bits) // content
	b = le.AppendUint64(b, bits) // packet
	b = le.AppendUint64(b, 0)    // discarded
	b = le.AppendUint32(b, cpu)
	return append(b, events...)
}

func appendEvent(b []byte, id uint32, ns uint64, value uint32) []byte {
	b = binary.LittleEndian.AppendUint32(b, id)
	b = binary.LittleEndian.AppendUint64(b, ns)
	return binary.LittleEndian.AppendUint32(b, value)
}
