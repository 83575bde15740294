package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/explain"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
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
		x := newExplainer(store, inboxes.Home)
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
			named.Posts = append(named.Posts, feed.PostID(e.Key.ID), e.Original)
		}
		ids, err := read(ctx, store, named)
		if err != nil {
			return err
		}
		return c.print(o.out, jsonOfInbox(viewer, &in, ids), func(out io.Writer) { printInbox(out, viewer, &in, ids) })
	})
}

func (c *inboxCommand) explain(ctx context.Context, o output, store *sqlstore.Store, x *explain.Explainer, viewer feed.UserID, post feed.PostID) error {
	e, err := x.Explain(ctx, viewer, post, feed.Filter{})
	if err != nil {
		return err
	}
	ids, err := read(ctx, store, feed.Named{Users: []feed.UserID{viewer, e.Author}, Posts: []feed.PostID{post, e.Original}})
	if err != nil {
		return err
	}
	return c.print(o.out, jsonOfExplanation(e, ids), func(out io.Writer) { printExplanation(out, e, ids) })
}

// newExplainer returns an explainer that bypasses all caches.
func newExplainer(store *sqlstore.Store, inboxes feed.Inboxes) *explain.Explainer {
	return &explain.Explainer{
		Viewers:  &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: store, Posts: store, Primary: store},
		Progress: store, Fanouts: store,
	}
}

// print prints JSON or, for people, words.
func (c *inboxCommand) print(w io.Writer, v any, words func(io.Writer)) error {
	if c.JSON {
		return printJSON(w, v)
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	words(out)
	return out.Flush()
}

func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func printExplanation(out io.Writer, e explain.Explanation, ids feed.PublicIDs) {
	format := "post %s is not in the home feed of user %s: %s\n"
	switch {
	case e.Shown:
		format = "post %s is in the home feed of user %s: %s\n"
	case e.InFeed:
		format = "post %s is in the home feed of user %s, but not shown yet: %s\n"
	}
	_, _ = fmt.Fprintf(out, format, ids.Post(e.Post), ids.User(e.Viewer), e.Words(ids.Post))
	if e.Author != 0 {
		_, _ = fmt.Fprintf(out, "  published %s by user %s\n", timeText(e.Key.TS), ids.User(e.Author))
	}
	if e.PushedAt != 0 {
		_, _ = fmt.Fprintf(out, "  pushed %s, %d ms after its publish time\n", timeText(e.PushedAt), e.PushedAt-e.Key.TS)
	}
	if e.HasEntry && !e.InFeed {
		_, _ = fmt.Fprintln(out, "  the inbox has it, and reads leave it out")
	}
	in := explain.Inbox{Inbox: e.Inbox, Version: e.Version}
	if e.InboxDown {
		_, _ = fmt.Fprintln(out, "  inbox: cannot be reached")
		return
	}
	_, _ = fmt.Fprintf(out, "  inbox: %s\n", in.Words())
}

func printInbox(out io.Writer, viewer feed.UserID, in *explain.Inbox, ids feed.PublicIDs) {
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
		switch {
		case e.Original != 0:
			shown = fmt.Sprintf("left out, reposts post %s: %s", ids.Post(e.Original), explain.Reason(e.Hidden).Words())
		case e.Hidden != feed.Visible:
			shown = "left out: " + explain.Reason(e.Hidden).Words()
		}
		_, _ = fmt.Fprintf(out, "  %s\tpost %s\tby user %s\t%s\n", timeText(e.Key.TS), ids.Post(feed.PostID(e.Key.ID)), ids.User(e.Author), shown)
	}
	if more := in.Count - len(in.Entries); more > 0 {
		_, _ = fmt.Fprintf(out, "  and %d older entries\n", more)
	}
}

// The output as JSON. Ids are strings, as in the API.
type (
	jsonExplanation struct {
		User        string         `json:"user"`
		Content     string         `json:"content"`
		InFeed      bool           `json:"inFeed"`
		Shown       bool           `json:"shown"`
		Reason      explain.Reason `json:"reason"`
		Words       string         `json:"words"`
		Original    string         `json:"original,omitempty"`
		Author      string         `json:"author,omitempty"`
		PublishedAt int64          `json:"publishedAt,omitempty"`
		PushedAt    int64          `json:"pushedAt,omitempty"`
		HasEntry    bool           `json:"hasEntry"`
		Inbox       string         `json:"inbox"`
	}
	jsonInbox struct {
		User            string      `json:"user"`
		State           string      `json:"state"`
		Count           int         `json:"count"`
		FloorAt         int64       `json:"floorAt,omitempty"`
		Floor           string      `json:"floor,omitempty"`
		WarmUntil       int64       `json:"warmUntil,omitempty"`
		Version         int64       `json:"version"`
		DatabaseVersion int64       `json:"databaseVersion"`
		Generation      int64       `json:"generation"`
		Entries         []jsonEntry `json:"entries"`
	}
	jsonEntry struct {
		Content     string      `json:"content"`
		PublishedAt int64       `json:"publishedAt"`
		Author      string      `json:"author,omitempty"`
		Hidden      feed.Hidden `json:"hidden,omitempty"`
		Original    string      `json:"original,omitempty"`
	}
)

func jsonOfExplanation(e explain.Explanation, ids feed.PublicIDs) jsonExplanation {
	in := explain.Inbox{Inbox: e.Inbox, Version: e.Version}
	out := jsonExplanation{
		User: idText(ids.User(e.Viewer)), Content: idText(ids.Post(e.Post)), InFeed: e.InFeed, Shown: e.Shown, Reason: e.Reason, Words: e.Words(ids.Post),
		Original: idText(ids.Post(e.Original)), Author: idText(ids.User(e.Author)), PublishedAt: e.Key.TS, PushedAt: e.PushedAt,
		HasEntry: e.HasEntry, Inbox: in.Words(),
	}
	if e.InboxDown {
		out.Inbox = "cannot be reached"
	}
	return out
}

func jsonOfInbox(viewer feed.UserID, in *explain.Inbox, ids feed.PublicIDs) jsonInbox {
	out := jsonInbox{
		User: idText(ids.User(viewer)), State: in.Words(), Count: in.Count, FloorAt: in.Floor.TS, Floor: idText(ids.Post(feed.PostID(in.Floor.ID))),
		WarmUntil: in.WarmUntil, Version: in.Inbox.Version, DatabaseVersion: in.Version.Version, Generation: in.Generation,
		Entries: []jsonEntry{},
	}
	for _, e := range in.Entries {
		out.Entries = append(out.Entries, jsonEntry{
			Content: idText(ids.Post(feed.PostID(e.Key.ID))), PublishedAt: e.Key.TS, Author: idText(ids.User(e.Author)), Hidden: e.Hidden, Original: idText(ids.Post(e.Original)),
		})
	}
	return out
}
