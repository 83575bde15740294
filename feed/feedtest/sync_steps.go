package feedtest

import (
	"context"

	"pgregory.net/rapid"
)

// interrupt runs a step, and another one before one of its calls. All processes may see the other
// step at once, by settle.
func (s *Service) interrupt(t *rapid.T, do, other, settle step) {
	seen := rapid.Bool().Draw(t, "seen at once")
	cancel := s.At(rapid.IntRange(0, 8).Draw(t, "before call"), func() {
		other(t)
		if seen {
			settle(t)
		}
	})
	do(t)
	cancel()
}

// numberAll numbers all changes.
func (s *Service) numberAll(ctx context.Context) error {
	for {
		more, _, err := s.Numberer.NumberChanges(ctx, many)
		if err != nil || !more {
			return err
		}
	}
}

// numberSome numbers a few changes.
func (s *Service) numberSome(ctx context.Context, t *rapid.T) error {
	_, _, err := s.Numberer.NumberChanges(ctx, rapid.IntRange(1, 9).Draw(t, "changes to number"))
	return err
}

// endTokens seldom makes tokens invalid.
func (s *Service) endTokens(ctx context.Context, t *rapid.T) error {
	switch drawn(t, "log", []string{"goes on", "goes on", "goes on", "goes on", "goes on", "goes on", "is trimmed", "is restored"}) {
	case "is trimmed":
		_, err := s.Numberer.TrimChanges(ctx, s.Clock.Millis()+1, rapid.IntRange(1, 9).Draw(t, "changes to trim"))
		return err
	case "is restored":
		return s.Numberer.NewEpoch(ctx)
	}
	return nil
}
