package resolvers_test

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// postFields has all that an audience hides or shows with a post: other posts, lists, and why moderators hid it.
const postFields = `databaseId text audience moderation { reason }
	author { databaseId viewerCanSeePosts posts(first: 9) { nodes { databaseId } } }
	comments(first: 9) { nodes { databaseId } }
	replyTo { databaseId text } repostOf { databaseId text }`

// apiPost is a post in a response. Lists of users are read into it too, and have only ids.
type apiPost struct {
	DatabaseID, Text, Audience string
	Moderation                 *struct{ Reason string }
	Author                     *apiAuthor
	Comments                   apiPage
	ReplyTo, RepostOf          *apiPost
}

type apiAuthor struct {
	DatabaseID        string
	ViewerCanSeePosts bool
	Posts             apiPage
}

// apiPage is a page in a response, with edges or with nodes.
type apiPage struct {
	Edges []struct {
		Cursor string
		Node   apiPost
	}
	Nodes    []apiPost
	PageInfo struct{ HasNextPage, HasPreviousPage bool }
}

func (p apiPost) id() int64 {
	id, _ := strconv.ParseInt(p.DatabaseID, 10, 64)
	return id
}

// agrees returns an error if a post of a response differs from what the cores let the viewer see.
func (c apiClient) agrees(ctx context.Context, viewer feed.UserID, got apiPost) error {
	want, err := c.wanted(ctx, viewer, feed.PostID(got.id()))
	if diff := cmp.Diff(want, &got); err == nil && diff != "" {
		err = fmt.Errorf("a post that viewer %d gets differs from the cores' (-cores +API):\n%s", viewer, diff)
	}
	return err
}

// wanted returns a post as a response must have it; nil if it must be hidden.
func (c apiClient) wanted(ctx context.Context, viewer feed.UserID, id feed.PostID) (*apiPost, error) {
	post, err := c.seen(ctx, viewer, id)
	if post == nil || err != nil {
		return nil, err
	}
	want := briefly(post)
	want.Audience = post.ShownAudience().String()
	if post.TakenDown != 0 && post.Author == viewer {
		want.Moderation = &struct{ Reason string }{feedtest.ModeratorsReason}
	}
	for to, target := range map[**apiPost]feed.PostID{&want.ReplyTo: post.ReplyTo, &want.RepostOf: post.RepostOf} {
		shown, err := c.seen(ctx, viewer, target)
		if err != nil {
			return nil, err
		}
		*to = briefly(shown)
	}
	if want.Comments, err = c.nodes(ctx, viewer, feed.CommentsRef(id)); err != nil {
		return nil, err
	}
	want.Author, err = c.author(ctx, viewer, post.Author)
	return want, err
}

// briefly returns the id and text of a post; nil for nil.
func briefly(p *feed.Post) *apiPost {
	if p == nil {
		return nil
	}
	return &apiPost{DatabaseID: p.ID.String(), Text: p.Text}
}

// seen returns a post as the cores show it to the viewer; nil if it is hidden, and for id 0.
func (c apiClient) seen(ctx context.Context, viewer feed.UserID, id feed.PostID) (*feed.Post, error) {
	if id == 0 {
		return nil, nil
	}
	posts, err := c.feeds.Uncached.Posts(ctx, viewer, []feed.PostID{id})
	if err != nil {
		return nil, err
	}
	return posts[0], nil
}

func (c apiClient) author(ctx context.Context, viewer, id feed.UserID) (*apiAuthor, error) {
	users, err := c.s.Users.Users(ctx, []feed.UserID{id})
	if err != nil {
		return nil, err
	}
	edges := []feed.Edge{{}}
	if viewer != 0 {
		if edges, err = c.s.Relations.Edges(ctx, viewer, []feed.UserID{id}); err != nil {
			return nil, err
		}
	}
	posts, err := c.nodes(ctx, viewer, feed.OutboxRef(id))
	return &apiAuthor{DatabaseID: id.String(), ViewerCanSeePosts: users[0].ShowsPosts(viewer, edges[0]), Posts: posts}, err
}

