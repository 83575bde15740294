package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// The scripts of the domain give the same pages by GraphQL, wherever texts, profiles and counters
// are.
func TestSimulation_ScenariosInEveryMode(t *testing.T) {
	modes := serviceModes()
	modes["all own"] = services{}
	for name, m := range modes {
		t.Run(name, func(t *testing.T) {
			open := func(_ *testing.T, p feed.Policy) feedtest.Backend {
				clock := feedtest.NewClock()
				return feedtest.Backend{Stores: feedtest.StoresOf(memstore.New(clock.Now)), Inboxes: memstore.NewInboxes(p.InboxCap), Clock: clock}
			}
			feedtest.ScenariosThrough(t, os.DirFS("../feed/testdata"), open, func(_ *testing.T, s *feedtest.Service) feedtest.Reader {
				return newAPIReader(s, m)
			}, feed.FanoutHybrid)
		})
	}
}

// apiReader reads a service by GraphQL. It compares each object with the stores, which the services
// serve.
type apiReader struct {
	stores    feedtest.Stores
	api       http.Handler
	follower  *changes.Follower
	feeds     *lists.Feeds
	directory *people.Directory
}

func newAPIReader(s *feedtest.Service, m services) *apiReader {
	deps := skeletons(resolvers.Deps{
		Timeline: s.Feeds(s.Timeline), Directory: s.Directory, Users: s.Directory, Counters: s.Counters, Relations: s.Relations,
		Accounts: &people.Accounts{Users: s.Users, Profiles: s.Profiles, Clock: s.Clock.Now, Policy: s.Policy},
	}, m)
	caches := newServices(s, m, &deps)
	return &apiReader{s.Stores, signedIn(resolvers.NewHandler(deps)), &changes.Follower{Log: s.Changes, Cache: caches}, s.Feeds(s.Timeline), s.Directory}
}

// shownUser and shownPost are what a response has of them.
type shownUser struct {
	DatabaseID feed.UserID `json:",string"`
	Name       string
	Counters   feed.UserCounters
}

type shownPost struct {
	DatabaseID feed.PostID `json:",string"`
	Text       string
	Author     shownUser
	Counters   feed.PostCounters
}

const (
	userFields = ` databaseId name counters { followers following posts } `
	postFields = ` databaseId text author {` + userFields + `} counters { likes comments reposts favorites } `
	pageInfo   = ` pageInfo { hasNextPage hasPreviousPage } `
)

// shownList is a page of a response.
type shownList[T any] struct {
	Edges []struct {
		Cursor string
		Node   T
	}
	PageInfo struct{ HasNextPage, HasPreviousPage bool }
	NewCount int
}

// shownOf is a response about a list of an object; nil if the viewer sees no object.
type shownOf[T any] struct {
	Object *struct{ List shownList[T] }
}

// ask sends a query for a viewer. All caches are up to date.
func (r *apiReader) ask(ctx context.Context, viewer feed.UserID, query string, into any) error {
	if err := r.follower.CatchUp(ctx); err != nil {
		return err
	}
	body := responseAs(ctx, r.api, viewer, query, nil)
	response := struct {
		Data   any
		Errors []struct {
			Message    string
			Extensions struct{ Code feed.Code }
		}
		Extensions struct{ Upstream any }
	}{Data: into}
	err := json.Unmarshal([]byte(body), &response)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %s", err, body)
	case len(response.Errors) > 0 && response.Errors[0].Extensions.Code == apierror.ValidationFailed:
		// The schema refuses what the domain would.
		return feed.Errorf(feed.CodeBadInput, "%s", response.Errors[0].Message)
	case len(response.Errors) > 0:
		return feed.Errorf(response.Errors[0].Extensions.Code, "%s", response.Errors[0].Message)
	case response.Extensions.Upstream != nil:
		return fmt.Errorf("services could not answer: %s", body)
	}
	return nil
}

// listOf is the field of a feed in its object.
func listOf(ref feed.FeedRef) (object, list string) {
	switch ref.Kind {
	case feed.FeedOutbox:
		return fmt.Sprintf(`user(databaseId: "%d")`, ref.Author), "posts"
	case feed.FeedComments:
		return fmt.Sprintf(`post(databaseId: "%d")`, ref.Post), "comments"
	}
	return "viewer", "homeFeed"
}

// listArguments writes the arguments of a page.
func listArguments(q feed.PageQuery) string {
	var list []string
	add := func(there bool, format string, value any) {
		if there {
			list = append(list, fmt.Sprintf(format, value))
		}
	}
	if q.First != nil {
		add(true, "first: %d", *q.First)
	}
	if q.Last != nil {
		add(true, "last: %d", *q.Last)
	}
	add(q.After != "", "after: %q", q.After)
	add(q.Before != "", "before: %q", q.Before)
	add(len(q.Kinds) > 0, "kinds: %v", q.Kinds)
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// Page implements [feedtest.FeedReader].
func (r *apiReader) Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	if ref.Kind == feed.FeedComments && q.Last != nil { // GraphQL has no such pages
		return r.feeds.Page(ctx, viewer, ref, q)
	}
	object, list := listOf(ref)
	var data shownOf[shownPost]
	err := r.ask(ctx, viewer, `{ object: `+object+` { list: `+list+listArguments(q)+` { edges { cursor node {`+postFields+`} }`+pageInfo+`} } }`, &data)
	page := &feed.Page{}
	if err != nil || data.Object == nil {
		return page, err
	}
	got := data.Object.List
	page.HasNext, page.HasPrevious = got.PageInfo.HasNextPage, got.PageInfo.HasPreviousPage
	for _, e := range got.Edges {
		p, err := r.checked(ctx, &e.Node)
		if err != nil {
			return nil, err
		}
		page.Entries = append(page.Entries, feed.Entry{Cursor: e.Cursor, Post: p})
	}
	return page, nil
}

