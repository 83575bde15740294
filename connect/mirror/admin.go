package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// statusWait bounds a look at the state of the slot.
const statusWait = 5 * time.Second

// SlotState returns the state of the slot.
func (s *Source) SlotState(ctx context.Context) (Slot, error) {
	return withSource(ctx, s, func(ctx context.Context, conn *pgx.Conn) (Slot, error) { return readSlot(ctx, conn, s.Slot) })
}

// DropSlot drops the slot, so that the source keeps no log for it. The mirror then needs a snapshot.
func (s *Source) DropSlot(ctx context.Context) error {
	_, err := withSource(ctx, s, func(ctx context.Context, conn *pgx.Conn) (any, error) { return nil, dropSlot(ctx, conn, s.Slot) })
	return err
}

// Drop removes the slot and the publication from the source. It fails while a mirror reads the slot.
func (s *Source) Drop(ctx context.Context) error {
	_, err := withSource(ctx, s, func(ctx context.Context, conn *pgx.Conn) (any, error) {
		if slot, err := readSlot(ctx, conn, s.Slot); err != nil || slot.Active {
			return nil, cmp.Or(err, fmt.Errorf("a process reads the slot %s; stop tideline mirror run first", s.Slot))
		}
		return nil, errors.Join(dropSlot(ctx, conn, s.Slot), dropPublication(ctx, conn, s.Publication))
	})
	return err
}

func withSource[T any](ctx context.Context, s *Source, do func(context.Context, *pgx.Conn) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, statusWait)
	defer cancel()
	conn, err := Connect(ctx, s.URL)
	if err != nil {
		var zero T
		return zero, failed("connect to the source", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	return do(ctx, conn)
}
