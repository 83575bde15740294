package publish

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
)

// Draft is what an author wants to publish.
type Draft struct {
	Text  string
	Media []string
	// ReplyTo makes it a comment, RepostOf a repost; at most one of them is set.
	ReplyTo, RepostOf feed.PostID
	// PublishedAt is nil for now. A time in the past is kept, one in the future is
	// refused.
	PublishedAt *int64
	// IdempotencyKey makes a retry return the first result; empty for none.
	IdempotencyKey string
}

// kind returns what the draft would be.
func (d *Draft) kind() feed.Kind {
	switch {
	case d.ReplyTo != 0:
		return feed.KindComment
	case d.RepostOf != 0:
		return feed.KindRepost
	}
	return feed.KindPost
}

// fingerprint digests the draft, to tell a retry from another publish under the
// same key.
func (d *Draft) fingerprint() string {
	c := *d
	c.IdempotencyKey = ""
	if len(c.Media) == 0 {
		c.Media = nil // an empty list says the same as none
	}
	b, _ := json.Marshal(c) // strings and numbers always marshal
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Publisher changes contents on behalf of their authors and readers.
type Publisher struct {
	Posts feed.PostWriter
	// Counters tells of reactions that stand, for [Publisher.React] to take them back.
	Counters feed.Counters
	Viewers  feed.Viewers
	Queue    feed.Queue
	Evictor  feed.Evictor
	// Recorder, where it is set, counts publishing as activity.
	Recorder *people.ActivityRecorder
	NewID    func() (feed.PostID, error)
	Clock    feed.Clock
	Policy   feed.Policy
	Trace    feed.Trace
}

// idAttempts is how many fresh ids a publish tries. Two ids meet with a chance of
// one in millions, so a third try means that the source of ids is broken.
const idAttempts = 3

// Publish stores a content by author and starts its fan-out. It is accepted as
// soon as SQL has it: a queue that is away delays the fan-out, not the publish.
// What is wrong with a draft is a refusal that names the field. It counts as activity of the
// author, but for the retry of an earlier publish.
func (p *Publisher) Publish(ctx context.Context, author feed.UserID, d Draft) (*feed.Post, error) {
	now := feed.Millis(p.Clock())
	if first, err := p.first(ctx, author, d, now); first != nil || err != nil {
		return first, err
	}
	if err := p.check(ctx, author, &d); err != nil {
		return nil, err
	}
	post := feed.Post{Author: author, Kind: d.kind(), Text: d.Text, Media: d.Media, ReplyTo: d.ReplyTo, RepostOf: d.RepostOf, PublishedAt: now}
	if d.PublishedAt != nil {
		post.PublishedAt = *d.PublishedAt
	}
	stored, err := p.store(ctx, post, d, now)
	if err != nil {
		return nil, err
	}
	// An earlier publish under the same key has its event already; asking twice is
	// harmless.
	p.Trace.ReportEnqueue(p.Queue.Dispatch(ctx, feed.Dispatchable[feed.PostID]{Ref: stored.ID}))
	return stored, nil
}

// first returns what an earlier publish under the draft's key made, nil for none. It is
// asked before anything is checked: what a comment answers may have gone since, and the
// retry must not hear that its first try, which succeeded, was impossible.
func (p *Publisher) first(ctx context.Context, author feed.UserID, d Draft, now int64) (*feed.Post, error) {
	if d.IdempotencyKey == "" || p.checkKey(d.IdempotencyKey) != nil {
		return nil, nil
	}
	first, err := p.Posts.Published(ctx, author, p.idempotency(d, now))
	if first == nil || err != nil {
		return nil, err
	}
	return p.still(ctx, author, first.ID)
}

// still returns what an earlier publish made, if its author can still see it. The result
// of a retry must never be a post that the same author's other reads deny.
func (p *Publisher) still(ctx context.Context, author feed.UserID, id feed.PostID) (*feed.Post, error) {
	post, err := p.seen(ctx, author, id, "idempotencyKey")
	if feed.CodeOf(err) == feed.CodeNotFound {
		return nil, feed.Errorf(feed.CodeNotFound, "the post published under this key is no longer there").At("idempotencyKey")
	}
	return post, err
}

func (p *Publisher) idempotency(d Draft, now int64) feed.Idempotency {
	return feed.Idempotency{Key: d.IdempotencyKey, Fingerprint: d.fingerprint(), Since: now - p.Policy.IdempotencyFor.Milliseconds()}
}

func (p *Publisher) store(ctx context.Context, post feed.Post, d Draft, now int64) (*feed.Post, error) {
	idem := p.idempotency(d, now)
	for range idAttempts {
		id, err := p.NewID()
		if err != nil {
			return nil, err
		}
		post.ID = id
		stored, err := p.Posts.Publish(ctx, &post, idem, now+p.Policy.EventPatience.Milliseconds())
		if err == nil && stored.ID != id {
			return p.still(ctx, post.Author, stored.ID)
		}
		if err == nil {
			p.Recorder.Record(ctx, post.Author)
		}
		if !errors.Is(err, feed.ErrIDTaken) {
			return stored, err
		}
	}
	return nil, errors.New("no free content id found")
}

// Edit changes the text of a content of author's, also of a repost whose original he may
// not see any more: others may read his words. What is not his is [feed.CodeForbidden], or
// [feed.CodeNotFound] when he may not see it.
func (p *Publisher) Edit(ctx context.Context, author feed.UserID, id feed.PostID, text string) (*feed.Post, error) {
	post, err := p.own(ctx, author, id)
	if err != nil {
		return nil, err
	}
	if post.DeletedAt != 0 {
		return nil, errNoPost("postId")
	}
	if err := p.Policy.Text(text, len(post.Media) > 0 || post.RepostOf != 0); err != nil {
		return nil, err
	}
	edited, err := p.Posts.Edit(ctx, id, text, feed.Millis(p.Clock()))
	p.Evictor.Evict([]feed.PostID{id}, nil)
	return edited, err
}

// Delete removes a content of author's from every feed, under the rules of
// [Publisher.Edit]. Deleting twice changes nothing. The store is asked also when it is done
// already: whoever has done it may still be waiting for those who do not know of it yet.
func (p *Publisher) Delete(ctx context.Context, author feed.UserID, id feed.PostID) error {
	if _, err := p.own(ctx, author, id); err != nil {
		return err
	}
	err := p.Posts.Delete(ctx, id, feed.Millis(p.Clock()))
	p.Evictor.Evict([]feed.PostID{id}, nil)
	return err
}

// React sets a reaction of viewer's, or takes it back, and returns the content.
// Doing either twice changes nothing. What the viewer may not see is
// [feed.CodeNotFound], except that a reaction which stands can be taken back: nil is
// returned then for the content.
func (p *Publisher) React(ctx context.Context, viewer feed.UserID, r feed.Reaction, id feed.PostID, on bool) (*feed.Post, error) {
	post, err := p.seen(ctx, viewer, id, "postId")
	if !on && feed.CodeOf(err) == feed.CodeNotFound {
		// Where none stands the refusal remains, or it would tell what there is.
		did, lookErr := p.Counters.Reactions(ctx, viewer, []feed.PostID{id})
		if lookErr != nil {
			return nil, lookErr
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

// own returns a content that viewer may change, or has deleted. That it is his own is enough:
// a repost is not shown to him when its original is not, and is his all the same.
func (p *Publisher) own(ctx context.Context, viewer feed.UserID, id feed.PostID) (*feed.Post, error) {
	state := p.Viewers.State(viewer)
	defer state.Close(ctx)
	posts, err := state.Posts(ctx, []feed.PostID{id})
	if err != nil {
		return nil, err
	}
	if post := posts[0]; post != nil && post.Author == viewer {
		return post, nil
	}
	if _, err := p.seen(ctx, viewer, id, "postId"); err != nil {
		return nil, err
	}
	return nil, feed.Errorf(feed.CodeForbidden, "only its author may change a post").At("postId")
}

// seen returns a content that viewer may see; field is the input that named it.
func (p *Publisher) seen(ctx context.Context, viewer feed.UserID, id feed.PostID, field string) (*feed.Post, error) {
	state := p.Viewers.State(viewer)
	defer state.Close(ctx)
	posts, err := feed.Judge(ctx, viewer, state, []feed.PostID{id}, feed.ScopePublic)
	if err != nil {
		return nil, err
	}
	if posts[0] == nil {
		return nil, errNoPost(field)
	}
	return posts[0], nil
}

// errNoPost is the refusal of what is not there, or not for who asks.
func errNoPost(field string) error {
	return feed.Errorf(feed.CodeNotFound, "there is no such post").At(field)
}

// check refuses a draft that cannot be published.
func (p *Publisher) check(ctx context.Context, author feed.UserID, d *Draft) error {
	if err := p.Policy.Text(d.Text, len(d.Media) > 0 || d.RepostOf != 0); err != nil {
		return err
	}
	if err := p.Policy.Media(d.Media); err != nil {
		return err
	}
	if err := p.checkKey(d.IdempotencyKey); err != nil {
		return err
	}
	if d.PublishedAt != nil {
		if err := p.Policy.Past("publishedAt", *d.PublishedAt, feed.Millis(p.Clock())); err != nil {
			return err
		}
	}
	if d.ReplyTo != 0 && d.RepostOf != 0 {
		return feed.Errorf(feed.CodeInvalid, "a content answers or reposts another, not both").At("repostOf")
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

// checkTarget refuses to answer or repost what the author cannot see. How long a
// chain of reposts may be, the store decides, which knows the chain.
func (p *Publisher) checkTarget(ctx context.Context, author feed.UserID, d *Draft) error {
	if d.ReplyTo != 0 {
		_, err := p.seen(ctx, author, d.ReplyTo, "replyTo")
		return err
	}
	if d.RepostOf != 0 {
		_, err := p.seen(ctx, author, d.RepostOf, "repostOf")
		return err
	}
	return nil
}
