package feedtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// Scenarios runs every script, a file *.feed in dir, in the given fan-out modes. Without modes it
// uses all. open opens a new, empty backend for each script and policy, and closes it through
// t.Cleanup.
//
// A script checks one promise. It has one command per line, and comments from # to the end of the
// line. The first mention of a user creates them; anonymous is the viewer who has not signed in. The
// names of posts exist only in the script. No task runs by itself.
//
// What users and moderators do and see goes through a [Client]: here [Service.Cores], in
// [ScenariosOf] any. All else acts on the service itself: imports, absence, ids, live sessions, work,
// and the expectations of sources and inboxes.
//
// Changes:
//
//	follow ann star, unfollow ann star
//	accept star ann, reject star ann, remove star ann     ann's request to follow, or follow
//	mute ann star, hide …, block …          unmute, unhide, unblock end it
//	post star p1 [at TIME] [id=42] [audience=FOLLOWERS]   published now, or back-dated to TIME
//	comment ann c1 on p1 [at TIME] [id=43]
//	repost ann r1 of p1 [at TIME] [id=44]
//	import star p1 [at TIME] [id=45]        a post imported, without an event
//	edit star p1 "text", delete star p1
//	audience star p1 FOLLOWERS              edited to be for followers; or PUBLIC
//	private star, public star               star's account
//	like ann p1, favorite …                 unlike, unfavorite take it back
//	take down p1, suspend star              restore p1, restore star end it
//	absent star, present star               the system that owns users takes one back, and returns them
//
//	schedule star s1 at TIME [id=46], reschedule star s1 at TIME
//	start star s1, end star s1, cancel star s1     each a second after the last change
//
// TIME is hours:minutes, or hours:minutes:seconds with up to three decimals. The script begins at
// 12:00 of that day. The clock advances by a second before every publish, so that later posts have
// later times.
//
// Work:
//
//	work [doubled] [shuffled=7]   run the queued tasks and the tasks they enqueue
//	work first=1                  run only so many tasks
//	lose                          forget the queued tasks
//	sweep after 1m                advance the clock, then queue what is due
//	down queue, down inboxes      make every call fail from now on; also down sets
//	up queue, up inboxes
//	forget inbox ann              lose an inbox; also forget replays ann
//	maintain                      visit every inbox once, as maintenance does
//	read ann                      read a page, as opening the app does
//
// Expectations:
//
//	expect home ann [first=2] [after=p3] [last=2] [before=p3] [kinds=POST,REPOST] -> p1 p2 more
//	expect outbox ann star …, expect comments ann p1 …   as ann sees them
//	scroll home ann by 2 -> p1 p2 p3            the whole feed, in pages of 2
//	expect live ann [first=2] [after=s1] -> s1:live s2:upcoming>live s3:replay more
//	expect sessions ann star …, scroll live ann by 2 …   s2 is live now, and was upcoming
//	expect followers ann star …, expect following ann star …
//	expect requests star -> ann end             the users who have asked to follow star
//	expect sent ann -> star end                 the users that ann has asked to follow
//	expect new ann since p3 [kinds=POST] -> 2   how many entries are above p3
//	expect source ann -> inbox                  or reference, both: the source of ann's last page
//	expect inbox ann -> warm p2 p1              the stored inbox; or cold and its entries, or absent
//	expect counters p1 likes=1 comments=0 reposts=0 favorites=0
//	expect user star followers=2 following=0 posts=3
//	expect text ann p1 -> "text", expect hidden ann p1
//	expect error NOT_FOUND like ann p1          a command that is refused
//
// A page is listed newest first in both directions of paging. The word more or end after it says
// whether older entries follow. Before it, the word says whether newer entries precede. A cursor is
// the viewer's last cursor of the post in that feed, or else the post's own. A scroll runs forward
// and then backward, and all pages but the last must be full.
//
// The prefix "in push" or "in push,hybrid" limits a command to those modes, "in cores" or "in graphql"
// to a client.
func Scenarios(t *testing.T, dir fs.FS, open func(t *testing.T, p feed.Policy) Backend, in ...feed.FanoutMode) {
	ScenariosOf(t, dir, func(t *testing.T, p feed.Policy) Client { return NewService(open(t, p), p).Cores() }, in...)
}

