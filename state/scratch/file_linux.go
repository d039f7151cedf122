package scratch

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// A file has no name, so nothing is left of it however the process ends.
type file struct {
	f       *os.File
	size    int64
	regions [][]byte // all of it
}

func create(dir string) (*file, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err == nil {
		return &file{f: os.NewFile(uintptr(fd), dir)}, nil
	}
	f, err := os.CreateTemp(dir, ".scratch-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return &file{f: f}, nil
}

// leave is what is left free of a disk, for what is to stay there.
const leave = 64 << 20

// extend maps so many more bytes, whole pages. The disk has room for them from now on, so that to write them cannot fail for want of it.
func (f *file) extend(bytes int) ([]byte, error) {
	var disk unix.Statfs_t
	if err := unix.Fstatfs(int(f.f.Fd()), &disk); err == nil && int64(disk.Bavail)*disk.Bsize < int64(bytes)+leave {
		return nil, unix.ENOSPC
	}
	if err := unix.Fallocate(int(f.f.Fd()), 0, f.size, int64(bytes)); err != nil {
		return nil, err
	}
	b, err := unix.Mmap(int(f.f.Fd()), f.size, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	f.size += int64(bytes)
	f.regions = append(f.regions, b)
	return b, nil
}

// letGo takes all of the file out of the process's memory; the next use brings it back, off the disk if need be.
func (f *file) letGo() {
	for _, r := range f.regions {
		_ = unix.Madvise(r, unix.MADV_DONTNEED) // what cannot be let go stays
	}
}

// close ends the file. No part of it may be used any more.
func (f *file) close() {
	for _, r := range f.regions {
		_ = unix.Munmap(r)
	}
	f.f.Close()
}

func soFar() spent {
	s := spent{at: time.Now()}
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) == nil {
		s.cpu, s.pages = time.Duration(u.Utime.Nano()+u.Stime.Nano()), int64(u.Minflt+u.Majflt)
	}
	return s
}
