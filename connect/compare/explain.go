package compare

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// explain sets the reasons of objects that differ on purpose: their record, or a later one, is a
// dead letter, or an account was deleted.
func (c *Comparison) explain(ctx context.Context, list []*unequal) error {
	by := map[feed.Object]*unequal{}
	byName := map[string]*unequal{}
	for _, u := range list {
		by[u.object], byName[u.object.String()] = u, u
	}
	users := byUsers(list)
	q := feed.KeptQuery{Source: c.Name, Users: slices.Collect(maps.Keys(users))}
	for {
		kept, err := c.Stored.Kept(ctx, q)
		if err != nil {
			return err
		}
		for _, id := range kept.Deleted {
			for _, u := range users[id] {
				u.because("an account was deleted here")
			}
		}
		if len(kept.Letters) == 0 {
			return nil
		}
		if err := c.explainByLetters(ctx, kept.Letters, by, byName); err != nil {
			return err
		}
		q.Users, q.After = nil, kept.Letters[len(kept.Letters)-1].ID
	}
}

// byUsers returns the objects that need each user.
func byUsers(list []*unequal) map[feed.UserID][]*unequal {
	users := map[feed.UserID][]*unequal{}
	for _, u := range list {
		for _, e := range []*entry{u.theirs, u.ours} {
			if e == nil {
				continue
			}
			for _, id := range usersOf(&e.record) {
				if id > 0 {
					users[id] = append(users[id], u)
				}
			}
		}
	}
	return users
}

// because sets a reason, unless there is one.
func (u *unequal) because(format string, args ...any) {
	if u.reason == "" {
		u.reason = fmt.Sprintf(format, args...)
	}
}

func (c *Comparison) explainByLetters(ctx context.Context, letters []feed.DeadLetter, by map[feed.Object]*unequal, byName map[string]*unequal) error {
	var nameless []entry
	var from []*feed.DeadLetter
	for i := range letters {
		l := &letters[i]
		if u := byName[l.Object]; u != nil {
			u.because("dead letter %d: %s", l.ID, l.Reason)
		}
		if l.Object != "" {
			continue
		}
		for _, key := range c.Source.Keys(l.Text) {
			nameless = append(nameless, entry{record: c.decodeKey(key)})
			from = append(from, l)
		}
	}
	if err := c.number(ctx, nameless); err != nil {
		return err
	}
	for i := range nameless {
		if u := by[nameless[i].record.Object()]; u != nil {
			u.because("dead letter %d: %s", from[i].ID, from[i].Reason)
		}
	}
	return nil
}
