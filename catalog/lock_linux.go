package catalog

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps other processes out of a folder until it is called back, or the process ends. It leaves nothing in the folder.
func lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == syscall.EWOULDBLOCK {
		err = fmt.Errorf("%s is in use: %w", dir, errInUse)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}
