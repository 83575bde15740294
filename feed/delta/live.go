package delta

import (
	"context"
	"errors"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// LiveReader reads changes of live feeds, like [Reader]. A session is named by a row under its host,
// and by each change of the relation to the host. Its fields are set before the first read.
type LiveReader struct {
	Log LiveLog
	// Recent, unless nil, has the newest rows of the log, and Cached reads relations for them.
	Recent RecentLive
	Cached feed.Viewers
	// CachedSessions, unless nil, reads sessions for rows of Recent and for [LiveReader.Of].
	CachedSessions live.SessionReader
	// Sessions and Viewers read from the source of truth: caches may be older than the log.
	Sessions live.Sessions
	Viewers  feed.Viewers
	Versions live.Changes
	// Users reads hosts from the source of truth.
	Users    live.Users
	Coverage feed.Coverage
	Policy   feed.Policy
}

// RecentLive is [Recent] for live feeds.
type RecentLive interface {
	LiveChanges(
		ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
	) (rows []feed.Change, next feed.ChangePlace, ok bool, err error)
}

// LiveLog is the part of [feed.ChangeLog] that a [LiveReader] reads.
type LiveLog interface {
	placer
	feed.SightLog
	LiveChanges(
		ctx context.Context, viewer feed.UserID, since feed.ChangePlace, limit int,
	) (rows []feed.Change, next feed.ChangePlace, err error)
}

var errAnonymousLive = feed.Errorf(feed.CodeUnauthenticated, "sign in to read changes of a live feed")

// Changes returns the next changes of viewer's live feed since a token, with the resets and errors
// of [Reader.Changes].
func (d *LiveReader) Changes(ctx context.Context, viewer feed.UserID, q live.ChangeQuery) (*live.ChangePage, error) {
	if viewer == 0 {
		return nil, errAnonymousLive
	}
	size, err := sizeOf(q.First, d.Policy)
	if err != nil {
		return nil, err
	}
	token, err := feed.ParseLiveSyncToken(q.Since, viewer)
	if err != nil {
		return nil, err
	}
	return d.After(ctx, token, size)
}

// After returns the next changes after a token, at most size. Like [Reader.After], it reads the log
// before anything else.
func (d *LiveReader) After(ctx context.Context, token feed.SyncToken, size int) (*live.ChangePage, error) {
	rows, next, cached, err := d.rows(ctx, token)
	if errors.Is(err, feed.ErrChangesGone) {
		return d.reset(ctx, token)
	}
	if err != nil {
		return nil, err
	}
	r := liveRequest{size: size, viewers: d.Viewers, sessions: d.Sessions}
	if cached {
		r.viewers, r.sessions = d.Cached, d.cachedSessions()
	}
	page, err := d.report(ctx, token, rows, next, r)
	if page != nil && len(rows) == rowsMax && !page.Resets() {
		page.HasMore = true
	}
	return page, err
}

// rows returns the rows after a token, and whether caches are as new as the last.
func (d *LiveReader) rows(ctx context.Context, token feed.SyncToken) (rows []feed.Change, next feed.ChangePlace, cached bool, err error) {
	if d.Recent != nil {
		rows, next, cached, err = d.Recent.LiveChanges(ctx, token.Viewer, token.Place, rowsMax)
		if cached || err != nil {
			return rows, next, cached, err
		}
	}
	rows, next, err = d.Log.LiveChanges(ctx, token.Viewer, token.Place, rowsMax)
	return rows, next, false, err
}

func (d *LiveReader) cachedSessions() live.SessionReader {
	if d.CachedSessions == nil {
		return d.Sessions
	}
	return d.CachedSessions
}

// liveRequest is what a page of changes of a live feed has.
type liveRequest struct {
	size     int
	viewers  feed.Viewers
	sessions live.SessionReader
}

// Of returns the changes after a token that rows name, like [Reader.Of] for the rows of
// [feed.ChangeLog.LiveChanges]. CachedSessions must be as new as the rows, too.
func (d *LiveReader) Of(
	ctx context.Context, viewers feed.Viewers, token feed.SyncToken, rows []feed.Change, size int,
) (*live.ChangePage, error) {
	next := feed.ChangePlace{Epoch: token.Place.Epoch, Number: rows[len(rows)-1].Number}
	return d.report(ctx, token, rows, next, liveRequest{size, viewers, d.cachedSessions()})
}

func (d *LiveReader) report(
	ctx context.Context, token feed.SyncToken, rows []feed.Change, next feed.ChangePlace, r liveRequest,
) (*live.ChangePage, error) {
	state := edgesOnce{r.viewers.State(token.Viewer), map[feed.UserID]feed.Edge{}}
	n := &sessionNames{
		nameList: newNameList(r.size, d.Policy), d: d, state: state, sessions: r.sessions, viewer: token.Viewer, since: token,
		public: map[feed.PostID]live.PublicID{},
	}
	err := eachRow(token, rows, LiveFeed, func(row feed.Change, below feed.Key) error { return n.add(ctx, row, below) })
	if errors.Is(err, errReset) || errors.Is(err, feed.ErrChangesGone) {
		return d.reset(ctx, token)
	} else if err != nil {
		return nil, err
	}
	page := &live.ChangePage{Token: n.end(token, next), HasMore: n.full}
	page.Changes, err = n.judge(ctx)
	return page, err
}

func (d *LiveReader) reset(ctx context.Context, token feed.SyncToken) (*live.ChangePage, error) {
	token, err := restart(ctx, d.Log, token)
	if err != nil {
		return nil, err
	}
	return &live.ChangePage{Changes: []live.Change{{Kind: feed.HomeReset}}, Token: token}, nil
}

// sessionNames collects the sessions that rows of the log name.
type sessionNames struct {
	nameList
	d        *LiveReader
	state    feed.ViewerState
	sessions live.SessionReader
	viewer   feed.UserID
	since    feed.SyncToken
	// public has the ids of sessions that a changed relation names. Those of hosts who have gone
	// cannot be read any more.
	public map[feed.PostID]live.PublicID
}

// add adds what a row names, in part: only what is below a key.
func (n *sessionNames) add(ctx context.Context, row feed.Change, below feed.Key) error {
	switch row.Kind {
	case feed.ChangeReset:
		return errReset
	case feed.ChangeScheduled:
		return n.name(name{id: row.Post, author: row.User, added: true}, before(row))
	case feed.ChangeSession:
		return n.name(name{id: row.Post, author: row.User, removed: true}, before(row))
	case feed.ChangeRelation:
		return n.addHost(ctx, row.Other, 0, row.Number, below)
	case feed.ChangeSuspended:
		if row.User == n.viewer {
			return nil // they see what they saw
		}
		return n.addHost(ctx, row.User, row.User, row.Number, below)
	case feed.ChangeAccount:
		return n.addHost(ctx, row.User, row.User, row.Number, below)
	case feed.ChangeArrived, feed.ChangePublished, feed.ChangeEdited, feed.ChangeDeleted, feed.ChangeProfile, feed.ChangeRevoked, feed.ChangePushed,
		feed.ChangeNarrowed, feed.ChangeWidened, feed.ChangeTakenDown:
	}
	return nil
}

// addHost adds the sessions of a host below a key, by id: their order must not change between pages,
// since a transition of a host who is no longer followed has no row here. host is as the author in [name].
func (n *sessionNames) addHost(ctx context.Context, other, host feed.UserID, number int64, below feed.Key) error {
	if known, err := everFollowed(ctx, n.d.Coverage, n.viewer, n.state, other); err != nil || !known {
		return err
	}
	sessions, err := n.d.Sessions.OfHost(ctx, other, live.ID(below.ID), n.d.Policy.SyncMax+1)
	if err != nil {
		return err
	}
	if len(sessions) > n.d.Policy.SyncMax {
		return errReset
	}
	if sessions, err = n.everSeen(ctx, other, sessions); err != nil {
		return err
	}
	for _, s := range sessions {
		id := feed.ReplayRef(s.Number)
		n.public[id] = s
		if err := n.name(name{id: id, author: host, added: true, removed: true}, within(number, below)); err != nil {
			return err
		}
		below = feed.Key{ID: s.Number}
	}
	return nil
}

// everSeen leaves out sessions of a host that the viewer could never see.
func (n *sessionNames) everSeen(ctx context.Context, host feed.UserID, list []live.PublicID) ([]live.PublicID, error) {
	edges, err := n.state.Edges(ctx, []feed.UserID{host})
	if err != nil {
		return nil, err
	}
	hosts, err := n.d.Users.Users(ctx, []feed.UserID{host})
	if err != nil {
		return nil, err
	}
	as := feed.Sighted{Author: host, Edge: edges[0]}
	if hosts[0] != nil {
		as.Private, as.Suspended = hosts[0].Private, hosts[0].Suspended != 0
	}
	past := feed.NewPast(n.since)
	for i, s := range list {
		as.Post = feed.ReplayRef(s.Number)
		past.Require(i, as)
	}
	seen := map[live.PublicID]bool{}
	err = past.Replay(ctx, n.d.Log, func(i int) { seen[list[i]] = true })
	return slices.DeleteFunc(list, func(s live.PublicID) bool { return !seen[s] }), err
}

// judge returns the changes of a page as they are now.
func (n *sessionNames) judge(ctx context.Context) ([]live.Change, error) {
	reported, err := n.bySources(ctx, n.viewer, n.state, feed.HomeAuthors)
	if err != nil || len(reported) == 0 {
		return nil, err
	}
	ids := make([]live.ID, len(reported))
	for i, p := range reported {
		id, _ := p.id.Session()
		ids[i] = live.ID(id)
	}
	// The version makes the cache evict sessions that were cancelled.
	if _, err := n.state.Version(ctx); err != nil {
		return nil, err
	}
	sessions, err := n.sessions.Sessions(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown, err := n.shown(ctx, sessions)
	if err != nil {
		return nil, err
	}
	version, err := n.d.Versions.FeedVersion(ctx, n.viewer)
	if err != nil {
		return nil, err
	}
	var list []live.Change
	for i, p := range reported {
		s, known := sessions[i], n.public[p.id]
		if s != nil {
			known = s.PublicID()
		}
		c := live.Change{ID: ids[i], PublicID: known}
		switch {
		case shown[i]:
			c.Kind, c.Entry = feed.HomeChanged, live.EntryAt(version, s)
			if p.added {
				c.Kind = feed.HomeAdded
			}
		case p.removed && known != (live.PublicID{}):
			c.Kind = feed.HomeRemoved
		default:
			// It was never shown, or the row of its host names it, too.
			continue
		}
		list = append(list, c)
	}
	return list, nil
}

// shown reports which sessions are in the feed.
func (n *sessionNames) shown(ctx context.Context, sessions []*live.Session) ([]bool, error) {
	hosts := make([]feed.UserID, 0, len(sessions))
	for _, s := range sessions {
		if s != nil && s.Host != n.viewer {
			hosts = append(hosts, s.Host)
		}
	}
	edges, err := n.state.Edges(ctx, hosts)
	if err != nil {
		return nil, err
	}
	users, err := n.d.Users.Users(ctx, hosts)
	if err != nil {
		return nil, err
	}
	of := make(map[feed.UserID]bool, len(hosts))
	for i, e := range edges {
		of[hosts[i]] = e.Follows && e.Visible() && !e.Mutes && users[i] != nil && users[i].Suspended == 0
	}
	of[n.viewer] = true
	shown := make([]bool, len(sessions))
	for i, s := range sessions {
		shown[i] = s != nil && s.State != live.Cancelled && of[s.Host]
	}
	return shown, nil
}
