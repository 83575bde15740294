package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// Wanted is what a page must hold: the posts in their order, and whether more follow.
type Wanted struct {
	Posts []world.Post
	More  bool
	// Sources are those who may stand in it.
	Sources map[int64]bool
}

// answer is a GraphQL answer with something in it.
type answer[T any] struct {
	Data   T `json:"data"`
	Errors []struct {
		Message string `json:"message"`
	} `json:"errors"`
}

// decode reads an answer, which must be one without errors.
func decode[T any](body []byte) (T, error) {
	var a answer[T]
	err := json.Unmarshal(body, &a)
	if err == nil && len(a.Errors) > 0 {
		err = errors.New("the server answers: " + a.Errors[0].Message)
	}
	return a.Data, err
}

// homeData is what the document Home answers.
type homeData struct {
	Viewer struct {
		HomeFeed struct {
			Edges []struct {
				Cursor string
				Node   post
			}
			PageInfo struct {
				HasNextPage bool
				EndCursor   string
			}
		}
	}
}

type post struct {
	DatabaseID  string `json:"databaseId"`
	Text        string
	PublishedAt time.Time
	Author      struct {
		DatabaseID string `json:"databaseId"`
		Handle     string
	}
}

// verifyHome says what is wrong with a page of the home feed, and returns its last cursor.
func verifyHome(body []byte, want Wanted) (cursor string, err error) {
	data, err := decode[homeData](body)
	if err != nil {
		return "", err
	}
	page := data.Viewer.HomeFeed
	var shown []post
	for _, e := range page.Edges {
		shown = append(shown, e.Node)
	}
	if err := verifyPosts(shown, want); err != nil {
		return "", err
	}
	if page.PageInfo.HasNextPage != want.More {
		return "", fmt.Errorf("hasNextPage is %v, which is wrong", page.PageInfo.HasNextPage)
	}
	return page.PageInfo.EndCursor, nil
}

// verifyPosts compares what is shown with what must be, one by one, and says of the first
// that differs what is wrong with it.
func verifyPosts(shown []post, want Wanted) error {
	seen := map[string]bool{}
	for i, p := range shown {
		if seen[p.DatabaseID] {
			return fmt.Errorf("post %s is shown twice", p.DatabaseID)
		}
		seen[p.DatabaseID] = true
		if author, err := strconv.ParseInt(p.Author.DatabaseID, 10, 64); err != nil || !want.Sources[author] {
			return fmt.Errorf("post %s is by %s, whom the viewer does not follow", p.DatabaseID, p.Author.DatabaseID)
		}
		if i >= len(want.Posts) {
			return fmt.Errorf("the page has %d posts and must have %d", len(shown), len(want.Posts))
		}
		if err := verifyPost(p, want.Posts[i]); err != nil {
			return fmt.Errorf("place %d: %w", i+1, err)
		}
	}
	if len(shown) < len(want.Posts) {
		return fmt.Errorf("the page ends after %d of %d posts", len(shown), len(want.Posts))
	}
	return nil
}

func verifyPost(p post, want world.Post) error {
	switch {
	case p.DatabaseID != strconv.FormatInt(want.ID, 10):
		return fmt.Errorf("post %s stands where %d belongs", p.DatabaseID, want.ID)
	case p.PublishedAt.UnixMilli() != want.TS:
		return fmt.Errorf("post %d says that it was published at %v", want.ID, p.PublishedAt)
	case p.Author.DatabaseID != strconv.FormatInt(want.Author, 10) || p.Author.Handle != world.Handle(want.Author):
		return fmt.Errorf("post %d is said to be by %s", want.ID, p.Author.Handle)
	case p.Text != want.Text:
		return fmt.Errorf("post %d has another text", want.ID)
	}
	return nil
}

// verifyBare says what is wrong with a page without authors.
func verifyBare(body []byte, want Wanted) error {
	data, err := decode[homeData](body)
	if err != nil {
		return err
	}
	edges := data.Viewer.HomeFeed.Edges
	if len(edges) != len(want.Posts) {
		return fmt.Errorf("the page has %d posts and must have %d", len(edges), len(want.Posts))
	}
	for i, e := range edges {
		if p := want.Posts[i]; e.Node.DatabaseID != strconv.FormatInt(p.ID, 10) || e.Node.Text != p.Text {
			return fmt.Errorf("place %d: post %s stands where %d belongs", i+1, e.Node.DatabaseID, p.ID)
		}
	}
	return nil
}

// liveData is what the document Live answers.
type liveData struct {
	Viewer struct {
		LiveFeed struct {
			Edges []struct {
				State string
				Node  struct {
					DatabaseID string `json:"databaseId"`
				}
			}
		}
	}
}

// verifyLive says what is wrong with the first page of a live feed.
func verifyLive(body []byte, want []world.Session) error {
	data, err := decode[liveData](body)
	if err != nil {
		return err
	}
	edges := data.Viewer.LiveFeed.Edges
	if len(edges) != len(want) {
		return fmt.Errorf("the page has %d sessions and must have %d", len(edges), len(want))
	}
	names := []string{world.Live: "LIVE", world.Upcoming: "UPCOMING", world.Replay: "REPLAY"}
	for i, e := range edges {
		if e.Node.DatabaseID != strconv.FormatInt(want[i].ID, 10) || e.State != names[want[i].State] {
			return fmt.Errorf("place %d: session %s (%s) stands where %d belongs", i+1, e.Node.DatabaseID, e.State, want[i].ID)
		}
	}
	return nil
}
