package feed

import (
	"context"
	"math"
)

// FlagReason says why a coverage flag was raised. The numbers are stored.
type FlagReason int

// The reasons. FlagUnknown is that of flags raised by programs that stored no reasons.
const (
	FlagUnknown FlagReason = 0
	// FlagThreshold: the author had more followers than the push threshold.
	FlagThreshold FlagReason = 1
	// FlagMode: the mode was [FanoutPull].
	FlagMode FlagReason = 2
	// FlagBacklog: more than BacklogMax slices were waiting.
	FlagBacklog FlagReason = 3
)

// String returns a word for operators and metrics.
func (r FlagReason) String() string {
	switch r {
	case FlagThreshold:
		return "threshold"
	case FlagMode:
		return "mode"
	case FlagBacklog:
		return "backlog"
	}
	return "unknown"
}

// FlaggedAuthor is an author with a coverage flag. Times are on the store's clock.
type FlaggedAuthor struct {
	Author UserID
	Flag   CoverageFlag
	Reason FlagReason
	// Since is when the flag was raised; 0 if that was not stored.
	Since int64
	// LowSince is since when [Flags.NoteLow] has found few followers; 0 if it last found many.
	LowSince  int64
	Followers int64
}

// FlagCount counts authors with the same flag and reason. Since is when the first was raised.
type FlagCount struct {
	Flag    CoverageFlag
	Reason  FlagReason
	Authors int64
	Since   int64
}

// Flags lowers coverage flags. An inbox without posts that a fan-out has left out must not cover
// their author, so a flag falls only together with all coverage of the author.
type Flags interface {
	// FlaggedAuthors returns up to limit authors with a flag and ids above after, ascending.
	FlaggedAuthors(ctx context.Context, after UserID, limit int) ([]FlaggedAuthor, error)
	// NoteLow records that the authors have few followers from now on, unless it is recorded, or
	// that they have many.
	NoteLow(ctx context.Context, authors []UserID, low bool) error
	// LowerFlag lowers the author's flag to f. In the same transaction it gives the edge of every
	// follower a new version, and raises the version of the follower, as if all of them had
	// followed again. So no inbox covers the author until it has read their outbox. For live
	// feeds the follows stay as old as they are. It returns false and changes nothing if the flag
	// is as low already, or if the author is not stored. The reason of a flag that stays raised
	// becomes [FlagThreshold].
	LowerFlag(ctx context.Context, author UserID, f CoverageFlag) (bool, error)
	// LowerFlags lowers the flags of all authors, to [FlagSelective] if they have more than
	// threshold followers and to [FlagNone] otherwise, and returns how many fell. If any did, it
	// raises the generation in the same transaction, so that no inbox relies on them.
	LowerFlags(ctx context.Context, threshold int64) (int, error)
	// CountFlags counts the authors with a flag.
	CountFlags(ctx context.Context) ([]FlagCount, error)
}

// LowerMax is the followers from which on only [Flags.LowerFlags] lowers a flag. LowerFlag holds the
// rows of all followers: 20,000 take half a second.
const LowerMax = 20_000

// HasFewFollowers reports whether n is below 80 % of the push threshold. The margin keeps flags from
// falling and rising with every follower.
func (p *Policy) HasFewFollowers(n int64) bool { return 5*n < 4*int64(p.PushThreshold) }

// KeepsFlagAbove returns the number of followers above which an author keeps [FlagSelective].
func (p *Policy) KeepsFlagAbove() int64 {
	if p.Fanout == FanoutHybrid {
		return int64(p.PushThreshold)
	}
	return math.MaxInt64
}

// LowersTo returns the flag that [Flags.LowerFlag] may give the author at now, on the store's clock;
// false if the flag must stay. A flag falls if the author has had few followers for FlagsKept, or if
// the mode no longer gives it. In pull mode the next post would raise it again.
func (p *Policy) LowersTo(a FlaggedAuthor, now int64) (CoverageFlag, bool) {
	if p.Fanout == FanoutPull || a.Followers >= LowerMax {
		return a.Flag, false
	}
	low := a.LowSince != 0 && now-a.LowSince >= p.FlagsKept.Milliseconds()
	changed := a.Reason == FlagMode || a.Reason == FlagThreshold && p.Fanout == FanoutPush
	to := FlagNone
	if a.Followers > p.KeepsFlagAbove() {
		to = FlagSelective
	}
	return to, to < a.Flag && (low || changed)
}
