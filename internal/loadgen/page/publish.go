package page

import (
	"context"
	"errors"
	"strconv"

	"github.com/tideline-feeds/tideline/internal/loadgen/drive"
)

// Publish publishes a text for a user and returns the id of the content.
func Publish(ctx context.Context, s Server, author int64, text string) (int64, error) {
	wire, err := s.wire(author, publish, map[string]any{"input": map[string]any{"text": text}})
	if err != nil {
		return 0, err
	}
	body, err := Fetch(ctx, s.Addr, wire)
	if err != nil {
		return 0, err
	}
	data, err := decode[struct {
		PublishPost struct {
			Post struct {
				DatabaseID string `json:"databaseId"`
			}
			UserErrors []struct{ Message string }
		}
	}](body)
	if err != nil {
		return 0, err
	}
	if refused := data.PublishPost.UserErrors; len(refused) > 0 {
		return 0, errors.New("the publish was refused: " + refused[0].Message)
	}
	return strconv.ParseInt(data.PublishPost.Post.DatabaseID, 10, 64)
}

// StandsFirst says whether a content is the first of a viewer's home feed.
func StandsFirst(c *drive.Conn, s Server, viewer, content int64) (bool, error) {
	wire, err := s.wire(viewer, bare, map[string]any{"first": 1})
	if err != nil {
		return false, err
	}
	body, err := c.Do(wire)
	if err != nil {
		return false, err
	}
	data, err := decode[homeData](body)
	if err != nil {
		return false, err
	}
	edges := data.Viewer.HomeFeed.Edges
	return len(edges) == 1 && edges[0].Node.DatabaseID == strconv.FormatInt(content, 10), nil
}
