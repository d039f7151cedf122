package historytest

import "math/rand/v2"

// A Disk is a history file of which a crash takes what was not synced, or any part of that. The zero value is empty. Nobody may write
// to it, or sync it, beside another.
type Disk struct {
	Memory
	durable []byte
}

// sector is how many bytes are written as one, or not at all.
const sector = 512

// Sync makes what the file holds outlast a crash.
func (d *Disk) Sync() error {
	d.durable = d.Memory.Clone().B
	return nil
}

// Crash is what is left of the file: each sector is as it is now or as it was when it was synced last, and so is the length, or between them.
// That is durable then.
func (d *Disk) Crash(chance *rand.Rand) *Disk {
	least, most := min(len(d.durable), len(d.B)), max(len(d.durable), len(d.B))
	left := new(Disk)
	left.B = make([]byte, least+chance.IntN(most-least+1))
	for at := 0; at < len(left.B); at += sector {
		from := d.B
		if chance.IntN(2) == 0 {
			from = d.durable
		}
		copy(left.B[at:min(at+sector, len(left.B))], from[min(at, len(from)):])
	}
	left.durable = left.Memory.Clone().B
	return left
}
