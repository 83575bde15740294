package memstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// A test may change returned objects. The model must not change with them.
func TestStore_ReturnsCopies(t *testing.T) {
	s := memstore.New(time.Now)
	u := &feed.User{ID: 9, Handle: "ann"}
	ensured, err := s.EnsureUser(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	p := &feed.Post{ID: 1, Author: 9, Kind: feed.KindPost, Text: "text", Media: []string{"a"}}
	returned, err := s.Publish(t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})
	if err != nil {
		t.Fatal(err)
	}
	p.Media[0], returned.Post.Media[0], returned.Post.Text, u.Handle, ensured.Handle = "b", "c", "other", "x", "y"
	posts, err := s.Posts(t.Context(), []feed.PostID{1})
	if err != nil {
		t.Fatal(err)
	}
	users, err := s.Users(t.Context(), []feed.UserID{9})
	if err != nil {
		t.Fatal(err)
	}
	if posts[0].Text != "text" || posts[0].Media[0] != "a" || users[0].Handle != "ann" {
		t.Errorf("the stored post and user changed with the returned ones: %+v by %+v", posts[0], users[0])
	}
}
