package archive

import "os"

// # To the disk as it comes
//
// Whoever extracts an archive makes the files durable once they are all there, in one call for the file system. If nothing of
// them were on its way by then, hundreds of megabytes would be written at that moment, and everything else that needs the
// disk would wait behind them: the catalogue, another upload, the browser on the same machine. So what is extracted is sent
// on its way in pieces. Nobody waits for it, and it promises nothing: what is durable is still said by who syncs.
//
// What we chose not to do: to sync each file when it is whole. That waits for the disk once for each, which among
// thousands of small ones is longer than the extraction takes.

const (
	pieceBytes = 4 << 20  // sent on their way together
	fewBytes   = 64 << 10 // the last of a file that are left to who syncs
)

// An outFile is a file that is extracted.
type outFile struct {
	*os.File
	waiting int // bytes written and not on their way yet
}

func (f *outFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if f.waiting += n; f.waiting >= pieceBytes {
		f.send()
	}
	return n, err
}

func (f *outFile) Close() error {
	if f.waiting >= fewBytes {
		f.send()
	}
	return f.File.Close()
}

func (f *outFile) send() {
	startWriting(f.File)
	f.waiting = 0
}
