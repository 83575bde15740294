package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// inboxCommand prints an inbox, or explains one post of a home feed, without changing anything.
type inboxCommand struct {
	maintenanceSettings
	User  string `arg:"" placeholder:"USER" help:"Id of the user."`
	Why   string `placeholder:"POST" help:"Print why this post is, or is not, in the user's home feed."`
	Limit int    `default:"20" placeholder:"N" help:"Print the newest N entries (${default})."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// entriesMax is beyond the cap of inboxes.
const entriesMax = 100_000

// Run prints the inbox or the explanation.
func (c *inboxCommand) Run(ctx context.Context, o output) error {
	if err := c.check("inbox"); err != nil {
		return err
	}
	if c.User == "" {
		return app.BadSetting("inbox needs the id of a user")
	}
	if err := app.InRange("--limit", c.Limit, 1, entriesMax); err != nil {
		return err
	}
	return c.withInboxes(ctx, o, "inbox", c.User, func(store *sqlstore.Store, inboxes app.InboxStores, viewer feed.UserID) error {
		post, err := findID(ctx, store, feed.PostIDs, "--why", "post", c.Why)
		if err != nil {
			return err
		}
		x := newExaminer(store, inboxes.Home)
		if post != 0 {
			return c.explain(ctx, o, store, x, viewer, feed.PostID(post))
		}
		in, err := x.Inbox(ctx, viewer, c.Limit)
		if err != nil {
			return err
		}
		named := feed.Named{Users: []feed.UserID{viewer}, Posts: []feed.PostID{feed.PostID(in.Floor.ID)}}
		for _, e := range in.Entries {
			named.Users = append(named.Users, e.Author)
			named.Posts = append(named.Posts, e.Post, e.Original)
		}
		ids, err := read(ctx, store, named)
		if err != nil {
			return err
		}
		return o.print(c.JSON, jsonOfInbox(viewer, &in, ids), func(out io.Writer) { printInbox(out, viewer, &in, ids) })
	})
}

func (c *inboxCommand) explain(ctx context.Context, o output, store *sqlstore.Store, x *examine.Examiner, viewer feed.UserID, post feed.PostID) error {
	e, err := x.Why(ctx, viewer, post)
	if err != nil {
		return err
	}
	ids, err := read(ctx, store, feed.Named{Users: []feed.UserID{viewer, e.Author}, Posts: []feed.PostID{post, e.Original}})
	if err != nil {
		return err
	}
	j := jsonOfExplanation(e, ids)
	return o.print(c.JSON, j, j.print)
}

func (e *jsonExplanation) print(out io.Writer) {
	format := "post %s is not in the home feed of user %s: %s\n"
	switch {
	case e.Shown:
		format = "post %s is in the home feed of user %s: %s\n"
	case e.InFeed:
		format = "post %s is in the home feed of user %s, but not shown yet: %s\n"
	}
	_, _ = fmt.Fprintf(out, format, e.Content, e.User, e.Words)
	if e.Author.Number != 0 {
		_, _ = fmt.Fprintf(out, "  published %s by user %s\n", timeText(e.PublishedAt), e.Author)
	}
	if e.PushedAt != 0 {
		_, _ = fmt.Fprintf(out, "  pushed %s, %d ms after its publish time\n", timeText(e.PushedAt), e.PushedAt-e.PublishedAt)
	}
	if e.HasEntry && !e.InFeed {
		_, _ = fmt.Fprintln(out, "  the inbox has it, and reads leave it out")
	}
	_, _ = fmt.Fprintf(out, "  inbox: %s\n", e.Inbox)
}

func printInbox(out io.Writer, viewer feed.UserID, in *examine.Inbox, ids feed.PublicIDs) {
	_, _ = fmt.Fprintf(out, "the inbox of user %s is %s\n", ids.User(viewer), in.Words())
	if in.State == feed.InboxAbsent {
		return
	}
	floor := "the whole feed"
	if in.Floor != feed.Bottom {
		floor = fmt.Sprintf("newer than post %s of %s", ids.Post(feed.PostID(in.Floor.ID)), timeText(in.Floor.TS))
	}
	_, _ = fmt.Fprintf(out, "  entries:\t%d\n  complete for:\t%s\n", in.Count, floor)
	if in.WarmUntil > 0 {
		_, _ = fmt.Fprintf(out, "  warm until:\t%s\n", timeText(in.WarmUntil))
	}
	_, _ = fmt.Fprintf(out, "  relations:\tversion %d, the database has %d\n  generation:\t%d\n",
		in.Inbox.Version, in.Version.Version, in.Generation)
	for _, e := range in.Entries {
		shown := "shown"
		if !e.InFeed {
			shown = "left out: " + e.Words(ids.Post)
		}
		_, _ = fmt.Fprintf(out, "  %s\tpost %s\tby user %s\t%s\n", timeText(e.Key.TS), ids.Post(e.Post), ids.User(e.Author), shown)
	}
	if more := in.Count - len(in.Entries); more > 0 {
		_, _ = fmt.Fprintf(out, "  and %d older entries\n", more)
	}
}

// The output as JSON. Ids are strings, as in the API.
type (
	jsonExplanation struct {
		User        feed.PublicID  `json:"user"`
		Content     feed.PublicID  `json:"content"`
		InFeed      bool           `json:"inFeed"`
		Shown       bool           `json:"shown"`
		Reason      examine.Reason `json:"reason"`
		Words       string         `json:"words"`
		Original    feed.PublicID  `json:"original,omitzero"`
		Author      feed.PublicID  `json:"author,omitzero"`
		PublishedAt int64          `json:"publishedAt,omitempty"`
		PushedAt    int64          `json:"pushedAt,omitempty"`
		HasEntry    bool           `json:"hasEntry"`
		Inbox       string         `json:"inbox"`
	}
	jsonInbox struct {
		User            feed.PublicID `json:"user"`
		State           string        `json:"state"`
		Count           int           `json:"count"`
		FloorAt         int64         `json:"floorAt,omitempty"`
		Floor           feed.PublicID `json:"floor,omitzero"`
		WarmUntil       int64         `json:"warmUntil,omitempty"`
		Version         int64         `json:"version"`
		DatabaseVersion int64         `json:"databaseVersion"`
		Generation      int64         `json:"generation"`
		Entries         []jsonEntry   `json:"entries"`
	}
	jsonEntry struct {
		Content     feed.PublicID  `json:"content"`
		PublishedAt int64          `json:"publishedAt"`
		Author      feed.PublicID  `json:"author,omitzero"`
		Hidden      examine.Reason `json:"hidden,omitempty"`
		Original    feed.PublicID  `json:"original,omitzero"`
	}
)

func jsonOfExplanation(e *examine.Explanation, ids feed.PublicIDs) *jsonExplanation {
	in := examine.Inbox{Inbox: e.Inbox, Version: e.Version}
	out := &jsonExplanation{
		User: ids.User(e.Viewer), Content: ids.Post(e.Post), InFeed: e.InFeed, Shown: e.Shown, Reason: e.Reason, Words: e.Words(ids.Post),
		Original: ids.Post(e.Original), Author: ids.User(e.Author), PublishedAt: e.Key.TS, PushedAt: e.PushedAt,
		HasEntry: e.HasEntry, Inbox: in.Words(),
	}
	if e.InboxDown {
		out.Inbox = "cannot be reached"
	}
	return out
}

func jsonOfInbox(viewer feed.UserID, in *examine.Inbox, ids feed.PublicIDs) jsonInbox {
	out := jsonInbox{
		User: ids.User(viewer), State: in.Words(), Count: in.Count, FloorAt: in.Floor.TS, Floor: ids.Post(feed.PostID(in.Floor.ID)),
		WarmUntil: in.WarmUntil, Version: in.Inbox.Version, DatabaseVersion: in.Version.Version, Generation: in.Generation,
		Entries: []jsonEntry{},
	}
	for _, e := range in.Entries {
		out.Entries = append(out.Entries, jsonEntry{
			Content: ids.Post(e.Post), PublishedAt: e.Key.TS, Author: ids.User(e.Author), Hidden: e.Reason, Original: ids.Post(e.Original),
		})
	}
	return out
}