// checked compares a post with what is stored, and returns it.
func (r *apiReader) checked(ctx context.Context, got *shownPost) (*feed.Post, error) {
	posts, err := r.stores.Posts.Posts(ctx, []feed.PostID{got.DatabaseID})
	if err != nil {
		return nil, err
	}
	author, err := r.storedUser(ctx, posts[0].Author)
	if err != nil {
		return nil, err
	}
	counters, err := r.stores.Counters.PostCounters(ctx, []feed.PostID{got.DatabaseID})
	if diff := cmp.Diff(shownPost{got.DatabaseID, posts[0].Text, author, counters[0]}, *got); err == nil && diff != "" {
		err = fmt.Errorf("a post (-stored +shown):\n%s", diff)
	}
	return &feed.Post{ID: got.DatabaseID, Text: got.Text}, err
}

func (r *apiReader) storedUser(ctx context.Context, id feed.UserID) (shownUser, error) {
	users, err := r.stores.Users.Users(ctx, []feed.UserID{id})
	if err != nil {
		return shownUser{}, err
	}
	counters, err := r.stores.Counters.UserCounters(ctx, []feed.UserID{id})
	return shownUser{id, users[0].Name, counters[0]}, err
}

// NewCount implements [feedtest.FeedReader].
func (r *apiReader) NewCount(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, since string, kinds feed.Kinds) (int, error) {
	object, list := listOf(ref)
	var data shownOf[shownPost]
	err := r.ask(ctx, viewer, fmt.Sprintf(`{ object: %s { list: %s%s { newCount(since: %q) } } }`, object, list, listArguments(feed.PageQuery{First: new(0), Kinds: kinds}), since),
		&data)
	if err != nil || data.Object == nil {
		return 0, err
	}
	return data.Object.List.NewCount, nil
}

// Posts implements [feedtest.FeedReader].
func (r *apiReader) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	var data struct{ Posts []*shownPost }
	err := r.ask(ctx, viewer, fmt.Sprintf(`{ posts(databaseIds: %q) {`+postFields+`} }`, idTexts(ids)), &data)
	posts := make([]*feed.Post, len(ids))
	for i, p := range data.Posts {
		if p != nil && err == nil {
			posts[i], err = r.checked(ctx, p)
		}
	}
	return posts, err
}

// Followers implements [feedtest.PeopleReader].
func (r *apiReader) Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	if q.Last != nil { // GraphQL has no such lists
		return r.directory.Followers(ctx, viewer, user, q)
	}
	return r.people(ctx, viewer, user, "followers", q)
}

// Following implements [feedtest.PeopleReader].
func (r *apiReader) Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
	if q.Last != nil {
		return r.directory.Following(ctx, viewer, user, q)
	}
	return r.people(ctx, viewer, user, "following", q)
}

func (r *apiReader) people(ctx context.Context, viewer, user feed.UserID, list string, q feed.PageQuery) (*feed.UserPage, error) {
	var data shownOf[shownUser]
	err := r.ask(ctx, viewer, fmt.Sprintf(`{ object: user(databaseId: "%d") { list: %s%s { edges { cursor node {`+userFields+`} }`+pageInfo+`} } }`, user, list, listArguments(q)),
		&data)
	page := &feed.UserPage{}
	if err != nil || data.Object == nil {
		return page, err
	}
	got := data.Object.List
	page.HasNext, page.HasPrevious = got.PageInfo.HasNextPage, got.PageInfo.HasPreviousPage
	for _, e := range got.Edges {
		want, err := r.storedUser(ctx, e.Node.DatabaseID)
		if diff := cmp.Diff(want, e.Node); err == nil && diff != "" {
			err = fmt.Errorf("a user (-stored +shown):\n%s", diff)
		}
		if err != nil {
			return nil, err
		}
		page.Entries = append(page.Entries, feed.UserEntry{Cursor: e.Cursor, User: &feed.User{ID: e.Node.DatabaseID}})
	}
	return page, nil
}

// PostCounters implements [feedtest.CounterReader].
func (r *apiReader) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	var data struct{ Posts []shownPost }
	err := r.ask(ctx, 0, fmt.Sprintf(`{ posts(databaseIds: %q) {`+postFields+`} }`, idTexts(ids)), &data)
	var counters []feed.PostCounters
	for _, p := range data.Posts {
		counters = append(counters, p.Counters)
	}
	return counters, err
}

// UserCounters implements [feedtest.CounterReader].
func (r *apiReader) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	var data struct{ Users shownList[shownUser] }
	err := r.ask(ctx, 0, fmt.Sprintf(`{ users(databaseIds: %q) { edges { node {`+userFields+`} } } }`, idTexts(ids)), &data)
	var counters []feed.UserCounters
	for _, e := range data.Users.Edges {
		counters = append(counters, e.Node.Counters)
	}
	return counters, err
}

func idTexts[ID fmt.Stringer](ids []ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}
