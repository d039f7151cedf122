package workload

import "synchroscope/simulate/machine"

// copying is scp.
var copying = Kind{
	Name: "copy",
	Does: "files copied over TCP: read from disk and encrypted on one machine, decrypted and written to disk on the other",
	Params: []Param{
		{Name: "from", Type: Host, Does: "where the files are"},
		{Name: "to", Type: Host, Does: "where they go"},
		{Name: "files", Type: Number, Default: "1", Min: 1, Max: 1e9, Does: "how many, one after the other"},
		{Name: "size", Type: Bytes, Default: "64MiB", Min: 1, Max: 1 << 40, Does: "bytes of each"},
		{Name: "chunk", Type: Bytes, Default: "32KiB", Min: 512, Max: 1 << 24, Does: "bytes that are read and sent at once"},
		{Name: "rate", Type: Bytes, Default: "0", Min: 0, Max: 1 << 40, Does: "limit in bytes per second, 0 for none"},
		{Name: "pause", Type: Duration, Default: "500ms", Min: 0, Max: day, Does: "time between two files"},
	},
	ports: func(v values) []port { return []port{ssh(v)} },
	start: func(s *site) {
		s.at(s.host("from")).Start(s.timing.From+50*ms, "scp", s.scp)
		s.serve(ssh(s.values), "sshd", s.sshd)
	},
}

const sshPort = 22

func ssh(v values) port {
	return port{host: v.host("to"), protocol: "tcp", number: sshPort, shared: true}
}

// sshd forks itself for every connection.
func (s *site) sshd(t *machine.Thread) {
	l := t.Listen(sshPort)
	for {
		c := t.Accept(l)
		t.Fork("sshd", func(t *machine.Thread) {
			startUp(t)
			send(t, c, 1100, answered) // keys are exchanged
			if _, ok := receive(t, c); !ok {
				t.CloseConn(c)
				return
			}
			t.Compute(2 * ms)
			send(t, c, 500, answered)
			unwritten := 0
			for {
				n := t.Receive(c, 0)
				if n == 0 {
					break
				}
				t.Compute(int64(n) / 2) // 2 GB/s
				if unwritten += n; unwritten >= 1<<20 {
					t.WriteDisk(unwritten)
					unwritten = 0
				}
			}
			if unwritten > 0 {
				t.WriteDisk(unwritten)
			}
			t.CloseConn(c)
		})
	}
}

// scp copies the files, each over a connection of its own.
func (s *site) scp(t *machine.Thread) {
	for range s.int("files") {
		if t.Now() >= s.timing.Until {
			return
		}
		t.Wait(t.Fork("ssh", s.copyFile))
		t.Sleep(s.duration("pause"))
	}
}

func (s *site) copyFile(t *machine.Thread) {
	startUp(t)
	c, err := t.Connect(s.host("to"), sshPort)
	if err != nil {
		return
	}
	receive(t, c)
	t.Compute(3 * ms)
	send(t, c, 1300, askWrite)
	receive(t, c)
	begin, sent, read := t.Now(), 0, 0
	for size := s.bytes("size"); sent < size && t.Now() < s.timing.Until; {
		n := min(s.bytes("chunk"), size-sent)
		if read -= n; read < 0 { // the kernel reads ahead
			t.ReadDisk(1 << 20)
			read += 1 << 20
		}
		t.Syscall("read", 2*us+int64(n)/8)
		t.Compute(int64(n) / 2)
		if !t.Send(c, n) {
			break
		}
		sent += n
		if rate := s.bytes("rate"); rate > 0 {
			if due := begin + int64(float64(sent)/float64(rate)*1e9); due > t.Now() {
				t.SleepUntil(due)
			}
		}
	}
	t.CloseConn(c)
}
