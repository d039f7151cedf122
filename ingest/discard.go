package ingest

import (
	"cmp"
	"slices"
	"time"

	"synchroscope/catalog"
)

// A Discarded set was deleted and can be had back until a time.
type Discarded struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Deleted string `json:"deleted"` // RFC 3339
	Until   string `json:"until"`   // RFC 3339; it is removed soon after
}

// Discard deletes a set so that Recover can bring it back for Options.Grace: its work ends, it is shown nowhere, and its
// files stay. It is removed when that time is over, also by a start of the engine after it.
func (e *Engine) Discard(id string) error {
	s, err := e.withdraw(id)
	if err != nil {
		return err
	}
	defer e.changed.mark()
	if err := s.update(func(row *catalog.Set) { row.Deleted = time.Now().UTC() }); err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.sets[id] = s
		return err
	}
	s.close(errDeleted)
	s.changed.mark()
	row, err := e.catalog.Set(s.id) // also of a set that is not shown as it is there
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.discarded[id] = row
	return nil
}

// Recover brings a discarded set back as it was; an import that was under way goes on from its checkpoints. One that cannot be shown comes back as one that failed,
// as it does at a start. Where another set was given its name meanwhile, it gets a number behind it.
func (e *Engine) Recover(id string) (*Set, error) {
	e.mu.Lock()
	row, ok := e.discarded[id]
	closed := e.closed
	if !closed {
		delete(e.discarded, id)
	}
	e.mu.Unlock()
	switch {
	case !ok:
		return nil, faultf(NotFound, "no trace set %s was deleted lately; what is removed cannot be had back", id)
	case closed:
		return nil, errStopped
	}
	defer e.changed.mark()
	s := e.newSet(row)
	err := s.restore()
	if err != nil && !passes(err) {
		s.hide(err)
		err = nil
	}
	e.claiming.Lock()
	defer e.claiming.Unlock()
	if err == nil {
		name := e.free(row.Name, s)
		err = s.update(func(row *catalog.Set) { row.Name, row.Deleted = name, time.Time{} })
	}
	if err != nil { // it can be tried again
		s.cancel(err)
		e.mu.Lock()
		defer e.mu.Unlock()
		e.discarded[id] = row
		return nil, err
	}
	e.mu.Lock()
	if e.closed { // and no longer waits for sets that come now
		e.mu.Unlock()
		return nil, errStopped
	}
	s.recall()
	s.goOn()
	e.sets[id] = s
	e.mu.Unlock()
	return s, nil
}

// Discarded lists the sets that can be had back, those deleted last first.
func (e *Engine) Discarded() []Discarded {
	e.mu.Lock()
	rows := make([]catalog.Set, 0, len(e.discarded))
	for _, row := range e.discarded {
		rows = append(rows, row)
	}
	e.mu.Unlock()
	slices.SortFunc(rows, func(a, b catalog.Set) int { return cmp.Or(b.Deleted.Compare(a.Deleted), cmp.Compare(a.ID, b.ID)) })
	out := make([]Discarded, len(rows))
	for i, row := range rows {
		out[i] = Discarded{row.ID.String(), row.Name, row.Deleted.Format(time.RFC3339), row.Deleted.Add(e.o.Grace).Format(time.RFC3339)}
	}
	return out
}

// remove takes a discarded set off the disk; false if there is none of this id.
func (e *Engine) remove(id string) (bool, error) {
	e.mu.Lock()
	row, ok := e.discarded[id]
	delete(e.discarded, id)
	e.mu.Unlock()
	if !ok {
		return false, nil
	}
	defer e.changed.mark()
	if _, err := e.catalog.Move(row.ID, catalog.Deleting, nil); err != nil {
		return true, err
	}
	return true, e.erase(row.ID)
}