// nodes returns the page of a feed that postFields has.
func (c apiClient) nodes(ctx context.Context, viewer feed.UserID, ref feed.FeedRef) (apiPage, error) {
	page, err := c.feeds.Uncached.Page(ctx, viewer, ref, feed.PageQuery{First: new(9)})
	got := apiPage{Nodes: []apiPost{}}
	if err != nil {
		return got, err
	}
	for _, e := range page.Entries {
		got.Nodes = append(got.Nodes, apiPost{DatabaseID: e.Post.ID.String()})
	}
	return got, nil
}

// apiViews reads by queries.
type apiViews struct{ apiClient }

// feedDocument returns the document for pages of a feed, and whether the API pages it backward too.
func feedDocument(kind feed.FeedKind) (document string, both bool) {
	const up, upAndKinds = `last: $last, before: $before`, `$last: Int, $before: String, $kinds: [PostKind!]`
	const page = `{ edges { cursor node { ` + postFields + ` } } pageInfo { hasNextPage hasPreviousPage } } } }`
	switch kind {
	case feed.FeedHome:
		return `query($first: Int, $after: String, ` + upAndKinds + `) { owner: viewer {
			list: homeFeed(first: $first, after: $after, ` + up + `, filter: {kinds: $kinds}) ` + page, true
	case feed.FeedOutbox:
		return `query($id: String!, $first: Int, $after: String, ` + upAndKinds + `) { owner: user(databaseId: $id) {
			list: posts(first: $first, after: $after, ` + up + `, filter: {kinds: $kinds}) ` + page, true
	default:
		return `query($id: String!, $first: Int, $after: String) { owner: post(databaseId: $id) {
			list: comments(first: $first, after: $after) ` + page, false
	}
}

// pageVariables are the arguments of a page; omitted ones are left out.
func pageVariables(q feed.PageQuery) variables {
	v := variables{}
	for name, n := range map[string]*int{"first": q.First, "last": q.Last} {
		if n != nil {
			v[name] = *n
		}
	}
	for name, cursor := range map[string]string{"after": q.After, "before": q.Before} {
		if cursor != "" {
			v[name] = cursor
		}
	}
	if kinds := kindsOf(q.Filter); kinds != nil {
		v["kinds"] = kinds
	}
	return v
}

