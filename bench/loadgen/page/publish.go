package page

import (
	"context"
	"strconv"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	tideline "github.com/tideline-feeds/tideline/clients/go"
)

// Publish publishes a post with the given text and returns its id.
func Publish(ctx context.Context, s Server, author int64, text string) (int64, error) {
	client := tideline.New("http://"+s.Addr, tideline.WithToken(s.token(author)))
	done, err := tideline.PublishPost(ctx, client, tideline.PublishPostInput{Text: text})
	if err != nil {
		return 0, err
	}
	if err := tideline.Refused(done.PublishPost.UserErrors); err != nil {
		return 0, err
	}
	return strconv.ParseInt(done.PublishPost.FeedEdge.Node.DatabaseId, 10, 64)
}

// IsFirst returns whether a post is the first of a viewer's home feed.
func IsFirst(c *drive.Conn, s Server, viewer, post int64) (bool, error) {
	wire, err := s.wire(viewer, bare, map[string]any{"first": 1})
	if err != nil {
		return false, err
	}
	body, err := c.Do(wire)
	if err != nil {
		return false, err
	}
	page, err := decodeHome(body)
	return len(page.Edges) == 1 && page.Edges[0].Node.DatabaseId == strconv.FormatInt(post, 10), err
}
