//go:build nightly

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// receipts are the posts that many subscribers receive. The subscribers share the cores with the
// server that they measure, so each message costs little: messages with the same text are decoded once.
type receipts struct {
	mu           sync.Mutex
	posts        map[string]string // by the text of a message
	reached      map[string]int    // the number of subscribers by post
	bySubscriber [][]receipt
	err          error // why a subscription ended
}

// receipt is the arrival of a post.
type receipt struct {
	post string
	at   time.Time
}

// read reads the messages of a subscriber until its socket is closed or one is no post.
func (r *receipts) read(i int, conn *websocket.Conn) {
	text := bytes.NewBuffer(make([]byte, 0, 2*bytes.MinRead))
	for more := true; more; {
		// A context that may end would cost two registrations per message.
		_, reader, err := conn.Reader(context.Background())
		text.Reset()
		if err == nil {
			_, err = text.ReadFrom(reader)
		}
		more = r.take(i, text.Bytes(), err)
	}
}

// take records a message. It returns false if the subscription has ended.
func (r *receipts) take(i int, text []byte, err error) bool {
	at := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	post, known := r.posts[string(text)]
	if err == nil && !known {
		post, err = postOf(text)
		r.posts[string(text)] = post
	}
	if err != nil {
		r.err = fmt.Errorf("subscriber %d: %w", i, err)
		return false
	}
	if !slices.ContainsFunc(r.bySubscriber[i], func(earlier receipt) bool { return earlier.post == post }) {
		r.reached[post]++
	}
	r.bySubscriber[i] = append(r.bySubscriber[i], receipt{post, at})
	return true
}

// postOf returns the post of a message, which must be an event with one.
func postOf(text []byte) (string, error) {
	var m message
	err := json.Unmarshal(text, &m)
	post := m.Payload.Data.HomeFeedEdges.Node.DatabaseID
	if err != nil || m.Type != "next" || len(m.Payload.Errors) > 0 || post == "" {
		return "", fmt.Errorf("the message is %s", text)
	}
	return post, nil
}

// await waits until all subscribers have the last of the posts. It returns how long after a time each
// received it, the shortest first. It checks that all have the posts in turn and nothing else.
func (r *receipts) await(t *testing.T, posts []string, began time.Time) []time.Duration {
	t.Helper()
	last := posts[len(posts)-1]
	eventually.True(t, "all subscribers have post "+last, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.reached[last] == len(r.bySubscriber) || len(r.reached) > len(posts) || r.err != nil
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		t.Fatal(r.err)
	}
	took := make([]time.Duration, len(r.bySubscriber))
	for i, got := range r.bySubscriber {
		if !inTurn(got, posts) {
			t.Fatalf("subscriber %d receives %v, want the posts %v", i, got, posts)
		}
		at := slices.IndexFunc(got, func(g receipt) bool { return g.post == last })
		took[i] = got[at].at.Sub(began)
	}
	slices.Sort(took)
	return took
}

// inTurn reports whether posts arrived in turn and no others. Subscribers who get a post before all
// others may get it again, so each may come twice before the next.
func inTurn(got []receipt, posts []string) bool {
	for _, post := range posts {
		if len(got) == 0 || got[0].post != post {
			return false
		}
		if got = got[1:]; len(got) > 0 && got[0].post == post {
			got = got[1:]
		}
	}
	return len(got) == 0
}

func TestReceipts_OnlyInTurn(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]bool{
		"12": true, "1122": true, "122": true,
		"1": false, "21": false, "121": false, "111": false, "1112": false, "123": false, "": false,
	} {
		var arrived []receipt
		for _, post := range strings.Split(got, "") {
			arrived = append(arrived, receipt{post: post})
		}
		if inTurn(arrived, []string{"1", "2"}) != want {
			t.Errorf("after the posts 1 and 2, %q is in turn: %v, want %v", got, !want, want)
		}
	}
}
