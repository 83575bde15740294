package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	tideline "github.com/tideline-feeds/tideline/clients/go"
)

// Wanted is the expected page: its posts in order, and whether more follow.
type Wanted struct {
	Posts []world.Post
	More  bool
	// Sources are the possible authors.
	Sources map[int64]bool
}

// errAnonymous reports a page for an anonymous viewer.
var errAnonymous = errors.New("the server treats the viewer as anonymous")

// decode parses a response without errors into the generated client's type. Fields that the query
// omits stay empty.
func decode[T any](body []byte) (T, error) {
	var response struct {
		Data   T `json:"data"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	err := json.Unmarshal(body, &response)
	if err == nil && len(response.Errors) > 0 {
		err = errors.New("the server returned the error: " + response.Errors[0].Message)
	}
	return response.Data, err
}

// decodeHome reads a page of the home feed.
func decodeHome(body []byte) (tideline.ContentPage, error) {
	data, err := decode[tideline.HomeFeedResponse](body)
	if err == nil && data.Viewer == nil {
		err = errAnonymous
	}
	if err != nil {
		return tideline.ContentPage{}, err
	}
	return data.Viewer.HomeFeed, nil
}

// verifyHome verifies a page of the home feed and returns its end cursor.
func verifyHome(body []byte, want Wanted) (cursor string, err error) {
	page, err := decodeHome(body)
	if err != nil {
		return "", err
	}
	if err := verifyPosts(page.Edges, want, verifyAuthored); err != nil {
		return "", err
	}
	if page.PageInfo.HasNextPage != want.More {
		return "", fmt.Errorf("hasNextPage is %v, want %v", page.PageInfo.HasNextPage, want.More)
	}
	if end := page.PageInfo.EndCursor; end != nil {
		cursor = *end
	}
	return cursor, nil
}

// verifyBare verifies a page without authors.
func verifyBare(body []byte, want Wanted) error {
	page, err := decodeHome(body)
	if err != nil {
		return err
	}
	return verifyPosts(page.Edges, want, verifyPost)
}

// verifyPosts compares the posts of a page with the expected ones and reports the first difference.
func verifyPosts(shown []tideline.ContentEdge, want Wanted, verify func(tideline.Content, world.Post, Wanted) error) error {
	seen := map[string]bool{}
	for i, e := range shown {
		if seen[e.Node.DatabaseId] {
			return fmt.Errorf("post %s is shown twice", e.Node.DatabaseId)
		}
		seen[e.Node.DatabaseId] = true
		if i >= len(want.Posts) {
			return fmt.Errorf("the page has %d posts, want %d", len(shown), len(want.Posts))
		}
		if err := verify(e.Node, want.Posts[i], want); err != nil {
			return fmt.Errorf("place %d: %w", i+1, err)
		}
	}
	if len(shown) < len(want.Posts) {
		return fmt.Errorf("the page ends after %d of %d posts", len(shown), len(want.Posts))
	}
	return nil
}

// verifyAuthored compares one post and its author.
func verifyAuthored(p tideline.Content, want world.Post, page Wanted) error {
	author, err := strconv.ParseInt(p.Author.DatabaseId, 10, 64)
	if err != nil || !page.Sources[author] {
		return fmt.Errorf("post %s is by %q, which the viewer does not follow", p.DatabaseId, p.Author.DatabaseId)
	}
	if err := verifyPost(p, want, page); err != nil {
		return err
	}
	if author != want.Author || p.Author.Handle != world.Handle(want.Author) {
		return fmt.Errorf("post %d is by %q, want %q", want.ID, p.Author.Handle, world.Handle(want.Author))
	}
	if likes := world.Likes(want); p.Counters.Likes != likes {
		return fmt.Errorf("post %d has %d likes, want %d", want.ID, p.Counters.Likes, likes)
	}
	return nil
}

// verifyPost compares the post's own fields.
func verifyPost(p tideline.Content, want world.Post, _ Wanted) error {
	switch {
	case p.DatabaseId != strconv.FormatInt(want.ID, 10):
		return fmt.Errorf("post %s, want %d", p.DatabaseId, want.ID)
	case p.PublishedAt.UnixMilli() != want.TS:
		return fmt.Errorf("post %d was published at %v, want %v", want.ID, p.PublishedAt, time.UnixMilli(want.TS))
	case p.Text != want.Text:
		return fmt.Errorf("post %d has the text %q, want %q", want.ID, p.Text, want.Text)
	}
	return nil
}

// states maps the states of live sessions to the API's names.
func states() map[int]tideline.LiveState {
	return map[int]tideline.LiveState{
		world.Live: tideline.LiveStateLive, world.Upcoming: tideline.LiveStateUpcoming, world.Replay: tideline.LiveStateReplay,
	}
}

// verifyLive verifies the first page of a live feed.
func verifyLive(body []byte, want []world.Session) error {
	data, err := decode[tideline.LiveFeedResponse](body)
	if err != nil {
		return err
	}
	if data.Viewer == nil {
		return errAnonymous
	}
	edges := data.Viewer.LiveFeed.Edges
	if len(edges) != len(want) {
		return fmt.Errorf("the page has %d sessions, want %d", len(edges), len(want))
	}
	names := states()
	for i, e := range edges {
		if e.Node.DatabaseId != strconv.FormatInt(want[i].ID, 10) || e.State != names[want[i].State] {
			return fmt.Errorf("place %d: session %s (%s), want %d (%s)", i+1, e.Node.DatabaseId, e.State, want[i].ID, names[want[i].State])
		}
	}
	return nil
}
