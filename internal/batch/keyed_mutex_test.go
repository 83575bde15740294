package batch

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
)

func TestKeyedMutex_LocksInOrderOfCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewKeyedMutex[string]()
		var order []int
		var all sync.WaitGroup
		err := m.Do(t.Context(), "post", func() error {
			for n := range 5 {
				all.Go(func() {
					if err := m.Do(t.Context(), "post", func() error { order = append(order, n); return nil }); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			return m.Do(t.Context(), "another", func() error { order = append(order, -1); return nil })
		})
		all.Wait()
		if err != nil || !slices.Equal(order, []int{-1, 0, 1, 2, 3, 4}) {
			t.Errorf("the order is %v (%v)", order, err)
		}
		if len(m.locks) > 0 {
			t.Errorf("unused locks remain: %v", m.locks)
		}
	})
}

func TestKeyedMutex_CanceledCallerBlocksNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewKeyedMutex[string]()
		ctx, cancel := context.WithCancel(t.Context())
		canceled, stays := make(chan error, 1), make(chan error, 1)
		lock := func() error { return m.Do(t.Context(), "post", func() error { return nil }) }
		err := m.Do(t.Context(), "post", func() error {
			go func() {
				canceled <- m.Do(ctx, "post", func() error { t.Error("a canceled caller runs"); return nil })
			}()
			synctest.Wait()
			go func() { stays <- lock() }()
			synctest.Wait()
			cancel()
			return <-canceled
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the canceled caller gets %v", err)
		}
		if err := <-stays; err != nil {
			t.Error(err)
		}
		if len(m.locks) > 0 {
			t.Errorf("unused locks remain: %v", m.locks)
		}
	})
}

func TestKeyedMutex_PanicUnlocks(t *testing.T) {
	m := NewKeyedMutex[string]()
	func() {
		defer func() { _ = recover() }()
		_ = m.Do(t.Context(), "post", func() error { panic("oh") })
	}()
	if err := m.Do(t.Context(), "post", func() error { return errAway }); !errors.Is(err, errAway) {
		t.Errorf("the next caller gets %v", err)
	}
}
