package sqlstore

import (
	"context"
	"database/sql"
	"slices"
)

// errandsMax is how many errands one trip takes, so that those who come first are not kept
// waiting by all who came with them.
const errandsMax = 32

// errands are short reads that pages are made of and that nobody shares. All that wait go on
// the next trip.
type errands struct {
	lanes   *lanes
	waiting []ride
}

// errand is a statement for one reader.
type errand[T any] struct {
	passenger
	text  string
	args  []any
	scan  func(scanner) (T, error)
	found []T
}

// fetch runs a short read on the lanes and scans every row with scan, which is called on
// another goroutine. Where there are no lanes for errands it is a read like any other.
func fetch[T any](ctx context.Context, s *Store, text string, args []any, scan func(scanner) (T, error)) ([]T, error) {
	es := s.gathered.errands
	if es == nil {
		return query(ctx, s, text, args, func(rows *sql.Rows) (T, error) { return scan(rows) })
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	e := &errand[T]{passenger: newPassenger(ctx), text: text, args: args, scan: scan}
	es.join(e)
	err := es.lanes.await(ctx, es, e)
	if err == nil {
		return e.found, nil
	}
	if !blameless(ctx, err) {
		return nil, err
	}
	alone := &errand[T]{passenger: newPassenger(ctx), text: text, args: args, scan: scan}
	es.lanes.ride(ctx, []ride{alone})
	return alone.found, alone.err
}

// join has an errand wait for the next trip, and begins one when it may.
func (es *errands) join(r ride) {
	es.lanes.mu.Lock()
	defer es.lanes.mu.Unlock()
	r.boarded().readers = 1
	es.waiting = append(es.waiting, r)
	es.lanes.wake()
}

// next implements [queue].
func (es *errands) next(rides []ride) []ride {
	n := min(len(es.waiting), errandsMax)
	rides = append(rides, es.waiting[:n]...)
	es.waiting = slices.Delete(es.waiting, 0, n)
	return rides
}

// drop implements [queue].
func (es *errands) drop(dropped ride) {
	es.waiting = slices.DeleteFunc(es.waiting, func(r ride) bool { return r == dropped })
}

// begin implements [ride].
func (e *errand[T]) begin() *statement {
	return &statement{ctx: e.ctx, text: e.text, args: e.args, row: func(row scanner) error {
		v, err := e.scan(row)
		e.found = append(e.found, v)
		return err
	}}
}

// end implements [ride].
func (e *errand[T]) end(err error) {
	if err != nil {
		e.found = nil
	}
	e.arrive(err)
}
