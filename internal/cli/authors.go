package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// authorsCommand lists authors with a coverage flag.
type authorsCommand struct {
	app.DatabaseSettings
	Marked bool   `required:"" help:"List the authors with a coverage flag: since when, why, and their followers."`
	After  string `placeholder:"ID" help:"List the authors after this one."`
	Limit  int    `default:"1000" placeholder:"N" help:"List at most N authors (${default})."`
}

const limitMax = 1_000_000

func (c *authorsCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings); err != nil {
		return err
	}
	if err := app.InRange("--limit", c.Limit, 1, limitMax); err != nil {
		return err
	}
	if err := c.CheckExists("authors"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		after, err := findID(ctx, store, feed.UserIDs, "--after", "user", c.After)
		if err != nil {
			return err
		}
		flagged, err := store.FlaggedAuthors(ctx, feed.UserID(after), c.Limit)
		if err != nil {
			return err
		}
		var named feed.Named
		for _, a := range flagged {
			named.Users = append(named.Users, a.Author)
		}
		ids, err := read(ctx, store, named)
		if err != nil {
			return err
		}
		out := tabwriter.NewWriter(o.out, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(out, "author\tflag\tsince\treason\tfollowers\tfew followers since")
		for _, a := range flagged {
			_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%d\t%s\n",
				ids.User(a.Author), a.Flag, sinceText(a.Since), a.Reason, a.Followers, sinceText(a.LowSince))
		}
		return out.Flush()
	})
}

func sinceText(millis int64) string {
	if millis == 0 {
		return "-"
	}
	return timeText(millis)
}
