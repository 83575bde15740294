package feedtest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

func (c *script) expect(l *line) func() error {
	switch what := l.word("an expectation"); what {
	case "home", "outbox", "comments", "followers", "following", "live", "sessions":
		return c.expectPage(l, what)
	case "new":
		return c.expectNew(l)
	case "source":
		viewer, want := c.user(l), l.want()
		return func() error { return differs([]string{string(c.LastSource(viewer))}, want) }
	case "inbox":
		return c.expectInbox(l)
	case "counters":
		id, want := c.existingPost(l), l.numbers("likes", "favorites", "comments", "reposts")
		return func() error {
			n, err := c.reader.PostCounters(c.ctx, []feed.PostID{id})
			if err != nil {
				return err
			}
			return want.differ(n[0].Likes, n[0].Favorites, n[0].Comments, n[0].Reposts)
		}
	case "user":
		id, want := c.user(l), l.numbers("followers", "following", "posts")
		return func() error {
			n, err := c.reader.UserCounters(c.ctx, []feed.UserID{id})
			if err != nil {
				return err
			}
			return want.differ(n[0].Followers, n[0].Following, n[0].Posts)
		}
	case "text":
		return c.expectText(l)
	case "hidden":
		return c.expectHidden(l)
	default:
		l.fail(fmt.Errorf("there is no expectation %q", what))
		return nil
	}
}

// differs compares two lists of words.
func differs(got, want []string) error {
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("got %q", strings.Join(got, " "))
}

// These words say whether entries follow or precede a page.
const (
	wordMore = "more"
	wordEnd  = "end"
)

func moreOrEnd(more bool) string {
	if more {
		return wordMore
	}
	return wordEnd
}

func isMoreOrEnd(word string) bool { return word == wordMore || word == wordEnd }

func (c *script) expectPage(l *line, what string) func() error {
	v := c.listView(l, what)
	q, want := c.query(l, v), l.want()
	return func() error {
		page, err := c.page(v, q)
		if err != nil {
			return err
		}
		return differs(page.words(want, q), want)
	}
}

// words describes a page, with more or end on the sides on which want has them.
func (s namedPage) words(want []string, q feed.PageQuery) []string {
	if len(want) == 0 {
		return s.entries()
	}
	newer, older := isMoreOrEnd(want[0]), isMoreOrEnd(want[len(want)-1])
	if len(want) == 1 {
		// The single word of an empty page describes the direction of the read.
		newer, older = newer && q.Last != nil, older && q.Last == nil
	}
	words := slices.Clone(s.entries())
	if newer {
		words = slices.Insert(words, 0, moreOrEnd(s.hasPrevious))
	}
	if older {
		words = append(words, moreOrEnd(s.hasNext))
	}
	return words
}

func (c *script) scroll(l *line) func() error {
	v := c.listView(l, l.word("a list"))
	l.keyword("by")
	n, want := l.count("the size of a page"), l.want()
	directions := []bool{false, true}
	if v.downOnly {
		directions = directions[:1]
	}
	return func() error {
		for _, up := range directions {
			names, err := c.wholeBy(v, n, up)
			if err != nil {
				return err
			}
			if err := differs(names, want); err != nil {
				return fmt.Errorf("scrolling up %t: %w", up, err)
			}
		}
		return nil
	}
}

func (c *script) expectNew(l *line) func() error {
	viewer := c.user(l)
	l.keyword("since")
	since := c.cursor(l, c.home(viewer), l.word("a post"))
	kinds, want := l.kinds(), l.want()
	return func() error {
		n, err := c.reader.NewCount(c.ctx, viewer, feed.HomeRef(), since, kinds)
		if err != nil {
			return err
		}
		return differs([]string{strconv.Itoa(n)}, want)
	}
}

func (c *script) expectInbox(l *line) func() error {
	viewer, want := c.user(l), l.want()
	return func() error {
		in, err := c.Backend.Inboxes.Read(c.ctx, viewer, all())
		if err != nil {
			return err
		}
		version, err := c.Backend.Relations.ViewerVersion(c.ctx, viewer)
		if err != nil {
			return err
		}
		if in.State != feed.InboxReady {
			return differs([]string{"absent"}, want)
		}
		got := []string{"cold"}
		if version.Now < in.WarmUntil {
			got = []string{"warm"}
		}
		for _, k := range in.Keys {
			got = append(got, c.names[feed.PostID(k.ID)])
		}
		return differs(got, want)
	}
}

// seen returns a post as a viewer sees it, or nil if it is hidden.
func (c *script) seen(viewer feed.UserID, id feed.PostID) (*feed.Post, error) {
	posts, err := c.reader.Posts(c.ctx, viewer, []feed.PostID{id})
	if err != nil {
		return nil, err
	}
	return posts[0], nil
}

func (c *script) expectText(l *line) func() error {
	viewer, id, want := c.user(l), c.existingPost(l), l.want()
	return func() error {
		post, err := c.seen(viewer, id)
		if err == nil && post == nil {
			err = errors.New("the viewer cannot see the post")
		}
		if err != nil {
			return err
		}
		return differs([]string{post.Text}, want)
	}
}

func (c *script) expectHidden(l *line) func() error {
	viewer, id := c.user(l), c.existingPost(l)
	return func() error {
		post, err := c.seen(viewer, id)
		if err == nil && post != nil {
			err = errors.New("the viewer can see the post")
		}
		return err
	}
}

func (c *script) expectError(l *line) error {
	code := feed.Code(l.word("a code"))
	err := c.command(l)
	if got := feed.CodeOf(err); got != code {
		return fmt.Errorf("got code %q: %s", got, fmt.Sprint(err))
	}
	return nil
}