// ScenariosOf is [Scenarios] through the client that open returns, of a new service.
func ScenariosOf(t *testing.T, dir fs.FS, open func(t *testing.T, p feed.Policy) Client, in ...feed.FanoutMode) {
	if len(in) == 0 {
		in = played()
	}
	files, err := fs.Glob(dir, "*.feed")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".feed"), func(t *testing.T) {
			text := must(fs.ReadFile(dir, file))
			for _, mode := range in {
				t.Run(string(mode), func(t *testing.T) {
					if err := play(t.Context(), open(t, SmallPolicy(mode)), file, string(text)); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

// modes returns all fan-out modes.
func modes() []feed.FanoutMode {
	return []feed.FanoutMode{feed.FanoutPush, feed.FanoutPull, feed.FanoutHybrid}
}

// play runs a script up to the first failing command. The error has its line.
func play(ctx context.Context, client Client, file, text string) error {
	c := newScript(ctx, client)
	for i, raw := range strings.Split(text, "\n") {
		l, err := parseLine(raw)
		if err == nil && !l.empty() {
			err = c.command(l)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %s: %w", file, i+1, strings.TrimSpace(raw), err)
		}
	}
	return nil
}

// script is a running script.
type script struct {
	ctx context.Context
	*Service
	client  string
	actions Actions
	views   Views
	users   map[string]feed.UserID
	posts   map[string]feed.PostID
	// names has the names of posts and users by id.
	names     map[feed.PostID]string
	userNames map[feed.UserID]string
	// cursors has the cursors of all entries seen so far.
	cursors map[cursorKey]string
	// sessions and sessionNames are the live sessions by name and by id.
	sessions     map[string]live.ID
	sessionNames map[live.ID]string
}

// cursorKey is an entry of a list that a viewer has seen.
type cursorKey struct {
	viewer feed.UserID
	list   string
	entry  string
}

// anonymous is what scripts call the viewer who has not signed in.
const anonymous = "anonymous"

func newScript(ctx context.Context, c Client) *script {
	return &script{
		ctx:       ctx,
		Service:   c.Service,
		client:    c.Name,
		actions:   c.Actions,
		views:     c.Views,
		users:     map[string]feed.UserID{anonymous: 0},
		posts:     map[string]feed.PostID{},
		names:     map[feed.PostID]string{},
		userNames: map[feed.UserID]string{},
		cursors:   map[cursorKey]string{},

		sessions:     map[string]live.ID{},
		sessionNames: map[live.ID]string{},
	}
}

// command reads a line of a script, and returns what it does.
type command = func(l *line) (run func() error)

// command runs one line.
func (c *script) command(l *line) error {
	verb := l.word("a command")
	if verb == "in" {
		return c.inModes(l)
	}
	if verb == "expect" && l.flag("error") {
		return c.expectError(l)
	}
	read, known := c.commands()[verb]
	if !known && c.Live != nil {
		read, known = c.liveCommands()[verb]
	}
	if !known {
		return fmt.Errorf("there is no command %q", verb)
	}
	run := read(l)
	if err := l.done(); err != nil {
		return err
	}
	return run()
}

// inModes runs a command in some modes, or through some clients, only.
func (c *script) inModes(l *line) error {
	here := false
	for _, mode := range strings.Split(l.word("a mode"), ",") {
		if mode != ClientCores && mode != ClientGraphQL && !slices.Contains(modes(), feed.FanoutMode(mode)) {
			return fmt.Errorf("%q is not a mode", mode)
		}
		here = here || mode == string(c.Policy.Fanout) || mode == c.client
	}
	if !here {
		return nil
	}
	return c.command(l)
}

// commands returns the commands by their first words.
func (c *script) commands() map[string]command {
	post := func(link string, kind func(*publish.Draft, feed.PostID)) command {
		return func(l *line) func() error { return c.publish(l, link, kind) }
	}
	commands := map[string]command{
		"post":     post("", func(*publish.Draft, feed.PostID) {}),
		"comment":  post("on", func(d *publish.Draft, target feed.PostID) { d.ReplyTo = target }),
		"repost":   post("of", func(d *publish.Draft, target feed.PostID) { d.RepostOf = target }),
		"import":   c.importPost,
		"edit":     c.edit,
		"audience": c.audience,
		"private":  c.private(true),
		"public":   c.private(false),
		"suspend":  c.suspend,
		"restore":  c.restore,
		"take":     c.takeDown,
		"absent":   c.absent(true),
		"present":  c.absent(false),
		"work":     c.work,
		"lose":     func(*line) func() error { return func() error { c.Queue.Lose(); return nil } },
		"sweep":    c.sweep,
		"down":     func(l *line) func() error { return c.outage(l, true) },
		"up":       func(l *line) func() error { return c.outage(l, false) },
		"forget":   c.forget,
		"maintain": func(*line) func() error { return c.maintain },
		"read":     c.read,
		"scroll":   c.scroll,
		"expect":   c.expect,
	}
	for _, verb := range userVerbs() {
		commands[verb] = func(l *line) func() error {
			user, target := c.user(l), c.user(l)
			return func() error { return c.actions.ToUser(c.ctx, verb, user, target) }
		}
	}
	for _, verb := range postVerbs() {
		commands[verb] = func(l *line) func() error {
			user, id := c.user(l), c.existingPost(l)
			return func() error { return c.actions.ToPost(c.ctx, verb, user, id) }
		}
	}
	return commands
}

// user reads a name and returns the user's id. It creates unknown users.
func (c *script) user(l *line) feed.UserID {
	name := l.word("a user")
	if id, known := c.users[name]; known || name == "" {
		return id
	}
	id := feed.UserID(len(c.users))
	u := feed.User{ID: id, Handle: name, Name: name, CreatedAt: c.Clock.Millis()}
	if _, err := c.Users.EnsureUser(c.ctx, &u); err != nil {
		l.fail(err)
	}
	c.users[name], c.userNames[id] = id, name
	return id
}

// existingPost reads the name of an existing post.
func (c *script) existingPost(l *line) feed.PostID {
	name := l.word("a post")
	id, known := c.posts[name]
	if !known {
		l.fail(fmt.Errorf("there is no post %q", name))
	}
	return id
}

// namePost gives a post a name.
func (c *script) namePost(name string, id feed.PostID) { c.posts[name], c.names[id] = id, name }

// newPostLine is a new post that a line describes.
type newPostLine struct {
	author feed.UserID
	name   string
	// target is the post that it comments on or reposts.
	target feed.PostID
	// at is nil for now. id is zero for a generated id.
	at *int64
	id feed.PostID
	// audience is nil for none.
	audience *feed.PostAudience
}

// parseNewPost reads a line that creates a post, a second after the last change. link is the word
// before the target post, empty if there is no target.
func (c *script) parseNewPost(l *line, link string) newPostLine {
	a := newPostLine{author: c.user(l), name: l.word("a name for the post")}
	if _, taken := c.posts[a.name]; taken {
		l.fail(fmt.Errorf("there is already a post %q", a.name))
	}
	if link != "" {
		l.keyword(link)
		a.target = c.existingPost(l)
	}
	if l.flag("at") {
		a.at = l.time(c.day())
	}
	if id := l.option("id"); id != "" {
		var err error
		if a.id, err = feed.ParsePostID(id); err != nil {
			l.fail(err)
		}
	}
	if audience := l.option("audience"); audience != "" {
		a.audience = l.audience(audience)
	}
	c.Clock.Advance(time.Second)
	return a
}

// audience returns the audience of a name.
func (l *line) audience(name string) *feed.PostAudience {
	audience, ok := feed.ParseAudience(name)
	if !ok {
		l.fail(fmt.Errorf("there is no audience %q", name))
	}
	return &audience
}

// publish reads a line with parseNewPost and publishes the post. kind sets the kind and target of
// the draft.
func (c *script) publish(l *line, link string, kind func(d *publish.Draft, target feed.PostID)) func() error {
	a := c.parseNewPost(l, link)
	return func() error {
		draft := publish.Draft{Text: a.name, PublishedAt: a.at, Audience: a.audience}
		kind(&draft, a.target)
		if a.id != 0 {
			c.IDs = []feed.PostID{a.id}
		}
		id, err := c.actions.Publish(c.ctx, a.author, draft)
		c.IDs = nil
		if err == nil {
			c.namePost(a.name, id)
		}
		return err
	}
}

func (c *script) importPost(l *line) func() error {
	a := c.parseNewPost(l, "")
	return func() (err error) {
		post := feed.Post{ID: a.id, Author: a.author, Kind: feed.KindPost, Text: a.name, PublishedAt: c.Clock.Millis()}
		if a.at != nil {
			post.PublishedAt = *a.at
		}
		if post.ID == 0 {
			if post.ID, err = c.newID(); err != nil {
				return err
			}
		}
		result, err := c.Import(c.ctx, []feed.Record{{Line: 1, Post: &post}})
		if err == nil && result.Stored != 1 {
			err = fmt.Errorf("the import refused the post: %v", result.Bad)
		}
		c.namePost(a.name, post.ID)
		return err
	}
}

func (c *script) edit(l *line) func() error {
	author, id, text := c.user(l), c.existingPost(l), l.word("a text")
	return func() error { return c.actions.Edit(c.ctx, author, id, feed.PostEdit{Text: &text}) }
}

func (c *script) audience(l *line) func() error {
	author, id, audience := c.user(l), c.existingPost(l), l.audience(l.word("an audience"))
	return func() error { return c.actions.Edit(c.ctx, author, id, feed.PostEdit{Audience: audience}) }
}

func (c *script) work(l *line) func() error {
	doubled, seed, first := l.flag("doubled"), l.number("shuffled"), l.number("first")
	return func() error {
		if doubled {
			c.Queue.Double()
		}
		if seed != nil {
			c.Queue.Shuffle(uint64(*seed))
		}
		if first == nil {
			return c.Work(c.ctx)
		}
		for range *first {
			if err := c.WorkOne(c.ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

func (c *script) sweep(l *line) func() error {
	l.keyword("after")
	d, err := time.ParseDuration(l.word("a duration"))
	if err != nil {
		l.fail(err)
	}
	return func() error {
		c.Clock.Advance(d)
		err := c.Fanout.Sweep(c.ctx)
		if c.Queue.Err != nil && errors.Is(err, c.Queue.Err) {
			// The sweeper dispatches again what the queue refused.
			return nil
		}
		return err
	}
}

func (c *script) outage(l *line, down bool) func() error {
	what := l.word("queue, inboxes or sets")
	if !slices.Contains([]string{"queue", "inboxes", "sets"}, what) {
		l.fail(fmt.Errorf("%q cannot be taken down; want queue, inboxes or sets", what))
	}
	return func() error {
		switch what {
		case "queue":
			c.Queue.Err = nil
			if down {
				c.Queue.Err = errDown()
			}
		case "inboxes":
			c.Flaky.Down = down
		case "sets":
			c.Live.SetsDown = down
		}
		return nil
	}
}

func (c *script) forget(l *line) func() error {
	var inboxes feed.Inboxes = c.Inboxes
	if l.flag("replays") {
		inboxes = c.Live.Inboxes
	} else {
		l.keyword("inbox")
	}
	viewer := c.user(l)
	return func() error { return inboxes.Remove(c.ctx, viewer) }
}

// maintain visits every inbox at least once: each call visits at least one of them.
func (c *script) maintain() error {
	for range c.users {
		if err := c.Maintenance.TrimInboxes(c.ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *script) read(l *line) func() error {
	viewer := c.user(l)
	return func() error { return errorOf(c.home(viewer).read(feed.PageQuery{})) }
}