// kindsOf returns the kinds of a filter; nil for all. A filter does not keep the name of a kind that does not exist.
func kindsOf(f feed.Filter) (kinds []feed.Kind) {
	if f.Check() != nil {
		return []feed.Kind{"UNKNOWN"}
	}
	for _, k := range feed.AllKinds() {
		if f.Has(k) {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == len(feed.AllKinds()) {
		return nil
	}
	return kinds
}

// Feed implements [feedtest.Views].
func (c apiViews) Feed(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (feedtest.Listed, error) {
	document, both := feedDocument(ref.Kind)
	v := pageVariables(q)
	q.LookBack = true // The document selects both flags.
	switch ref.Kind {
	case feed.FeedOutbox:
		v["id"] = ref.Author.String()
	case feed.FeedComments:
		v["id"] = ref.Post.String()
	default:
	}
	cores := func() (feedtest.Listed, error) {
		return feedtest.ListedFeed(c.feeds.Uncached.Page(ctx, viewer, ref, q))
	}
	if !both && q.Last != nil {
		return cores() // The API has no such page.
	}
	return c.page(ctx, viewer, document, v, cores, func(p apiPost) error { return c.agrees(ctx, viewer, p) })
}

// People implements [feedtest.Views].
func (c apiViews) People(ctx context.Context, viewer feed.UserID, list string, owner feed.UserID, q feed.PageQuery) (feedtest.Listed, error) {
	const page = `(first: $first, after: $after) { edges { cursor node { databaseId } } pageInfo { hasNextPage hasPreviousPage } } } }`
	v := pageVariables(q)
	q.LookBack = true
	document := `query($id: String!, $first: Int, $after: String) { owner: user(databaseId: $id) { list: ` + list + page
	if own, ok := map[string]string{"requests": "followRequests", "sent": "sentFollowRequests"}[list]; ok {
		document = `query($first: Int, $after: String) { owner: viewer { list: ` + own + page
	} else {
		v["id"] = owner.String()
	}
	cores := func() (feedtest.Listed, error) { return c.cores.People(ctx, viewer, list, owner, q) }
	if q.Last != nil {
		return cores() // The API has no such page.
	}
	return c.page(ctx, viewer, document, v, cores, func(apiPost) error { return nil })
}

// page reads a page. The page must equal that of cores, and agrees checks each entry. Lists of a hidden owner are
// empty.
func (c apiViews) page(
	ctx context.Context, viewer feed.UserID, document string, v variables, cores func() (feedtest.Listed, error), agrees func(apiPost) error,
) (feedtest.Listed, error) {
	var listed feedtest.Listed
	got, err := askAs[struct{ Owner *struct{ List apiPage } }](ctx, c.apiClient, viewer, document, v)
	if err != nil {
		return listed, err
	}
	if got.Owner != nil {
		page := got.Owner.List
		listed.HasNext, listed.HasPrevious = page.PageInfo.HasNextPage, page.PageInfo.HasPreviousPage
		for _, e := range page.Edges {
			listed.IDs, listed.Cursors = append(listed.IDs, e.Node.id()), append(listed.Cursors, e.Cursor)
			if err := agrees(e.Node); err != nil {
				return listed, err
			}
		}
	}
	want, err := cores()
	if diff := cmp.Diff(want, listed); err == nil && diff != "" {
		err = fmt.Errorf("the page differs from the cores' (-cores +API):\n%s", diff)
	}
	return listed, err
}

// NewCount implements [feedtest.Views].
func (c apiViews) NewCount(ctx context.Context, viewer feed.UserID, since string, filter feed.Filter) (int, error) {
	got, err := askAs[struct {
		Viewer struct{ HomeFeed struct{ NewCount int } }
	}](ctx, c.apiClient, viewer,
		`query($since: String!, $kinds: [PostKind!]) { viewer { homeFeed(first: 0, filter: {kinds: $kinds}) { newCount(since: $since) } } }`,
		variables{"since": since, "kinds": kindsOf(filter)})
	return got.Viewer.HomeFeed.NewCount, err
}

// Text implements [feedtest.Views]. All paths to a post by its id must agree.
func (c apiViews) Text(ctx context.Context, viewer feed.UserID, id feed.PostID) (*string, error) {
	type found struct {
		Node, Post   *apiPost
		Nodes, Posts []*apiPost
	}
	const document = `query($id: ID!, $number: String!) {
		node(id: $id) { ... on Post { ` + postFields + ` } } nodes(ids: [$id]) { ... on Post { ` + postFields + ` } }
		post(databaseId: $number) { ` + postFields + ` } posts(databaseIds: [$number]) { ` + postFields + ` }
	}`
	got, err := askAs[found](ctx, c.apiClient, viewer, document, variables{"id": postID(id), "number": id.String()})
	if err != nil {
		return nil, err
	}
	want, err := c.wanted(ctx, viewer, id)
	if diff := cmp.Diff(found{want, want, []*apiPost{want}, []*apiPost{want}}, got); err == nil && diff != "" {
		err = fmt.Errorf("the post differs from the cores' (-cores +API):\n%s", diff)
	}
	if got.Node == nil {
		return nil, err
	}
	return &got.Node.Text, err
}

// PostCounters implements [feedtest.Views]. Moderators see the counters of all posts.
func (c apiViews) PostCounters(ctx context.Context, id feed.PostID) (feed.PostCounters, error) {
	by, headers := moderator()
	got, err := askAs[struct {
		Post struct{ Counters feed.PostCounters }
	}](ctx, c.apiClient, by,
		`query($id: String!) { post: moderatedPost(databaseId: $id) { counters { likes favorites comments reposts } } }`, variables{"id": id.String()}, headers...)
	return got.Post.Counters, err
}

// UserCounters implements [feedtest.Views].
func (c apiViews) UserCounters(ctx context.Context, id feed.UserID) (feed.UserCounters, error) {
	by, headers := moderator()
	got, err := askAs[struct {
		User struct{ Counters feed.UserCounters }
	}](ctx, c.apiClient, by,
		`query($id: String!) { user: moderatedUser(databaseId: $id) { counters { followers following posts } } }`, variables{"id": id.String()}, headers...)
	return got.User.Counters, err
}
