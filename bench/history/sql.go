package main

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"

	_ "modernc.org/sqlite" // registers "sqlite"

	"synchroscope/state/attribute"
	"synchroscope/state/history"
)

// A table keeps intervals in SQLite: in a plain table with an index, or with an
// R*Tree over attribute and time beside it. It is recorder and reader.
type table struct {
	*history.Memory // names only
	db              *sql.DB
	tx              *sql.Tx
	insert, box     *sql.Stmt
	rtree           bool
	state           []kept
	rows            int64
	end             int64
}

type kept struct {
	value history.Value
	since int64
}

func newTable(dir string, rtree bool) (*table, error) {
	db, err := sql.Open("sqlite", filepath.Join(dir, fmt.Sprintf("sqlite-%t.db", rtree)))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	t := &table{Memory: history.NewMemory(0), db: db, rtree: rtree}
	statements := []string{
		"pragma journal_mode = off", "pragma synchronous = off", "pragma cache_size = -65536",
		"create table iv (id integer primary key, q integer, s integer, e integer, kind integer, v integer)",
	}
	if rtree {
		statements = append(statements, "create virtual table box using rtree(id, q0, q1, s, e)")
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
	}
	return t, t.begin()
}

func (t *table) begin() (err error) {
	if t.tx, err = t.db.Begin(); err != nil {
		return err
	}
	if t.insert, err = t.tx.Prepare("insert into iv values (?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	if t.rtree {
		t.box, err = t.tx.Prepare("insert into box values (?, ?, ?, ?, ?)")
	}
	return err
}

func (t *table) Modify(at int64, q attribute.Quark, v history.Value) error {
	for len(t.state) <= int(q) {
		t.state = append(t.state, kept{})
	}
	s := &t.state[q]
	if s.value == v {
		return nil
	}
	err := t.store(q, s.since, at, s.value)
	s.value, s.since = v, at
	return err
}

func (t *table) Ongoing(q attribute.Quark) (history.Value, int64) {
	if int(q) >= len(t.state) {
		return history.Value{}, 0
	}
	return t.state[q].value, t.state[q].since
}

func (t *table) store(q attribute.Quark, s, e int64, v history.Value) error {
	if s == e {
		return nil
	}
	n, _ := v.Int()
	if text, ok := v.Text(); ok {
		n = int64(text)
	}
	t.rows++
	if _, err := t.insert.Exec(t.rows, int64(q), s, e, int64(v.Kind()), n); err != nil {
		return err
	}
	if t.rtree {
		// Coordinates are 32-bit floats: the module rounds outwards.
		if _, err := t.box.Exec(t.rows, int64(q), int64(q), s, e); err != nil {
			return err
		}
	}
	if t.rows%500_000 > 0 {
		return nil
	}
	if err := t.tx.Commit(); err != nil {
		return err
	}
	return t.begin()
}

func (t *table) Finish(end int64) error {
	for q, s := range t.state {
		if err := t.store(attribute.Quark(q), s.since, end, s.value); err != nil {
			return err
		}
	}
	t.end = end
	if err := t.tx.Commit(); err != nil {
		return err
	}
	if t.rtree {
		return nil
	}
	_, err := t.db.Exec("create index place on iv (q, e)")
	return err
}

func (t *table) Bounds() (start, end int64) { return 0, t.end }

// query yields the intervals of a statement's rows: q, s, e, kind, v.
func (t *table) query(ctx context.Context, yield func(history.Interval) bool, statement string, args ...any) error {
	rows, err := t.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var q, s, e, kind, v int64
		if err := rows.Scan(&q, &s, &e, &kind, &v); err != nil {
			return err
		}
		iv := history.Interval{Quark: attribute.Quark(q), Start: s, End: e}
		if history.Kind(kind) != history.KindNull {
			iv.Value = history.Int(v)
		}
		if !yield(iv) {
			break
		}
	}
	return rows.Err()
}

func (t *table) Point(ctx context.Context, q attribute.Quark, at int64) (found history.Interval, err error) {
	err = t.between(ctx, q, at, at+1, func(iv history.Interval) bool { found = iv; return false })
	return found, err
}

func (t *table) between(ctx context.Context, q attribute.Quark, begin, end int64, yield func(history.Interval) bool) error {
	if t.rtree {
		return t.query(ctx, yield, `select iv.q, iv.s, iv.e, kind, v from box join iv on iv.id = box.id
			where box.q0 <= ?1 and box.q1 >= ?1 and box.s < ?3 and box.e > ?2 and iv.s < ?3 and iv.e > ?2 order by iv.s`, int64(q), begin, end)
	}
	return t.query(ctx, yield, "select q, s, e, kind, v from iv where q = ? and e > ? and s < ? order by e", int64(q), begin, end)
}

func (t *table) Full(ctx context.Context, at int64, yield func(history.Interval) bool) error {
	if t.rtree {
		return t.query(ctx, yield, `select iv.q, iv.s, iv.e, kind, v from box join iv on iv.id = box.id
			where box.s <= ?1 and box.e >= ?1 and iv.s <= ?1 and iv.e > ?1`, at)
	}
	for q := range attribute.Quark(len(t.state)) {
		iv, err := t.Point(ctx, q, at)
		if err != nil {
			return err
		}
		if !yield(iv) {
			break
		}
	}
	return nil
}

func (t *table) Range(ctx context.Context, qs []attribute.Quark, begin, end int64, yield func(history.Interval) bool) error {
	for _, q := range qs {
		if err := t.between(ctx, q, begin, end, yield); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) Pixels(ctx context.Context, qs []attribute.Quark, edges []int64) ([][]history.Run, error) {
	return history.Reduce(ctx, t, qs, edges)
}

func (t *table) size() int64 {
	var pages, size int64
	row := t.db.QueryRow("select page_count, page_size from pragma_page_count, pragma_page_size")
	if err := row.Scan(&pages, &size); err != nil {
		return 0
	}
	return pages * size
}
