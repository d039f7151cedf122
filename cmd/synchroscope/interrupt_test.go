package main

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An interrupt while events are printed removes what was extracted.
func TestInterruptRemovesTemporaryFiles(t *testing.T) {
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
	temporary := filepath.Join(dir, "temporary")
	if err := os.Mkdir(temporary, 0o755); err != nil {
		t.Fatal(err)
	}

	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "events", archive)
	cmd.Args[0] = "synchroscope" // what TestMain goes by
	cmd.Env = append(os.Environ(), "TMPDIR="+temporary)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// After a line has come, the archive is open; the rest does not fit the
	// pipe, so the program cannot be done either.
	line, err := bufio.NewReaderSize(out, 16).ReadString('\n')
	if err != nil || !strings.Contains(line, "tick") {
		t.Fatalf("first line %q, error %v", line, err)
	}
	if entries, err := os.ReadDir(temporary); err != nil || len(entries) != 1 {
		t.Errorf("while it runs there are %d temporary directories, error %v", len(entries), err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupt {
		t.Errorf("exit code %d, want %d", code, exitInterrupt)
	}
	if entries, err := os.ReadDir(temporary); err != nil || len(entries) != 0 {
		t.Errorf("afterwards there are %d temporary directories, error %v", len(entries), err)
	}
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
