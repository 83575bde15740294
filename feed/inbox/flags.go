package inbox

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// FlagInterval is how often to call [Maintenance.LowerFlags]. Flags fall after days.
const FlagInterval = 10 * time.Minute

// LowerFlags notes which flagged authors have few followers, and lowers the flags that may fall
// ([feed.Policy.LowersTo]).
func (m *Maintenance) LowerFlags(ctx context.Context) error {
	return m.lead(ctx, leadFlags, func(ctx context.Context) error {
		// The version of the anonymous viewer still has the time.
		current, err := m.Relations.ViewerVersion(ctx, 0)
		if err != nil {
			return err
		}
		for after := feed.UserID(0); ; {
			flagged, err := m.Flags.FlaggedAuthors(ctx, after, flagBatch)
			if err != nil || len(flagged) == 0 {
				return err
			}
			after = flagged[len(flagged)-1].Author
			if err := m.noteLow(ctx, flagged); err != nil {
				return err
			}
			for _, a := range flagged {
				if err := m.lowerFlag(ctx, a, current.Now); err != nil {
					return err
				}
			}
		}
	})
}

// flagBatch is the number of flagged authors in one read of some milliseconds.
const flagBatch = 1000

// noteLow writes only what has changed.
func (m *Maintenance) noteLow(ctx context.Context, flagged []feed.FlaggedAuthor) error {
	changed := map[bool][]feed.UserID{}
	for _, a := range flagged {
		if low := m.Policy.HasFewFollowers(a.Followers); low != (a.LowSince != 0) {
			changed[low] = append(changed[low], a.Author)
		}
	}
	for low, authors := range changed {
		if err := m.Flags.NoteLow(ctx, authors, low); err != nil {
			return err
		}
	}
	return nil
}

func (m *Maintenance) lowerFlag(ctx context.Context, a feed.FlaggedAuthor, now int64) error {
	if !m.Policy.HasFewFollowers(a.Followers) {
		a.LowSince = 0
	}
	to, lowers := m.Policy.LowersTo(a, now)
	if !lowers {
		return nil
	}
	lowered, err := m.Flags.LowerFlag(ctx, a.Author, to)
	if lowered && m.Trace.FlagLowered != nil {
		m.Trace.FlagLowered(a.Author, to)
	}
	return err
}
