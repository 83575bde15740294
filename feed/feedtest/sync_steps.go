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

// killed ends a step by a panic.
type killed struct{}

// kill runs a step of a process that may be killed before one of its calls.
func (s *Service) kill(t *rapid.T, do step) {
	cancel := s.At(rapid.IntRange(0, 8).Draw(t, "killed before call"), func() { panic(killed{}) })
	defer func() {
		cancel()
		if why := recover(); why != nil && why != any(killed{}) {
			panic(why)
		}
	}()
	do(t)
}

// commitLate makes a change whose transaction commits after another step.
func (s *Service) commitLate(t *rapid.T, change, meanwhile step) {
	var failed any
	before := s.Backend.BeforeCommit
	if before == nil {
		before = s.beforeTransition
	}
	cancel := before(func() {
		// A panic would leave the transaction open, and block the next histories.
		defer func() { failed = recover() }()
		meanwhile(t)
	})
	change(t)
	cancel()
	if failed != nil {
		panic(failed)
	}
}

// beforeTransition takes the place of [Backend.BeforeCommit] where transactions cannot be held open.
func (s *Service) beforeTransition(do func()) (cancel func()) {
	s.Live.late = do
	return func() { s.Live.late = nil }
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
		return errorOf(s.Numberer.TrimChanges(ctx, s.Clock.Millis()+1, rapid.IntRange(1, 9).Draw(t, "changes to trim")))
	case "is restored":
		return s.Numberer.NewEpoch(ctx)
	}
	return nil
}
