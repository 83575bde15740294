package upstream

import (
	"cmp"
	"context"

	"google.golang.org/protobuf/proto"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/feed"
)

// Posts returns an asker of the PostService at a URL.
func (c *Client) Posts(url string) Asker[feed.PostContent] {
	client := c.posts(url)
	return alone(func(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[feed.PostContent], error) {
		response, err := unary(ctx, client.BatchGet, &tidelinev1.PostServiceBatchGetRequest{Ids: idsOf(refs)})
		if err != nil {
			return nil, err
		}
		all := newAnswers[feed.PostContent](refs)
		for _, r := range within(response.GetResults(), refs) {
			all.add(r.GetId(), postAnswer(r))
		}
		return all.inOrder(), nil
	})
}

func postAnswer(r *tidelinev1.PostResult) Answer[feed.PostContent] {
	switch {
	case isMalformed(r):
		return Answer[feed.PostContent]{Status: Invalid}
	case r.GetGone() != nil:
		return Answer[feed.PostContent]{Status: Gone, Version: versionOf(r.GetGone())}
	case r.GetFound() == nil:
		return Answer[feed.PostContent]{}
	}
	p := r.GetFound()
	custom, invalid := customOf(p)
	value := feed.PostContent{Text: p.GetText(), Media: p.GetMedia(), Custom: custom}
	if audience := p.GetAudience(); audience != "" {
		value.Audience, _ = feed.ParseAudience(audience)
	}
	if at := p.GetEditedAt(); at.IsValid() {
		value.EditedAt = max(0, feed.Millis(at.AsTime()))
	}
	return found(p, value, cmp.Or(invalid, feed.RecordRules().Content(value)))
}

// customOf returns the custom fields of a message; none for an empty text.
func customOf(m interface{ GetCustom() string }) (feed.CustomFields, error) {
	if m.GetCustom() == "" {
		return "", nil
	}
	return feed.NewCustomFields([]byte(m.GetCustom()))
}

// Users returns an asker of the UserService at a URL.
func (c *Client) Users(url string) Asker[feed.Profile] {
	client := c.users(url)
	return alone(func(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[feed.Profile], error) {
		response, err := unary(ctx, client.BatchGet, &tidelinev1.UserServiceBatchGetRequest{Ids: idsOf(refs)})
		if err != nil {
			return nil, err
		}
		all := newAnswers[feed.Profile](refs)
		for _, r := range within(response.GetResults(), refs) {
			all.add(r.GetId(), userAnswer(r))
		}
		return all.inOrder(), nil
	})
}

func userAnswer(r *tidelinev1.UserResult) Answer[feed.Profile] {
	switch {
	case isMalformed(r):
		return Answer[feed.Profile]{Status: Invalid}
	case r.GetGone() != nil:
		return Answer[feed.Profile]{Status: Gone, Version: versionOf(r.GetGone())}
	case r.GetFound() == nil:
		return Answer[feed.Profile]{}
	}
	u := r.GetFound()
	custom, invalid := customOf(u)
	value := feed.Profile{Handle: u.GetHandle(), Name: u.GetName(), AvatarURL: u.GetAvatarUrl(), Custom: custom}
	return found(u, value, cmp.Or(invalid, feed.RecordRules().Profile(value)))
}

// Counters returns an asker of the CounterService at a URL. Its answers have no versions.
func (c *Client) Counters(url string) Asker[feed.UpstreamCounters] {
	client := c.counters(url)
	return alone(func(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[feed.UpstreamCounters], error) {
		// The ids of a post and of a user may be the same.
		posts, users := splitCounters(refs)
		response, err := unary(ctx, client.BatchGet, &tidelinev1.CounterServiceBatchGetRequest{PostIds: idsOf(posts), UserIds: idsOf(users)})
		if err != nil {
			return nil, err
		}
		ofPosts, ofUsers := newAnswers[feed.UpstreamCounters](posts), newAnswers[feed.UpstreamCounters](users)
		for _, n := range within(response.GetPosts(), posts) {
			ofPosts.add(n.GetId(), counted(n, feed.UpstreamCounters{Post: feed.PostCounters{
				Likes: n.GetLikes(), Comments: n.GetComments(), Reposts: n.GetReposts(), Favorites: n.GetFavorites(),
			}}))
		}
		for _, n := range within(response.GetUsers(), users) {
			ofUsers.add(n.GetId(), counted(n, feed.UpstreamCounters{User: feed.UserCounters{
				Followers: n.GetFollowers(), Following: n.GetFollowing(), Posts: n.GetPosts(),
			}}))
		}
		return merged(refs, ofPosts.inOrder(), ofUsers.inOrder()), nil
	})
}

func splitCounters(refs []feed.UpstreamRef) (posts, users []feed.UpstreamRef) {
	for _, ref := range refs {
		if ref.Object.B != 0 {
			posts = append(posts, ref)
		} else {
			users = append(users, ref)
		}
	}
	return posts, users
}

// merged returns the answers about posts and users in the order of refs.
func merged[V any](refs []feed.UpstreamRef, posts, users []Answer[V]) []Answer[V] {
	out := make([]Answer[V], len(refs))
	for i, ref := range refs {
		from := &users
		if ref.Object.B != 0 {
			from = &posts
		}
		out[i], *from = (*from)[0], (*from)[1:]
	}
	return out
}

// counted refuses negative counters, which no count is.
func counted(of proto.Message, c feed.UpstreamCounters) Answer[feed.UpstreamCounters] {
	if isMalformed(of) {
		return Answer[feed.UpstreamCounters]{Status: Invalid}
	}
	for _, n := range []int64{c.Post.Likes, c.Post.Comments, c.Post.Reposts, c.Post.Favorites, c.User.Followers, c.User.Following, c.User.Posts} {
		if n < 0 {
			return Answer[feed.UpstreamCounters]{Status: Invalid}
		}
	}
	return Answer[feed.UpstreamCounters]{Status: Found, Value: c}
}

// versioned is a message with a version.
type versioned interface {
	GetVersion() int64
	GetEpoch() int64
}

func versionOf(m versioned) feed.ObjectVersion {
	return feed.ObjectVersion{Epoch: m.GetEpoch(), Number: m.GetVersion()}
}

func found[V any](m versioned, value V, invalid error) Answer[V] {
	if invalid != nil {
		return Answer[V]{Status: Invalid}
	}
	return Answer[V]{Status: Found, Version: versionOf(m), Value: value}
}

func idsOf(refs []feed.UpstreamRef) []string {
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = string(ref.ID)
	}
	return ids
}

// within returns the results that are read: at most twice as many as references.
func within[R any](results []R, refs []feed.UpstreamRef) []R {
	return results[:min(len(results), 2*len(refs))]
}

// answers collects the answers of a response, which come in any order. An id without an answer is
// not found, one with several has that of the highest version, and others are ignored.
type answers[V any] struct {
	list []Answer[V]
	at   map[string]int
}

func newAnswers[V any](refs []feed.UpstreamRef) *answers[V] {
	a := &answers[V]{list: make([]Answer[V], len(refs)), at: make(map[string]int, len(refs))}
	for i, ref := range refs {
		a.at[string(ref.ID)] = i
	}
	return a
}

func (a *answers[V]) add(id string, one Answer[V]) {
	i, asked := a.at[id]
	if !asked {
		return
	}
	switch has := &a.list[i]; {
	case has.Status == NotFound, has.Status == Invalid && one.Status != NotFound, one.Version.Compare(has.Version) > 0:
		*has = one
	}
}

func (a *answers[V]) inOrder() []Answer[V] { return a.list }
