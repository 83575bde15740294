package examine

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Walk says how viewers are examined.
type Walk struct {
	// AtOnce is how many viewers are examined concurrently.
	AtOnce int
	// Pause, unless nil, is called before each further round, to give a healthy system time to
	// repair itself.
	Pause func(context.Context) error
}

// Rounds is the number of examinations of a viewer who stays suspicious.
const Rounds = 3

// Exam is what an examination of a viewer returns.
type Exam interface {
	// Suspicious reports whether something seems to be wrong.
	Suspicious() bool
}

// Examine calls look for each viewer, and again in further rounds for those whose exam is suspicious.
// It returns the last exams, in the order of viewers. The first error ends it.
//
// The system changes meanwhile: a post may be published after one read and pushed before the next. So
// look gets the exam before, nil in the first round, and keeps what both have ([Again]).
func Examine[E Exam](ctx context.Context, w Walk, viewers []feed.UserID, look func(ctx context.Context, viewer feed.UserID, before E) (E, error)) ([]E, error) {
	exams, suspects := make([]E, len(viewers)), make([]int, len(viewers))
	for i := range suspects {
		suspects[i] = i
	}
	for round := 0; round < Rounds && len(suspects) > 0; round++ {
		if round > 0 && w.Pause != nil {
			if err := w.Pause(ctx); err != nil {
				return nil, err
			}
		}
		err := w.each(ctx, suspects, func(ctx context.Context, i int) (err error) {
			if exams[i], err = look(ctx, viewers[i], exams[i]); err != nil {
				err = fmt.Errorf("examine user %d: %w", viewers[i], err)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		suspects = slices.DeleteFunc(suspects, func(i int) bool { return !exams[i].Suspicious() })
	}
	return exams, nil
}

// each calls do with each element of a list, concurrently, until one fails.
func (w Walk) each(ctx context.Context, list []int, do func(context.Context, int) error) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(w.AtOnce, 1))
	for _, i := range list {
		all.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return do(ctx, i)
		})
	}
	return all.Wait()
}

// Again removes the wrong findings that the examination before lacks. key identifies a finding.
func Again[L Line, K comparable](before, findings []L, key func(L) K) []L {
	made := make(map[K]bool, len(before))
	for _, f := range before {
		made[key(f)] = true
	}
	return slices.DeleteFunc(findings, func(f L) bool { return !f.Class().Normal && !made[key(f)] })
}
