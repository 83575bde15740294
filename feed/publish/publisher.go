package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Draft is the input of a publish.
type Draft struct {
	Text  string
	Media []string
	// Language is a BCP 47 tag; empty for not known, and that of the original for a repost without text.
	Language string `json:",omitempty"` // so that fingerprints of drafts without one stay as they were
	// Audience is nil for everyone. Comments and reposts have that of the post that they answer or share.
	Audience *feed.PostAudience `json:",omitempty"`
	// ReplyTo makes it a comment, RepostOf a repost. At most one of them is set.
	ReplyTo, RepostOf feed.PostID
	// PublishedAt is nil for now. Times in the future are refused.
	PublishedAt *int64
	// IdempotencyKey makes a retry return the first result; empty for none.
	IdempotencyKey string
}

func (d *Draft) kind() feed.Kind {
	switch {
	case d.ReplyTo != 0:
		return feed.KindComment
	case d.RepostOf != 0:
		return feed.KindRepost
	}
	return feed.KindPost
}

// fingerprint digests the draft. It tells a retry from another publish under the same key.
func (d *Draft) fingerprint() string {
	c := *d
	c.IdempotencyKey = ""
	if len(c.Media) == 0 {
		c.Media = nil // an empty list says the same as none
	}
	if c.Audience != nil && *c.Audience == feed.AudiencePublic {
		c.Audience = nil
	}
	b, _ := json.Marshal(c) // strings and numbers always marshal
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Publisher changes posts for their authors and readers.
type Publisher struct {
	Posts feed.PostWriter
	// Counters reads reactions, for [Publisher.React] to remove them from hidden posts.
	Counters feed.Counters
	Viewers  feed.Viewers
	Queue    feed.Queue
	Evictor  feed.Evictor
	// Recorder, if set, counts publishing as activity.
	Recorder *people.ActivityRecorder
	NewID    func() (feed.PostID, error)
	Clock    feed.Clock
	Policy   feed.Policy
	Trace    feed.Trace
}

// Two ids collide with a probability of one in millions. A third try means a broken generator.
const idAttempts = 3

// Publish stores a post by author and starts its fan-out. It is accepted once SQL has it; if the
// queue is down, only the fan-out is delayed. A refusal names the invalid field. A publish counts
// as activity of the author, a retry does not.
func (p *Publisher) Publish(ctx context.Context, author feed.UserID, d Draft) (*feed.Post, error) {
	now := feed.Millis(p.Clock())
	if first, err := p.first(ctx, author, d, now); first != nil || err != nil {
		return first, err
	}
	target, err := p.check(ctx, author, &d)
	if err != nil {
		return nil, err
	}
	post := &feed.Post{
		Author: author, Kind: d.kind(), Text: d.Text, Media: d.Media, Language: d.Language,
		ReplyTo: d.ReplyTo, RepostOf: d.RepostOf, PublishedAt: now,
	}
	if post.LeaveAudience(); d.Audience != nil {
		post.Audience = *d.Audience
	}
	post = post.InAudience(target)
	if post.IsBareRepost() {
		for _, f := range feed.InheritedFields() {
			f.Leave(post)
		}
		post = post.Inherit(target)
	}
	if d.PublishedAt != nil {
		post.PublishedAt = *d.PublishedAt
	}
	stored, err := p.store(ctx, *post, d, now)
	if err != nil {
		return nil, err
	}
	p.Trace.ReportEnqueue(p.dispatch(ctx, stored))
	return stored.Post, nil
}

// dispatch enqueues the only slice of a small audience, or else the planning. An earlier publish
// under the same key has been dispatched; repeating that is harmless.
func (p *Publisher) dispatch(ctx context.Context, stored feed.Publication) error {
	if !stored.Planned {
		return p.Queue.Dispatch(ctx, []feed.Dispatchable[feed.PostID]{{Ref: stored.Post.ID}})
	}
	return p.Queue.Push(ctx, []feed.Dispatchable[feed.SliceRef]{{Ref: feed.SliceOfAll(stored.Post.ID).SliceRef}})
}

// first returns the post of an earlier publish under the draft's key, nil if there is none. It
// comes before all checks: the post that a comment answers may be gone, and a retry of a success
// must not fail.
func (p *Publisher) first(ctx context.Context, author feed.UserID, d Draft, now int64) (*feed.Post, error) {
	if d.IdempotencyKey == "" || p.checkKey(d.IdempotencyKey) != nil {
		return nil, nil
	}
	first, err := p.Posts.Published(ctx, author, p.idempotency(d, now))
	if first == nil || err != nil {
		return nil, err
	}
	return p.visibleResult(ctx, author, first.ID)
}

// visibleResult returns the post of an earlier publish if its author can still see it. A retry
// must not return a post that other reads by the author do not show.
func (p *Publisher) visibleResult(ctx context.Context, author feed.UserID, id feed.PostID) (*feed.Post, error) {
	post, err := p.visible(ctx, author, id, "idempotencyKey")
	if feed.CodeOf(err) == feed.CodeNotFound {
		return nil, feed.Errorf(feed.CodeNotFound, "the post published under this key is no longer there").At("idempotencyKey")
	}
	return post, err
}

func (p *Publisher) idempotency(d Draft, now int64) feed.Idempotency {
	return feed.Idempotency{Key: d.IdempotencyKey, Fingerprint: d.fingerprint(), Since: now - p.Policy.IdempotencyFor.Milliseconds()}
}

func (p *Publisher) store(ctx context.Context, post feed.Post, d Draft, now int64) (feed.Publication, error) {
	idem := p.idempotency(d, now)
	first := feed.FirstDispatch{
		EventDue: now + p.Policy.EventPatience.Milliseconds(), SliceDue: now + p.Policy.QueuePatience.Milliseconds(),
		PlanBelow: p.Policy.PlanBelow(),
	}
	for range idAttempts {
		id, err := p.NewID()
		if err != nil {
			return feed.Publication{}, err
		}
		post.ID = id
		stored, err := p.Posts.Publish(ctx, &post, idem, first)
		if err == nil && stored.Post.ID != id {
			stored.Post, err = p.visibleResult(ctx, post.Author, stored.Post.ID)
			return stored, err
		}
		if err == nil && p.Policy.RenewalDue(stored.ActiveUntil, now) {
			p.Recorder.Record(ctx, post.Author)
		}
		if !errors.Is(err, feed.ErrIDTaken) {
			return stored, err
		}
	}
	return feed.Publication{}, errors.New("no free post id found")
}

// Edit changes the text or audience of a post by author, even of a repost whose original is hidden from
// the author, because others may read it. Comments and reposts keep their audience, and so do those of a
// post whose audience changes. It returns [feed.CodeForbidden] for a post by another author, and
// [feed.CodeNotFound] if author may not see it.
func (p *Publisher) Edit(ctx context.Context, author feed.UserID, id feed.PostID, e feed.PostEdit) (*feed.Post, error) {
	post, err := p.own(ctx, author, id)
	if err != nil {
		return nil, err
	}
	if post.DeletedAt != 0 {
		return nil, errNoPost("postId")
	}
	if err := p.checkAudience(e.Audience, post.Kind); err != nil {
		return nil, err
	}
	if e.Text != nil {
		if err := p.Policy.Text(*e.Text, len(post.Media) > 0 || post.RepostOf != 0); err != nil {
			return nil, err
		}
	}
	e.At = feed.Millis(p.Clock())
	edited, err := p.Posts.Edit(ctx, id, e)
	p.Evictor.Evict([]feed.PostID{id}, nil)
	return edited, err
}

// Delete deletes a post by author, with the errors of [Publisher.Edit]. Deleting again changes
// nothing. The store is called in any case, because the first call may still wait for read
// leases.
func (p *Publisher) Delete(ctx context.Context, author feed.UserID, id feed.PostID) error {
	if _, err := p.own(ctx, author, id); err != nil {
		return err
	}
	err := p.Posts.Delete(ctx, id, feed.Millis(p.Clock()))
	p.Evictor.Evict([]feed.PostID{id}, nil)
	return err
}

// React sets or removes a reaction of viewer and returns the post. Repeating either changes
// nothing. It returns [feed.CodeNotFound] for a post that viewer may not see. An existing
// reaction to such a post can still be removed; React then returns nil.
func (p *Publisher) React(ctx context.Context, viewer feed.UserID, r feed.Reaction, id feed.PostID, on bool) (*feed.Post, error) {
	post, err := p.visible(ctx, viewer, id, "postId")
	if !on && feed.CodeOf(err) == feed.CodeNotFound {
		// Without a reaction, the refusal must not reveal whether the post exists.
		did, readErr := p.Counters.Reactions(ctx, viewer, []feed.PostID{id})
		if readErr != nil {
			return nil, readErr
		}
		if did[0].Has(r) {
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	if on {
		err = p.Posts.React(ctx, r, viewer, id, feed.Millis(p.Clock()))
	} else {
		err = p.Posts.Unreact(ctx, r, viewer, id)
	}
	return post, err
}

// own returns a post that viewer may change or has deleted. It must be by viewer, but need not be
// visible to viewer: a repost is hidden with its original.
func (p *Publisher) own(ctx context.Context, viewer feed.UserID, id feed.PostID) (*feed.Post, error) {
	state := p.Viewers.State(viewer)
	posts, err := state.Posts(ctx, []feed.PostID{id})
	if err != nil {
		return nil, err
	}
	if post := posts[0]; post != nil && post.Author == viewer {
		return post, nil
	}
	if _, err := p.visible(ctx, viewer, id, "postId"); err != nil {
		return nil, err
	}
	return nil, feed.Errorf(feed.CodeForbidden, "only its author may change a post").At("postId")
}

func (p *Publisher) visible(ctx context.Context, viewer feed.UserID, id feed.PostID, field string) (*feed.Post, error) {
	state := p.Viewers.State(viewer)
	posts, err := feed.Judge(ctx, viewer, state, []feed.PostID{id}, feed.ScopePublic)
	if err != nil {
		return nil, err
	}
	if posts[0] == nil {
		return nil, errNoPost(field)
	}
	return posts[0], nil
}

func errNoPost(field string) error {
	return feed.Errorf(feed.CodeNotFound, "there is no such post").At(field)
}

// check returns the post that the draft answers or reposts; nil if there is none.
func (p *Publisher) check(ctx context.Context, author feed.UserID, d *Draft) (*feed.Post, error) {
	err := cmp.Or(
		p.Policy.Text(d.Text, len(d.Media) > 0 || d.RepostOf != 0),
		p.Policy.Media(d.Media),
		p.Policy.Language(d.Language),
		p.checkKey(d.IdempotencyKey))
	if err != nil {
		return nil, err
	}
	if d.PublishedAt != nil {
		if err := p.Policy.Past("publishedAt", *d.PublishedAt, feed.Millis(p.Clock())); err != nil {
			return nil, err
		}
	}
	if d.ReplyTo != 0 && d.RepostOf != 0 {
		return nil, feed.Errorf(feed.CodeInvalid, "a post answers or reposts another, not both").At("repostOf")
	}
	if err := p.checkAudience(d.Audience, d.kind()); err != nil {
		return nil, err
	}
	return p.checkTarget(ctx, author, d)
}

// keyMax is the length of an idempotency key in bytes: two UUIDs and some words.
const keyMax = 128

func (p *Publisher) checkKey(key string) error {
	if len(key) > keyMax || !feed.IsPlain(key) {
		return feed.Errorf(feed.CodeInvalid, "the key must be valid text of at most %d bytes", keyMax).At("idempotencyKey")
	}
	return nil
}

// The store checks the length of a chain of reposts.
func (p *Publisher) checkTarget(ctx context.Context, author feed.UserID, d *Draft) (*feed.Post, error) {
	if d.ReplyTo != 0 {
		return p.visible(ctx, author, d.ReplyTo, "replyTo")
	}
	if d.RepostOf == 0 {
		return nil, nil
	}
	original, err := p.visible(ctx, author, d.RepostOf, "repostOf")
	if err == nil && !mayRepost(author, original) {
		return nil, feed.Errorf(feed.CodeForbidden, "a post for followers may be reposted by its author only").At("repostOf")
	}
	return original, err
}

// mayRepost reports whether author may repost a post that they see. A post for followers and one of a
// private account may be reposted by their authors only, a comment in another's thread for followers by
// none.
func mayRepost(author feed.UserID, original *feed.Post) bool {
	isAuthor := original.Author == author
	if original.Audience != feed.AudiencePublic {
		return isAuthor && original.AudienceAuthor == author
	}
	return isAuthor || !original.Accounts.Has(feed.AuthorPrivate)
}

// checkAudience refuses an audience, nil for none, that a post of a kind cannot have.
func (p *Publisher) checkAudience(audience *feed.PostAudience, kind feed.Kind) error {
	switch {
	case audience == nil:
		return nil
	case kind != feed.KindPost:
		return feed.Errorf(feed.CodeInvalid, "a %s has the audience of the post that it answers or shares", kind).At("audience")
	case audience.String() == "":
		return feed.Errorf(feed.CodeInvalid, "there is no such audience").At("audience")
	}
	return nil
}
