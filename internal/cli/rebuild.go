package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// rebuildCommand rebuilds inboxes from the database while servers run.
type rebuildCommand struct {
	maintenanceSettings
	app.FanoutSettings
	User   string `placeholder:"ID" xor:"users" help:"Rebuild the inboxes of one user only."`
	Active bool   `xor:"users" help:"Build the inboxes of all active users that have none, such as after an import. Drops nothing."`
}

// rebuiltAtOnce is how many builds share statements and round trips. The database reads for as many
// as wait in one statement, of which it runs few at once.
const rebuiltAtOnce = 32

func (c *rebuildCommand) Run(ctx context.Context, o output) error {
	if err := cmp.Or(c.check("rebuild"), c.FanoutSettings.Check()); err != nil {
		return err
	}
	return c.withInboxes(ctx, o, "--user", c.User, func(store *sqlstore.Store, inboxes app.InboxStores, user feed.UserID) error {
		// A load that goes on begins again.
		if _, err := store.EndLoad(ctx, 0); err != nil {
			return err
		}
		home, replays := c.rebuilders(store, inboxes)
		if user != 0 {
			return rebuildOne(ctx, o, home, replays, user, c.User)
		}
		if c.Active {
			return errors.Join(buildActive(ctx, o, home, "inboxes"), buildActive(ctx, o, replays, "replay inboxes"))
		}
		// The database may be from a backup, and draw numbers of changes again.
		if err := store.NewEpoch(ctx); err != nil {
			return err
		}
		if err := c.lowerFlags(ctx, o, store); err != nil {
			return err
		}
		return errors.Join(rebuildAll(ctx, o, home, "inboxes"), rebuildAll(ctx, o, replays, "replay inboxes"))
	})
}

// lowerFlags lowers the coverage flags that have no reason any more. If any fell, the inboxes count
// as absent until each is rebuilt.
func (c *rebuildCommand) lowerFlags(ctx context.Context, o output, store *sqlstore.Store) error {
	p := feed.DefaultPolicy()
	if c.FanoutSettings.Apply(&p); p.Fanout == feed.FanoutPull {
		return nil
	}
	n, err := store.LowerFlags(ctx, p.KeepsFlagAbove())
	if n > 0 {
		_, _ = fmt.Fprintf(o.out, "%d authors are pushed to more followers from now on\n", n)
	}
	return err
}

// rebuilders returns the rebuilders of home and replay inboxes.
func (c *rebuildCommand) rebuilders(store *sqlstore.Store, inboxes app.InboxStores) (home, replays *inbox.Rebuilder) {
	p := feed.DefaultPolicy()
	p.InboxCap = c.InboxCap
	home = &inbox.Rebuilder{
		Builder: &inbox.Builder{
			Inboxes: inboxes.Home, Relations: store, Coverage: store, Activity: store, Posts: store, Clock: time.Now, Policy: p,
		},
		Walker: inboxes.Home, AtOnce: rebuiltAtOnce,
	}
	return home, &inbox.Rebuilder{
		Builder: app.ReplayBuilder(store, inboxes.Replays, time.Now, p), Walker: inboxes.Replays, AtOnce: rebuiltAtOnce,
	}
}

func rebuildOne(ctx context.Context, o output, home, replays *inbox.Rebuilder, user feed.UserID, name string) error {
	done, err := home.Rebuild(ctx, []feed.UserID{user})
	if err != nil {
		return err
	}
	if _, err := replays.Rebuild(ctx, []feed.UserID{user}); err != nil {
		return err
	}
	text := "rebuilt the inbox of user %s\n"
	if done.Removed > 0 {
		text = "dropped the inbox of user %s, who is inactive; their next visit rebuilds it\n"
	}
	_, err = fmt.Fprintf(o.out, text, name)
	return err
}

// buildActive builds missing inboxes of one kind and prints the number of active users.
func buildActive(ctx context.Context, o output, r *inbox.Rebuilder, kind string) error {
	began := time.Now()
	bar := newCount(o.err, "built", -1)
	done, err := r.Active(ctx, func(d inbox.Rebuilt) { _ = bar.Set(d.Built) })
	_ = bar.Finish()
	_, _ = fmt.Fprintf(o.out, "%d active users have %s, after %v\n", done.Built, kind, time.Since(began).Round(time.Millisecond))
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; reads build what is missing, and the same command continues")
	}
	return err
}

// rebuildAll rebuilds all inboxes of one kind and prints their number.
func rebuildAll(ctx context.Context, o output, r *inbox.Rebuilder, kind string) error {
	began := time.Now()
	bar := newCount(o.err, "rebuilt", -1)
	done, err := r.All(ctx, func(d inbox.Rebuilt) { _ = bar.Set(d.Built + d.Removed) })
	_ = bar.Finish()
	_, _ = fmt.Fprintf(o.out, "%d %s rebuilt, %d of inactive users dropped, in %v\n",
		done.Built, kind, done.Removed, time.Since(began).Round(time.Millisecond))
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; reads rebuild dropped inboxes, and the same command rebuilds all")
	}
	return err
}
