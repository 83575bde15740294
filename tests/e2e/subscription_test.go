package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

const homeFeedEdges = `subscription { homeFeedEdges { cursor node { databaseId } } }`

// subscribeMessage begins the subscription on a WebSocket.
const subscribeMessage = `{"type":"subscribe","id":"1","payload":{"query":"` + homeFeedEdges + `"}}`

// event is one event of a subscription.
type event struct {
	Data   struct{ HomeFeedEdges feedEdge }
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
}

type feedEdge struct {
	Cursor string
	Node   struct{ DatabaseID string }
}

// message is a message on a WebSocket.
type message struct {
	Type    string
	Payload event
}

// overSocket subscribes over a WebSocket. The channel is closed when the subscription is complete.
func (s *server) overSocket(t *testing.T, token string) <-chan event {
	t.Helper()
	return subscribedOn(t, s.socket(t, token))
}

// subscribedOn subscribes over an open WebSocket, like [server.overSocket].
func subscribedOn(t *testing.T, conn *websocket.Conn) <-chan event {
	t.Helper()
	conn.SetReadLimit(1 << 20)
	say(t, conn, subscribeMessage)
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		for {
			_, text, err := conn.Read(t.Context())
			var m message
			if err != nil || json.Unmarshal(text, &m) != nil || m.Type == "complete" {
				return
			}
			if m.Type == "next" {
				events <- m.Payload
			}
		}
	}()
	return events
}

// overEvents subscribes over server-sent events, with headers as for [server.send].
func (s *server) overEvents(t *testing.T, headers ...string) <-chan event {
	t.Helper()
	res := open(t, http.DefaultTransport, http.MethodPost, s.Base+"/graphql", queryOf(homeFeedEdges), append(headers, "Accept: text/event-stream")...)
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() && lines.Text() != "event: complete" {
			var e event
			if data, ok := strings.CutPrefix(lines.Text(), "data:"); ok && json.Unmarshal([]byte(data), &e) == nil {
				events <- e
			}
		}
	}()
	return events
}

// overClient subscribes by the Go client.
func (s *server) overClient(t *testing.T, token string) <-chan event {
	t.Helper()
	subscription, err := tideline.Subscribe(t.Context(), s.Base, tideline.WithToken(token))
	harness.Check(t, err)
	t.Cleanup(func() { _ = subscription.Close() })
	events := make(chan event, 1000)
	go func() {
		defer close(events)
		for edge, err := subscription.Next(); err == nil; edge, err = subscription.Next() {
			var e event
			e.Data.HomeFeedEdges.Node.DatabaseID = edge.Node.DatabaseId
			events <- e
		}
	}()
	return events
}

// listener is a subscriber of a server.
type listener struct {
	t      *testing.T
	events <-chan event
}

// listening waits until a subscription delivers: the viewer publishes until an event arrives.
// Events of these posts may still arrive later, in any order.
func (s *server) listening(t *testing.T, token string, events <-chan event) listener {
	t.Helper()
	l := listener{t, events}
	eventually.True(t, "a subscriber receives an event", func() bool {
		s.Publish(t, token, "ping")
		select {
		case e, ok := <-events:
			if !ok || len(e.Errors) > 0 {
				t.Fatalf("the subscription ended with %+v", e)
			}
			return true
		default:
			return false
		}
	})
	return l
}

// upTo returns the events before a post.
func (l listener) upTo(id string) []string {
	l.t.Helper()
	var before []string
	deadline := time.After(eventually.Limit)
	for {
		select {
		case e, ok := <-l.events:
			if !ok || len(e.Errors) > 0 {
				l.t.Fatalf("the subscription ended with %+v before post %s", e, id)
			}
			got := e.Data.HomeFeedEdges.Node.DatabaseID
			if got == id {
				return before
			}
			before = append(before, got)
		case <-deadline:
			l.t.Fatalf("post %s never arrives", id)
		}
	}
}

// upToEnd returns the events until the subscription ends.
func (l listener) upToEnd() (ids []string) {
	l.t.Helper()
	deadline := time.After(eventually.Limit)
	for {
		select {
		case e, ok := <-l.events:
			if !ok {
				return ids
			}
			ids = append(ids, e.Data.HomeFeedEdges.Node.DatabaseID)
		case <-deadline:
			l.t.Fatal("the subscription does not end")
		}
	}
}

// TestSubscription_ReachesEveryProcess subscribes at two processes, in three ways, while a third one
// pushes: with posts that are pushed and posts that are pulled. A restart of Redis, which keeps its
// data, ends none.
func TestSubscription_ReachesEveryProcess(t *testing.T) {
	t.Parallel()
	for _, fanout := range []string{"hybrid", "pull"} {
		t.Run(fanout, func(t *testing.T) {
			t.Parallel()
			redis := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
			env := shared(t, "TIDELINE_REDIS_URL="+redis.URL(), noDemo, "TIDELINE_FANOUT="+fanout)
			harness.ImportFile(t, env, harness.StarFile(t, 3), "7 new, 0 known, 0 bad")
			one, other := startServer(t, append(env, "TIDELINE_ROLE=api")...), startServer(t, append(env, "TIDELINE_ROLE=api")...)
			harness.StartWorker(t, env)
			star, ann, bob := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3)
			a := one.listening(t, ann, one.overSocket(t, ann))
			listeners := []listener{a, other.listening(t, bob, other.overEvents(t, as(bob))), other.listening(t, bob, other.overClient(t, bob))}
			reaches := func(id string, all []listener) {
				t.Helper()
				for _, l := range all {
					l.upTo(id)
				}
			}

			reaches(other.Publish(t, star, "to all"), listeners)
			one.relate(t, ann, "muteUser", "1")
			second := one.Publish(t, star, "not to ann")
			reaches(second, listeners[1:])
			if slices.Contains(a.upTo(one.Publish(t, ann, "her own")), second) {
				t.Error("Ann receives posts of a muted author")
			}

			redis.Restart()
			reaches(one.Publish(t, star, "after a restart of Redis"), listeners[1:])
			one.relate(t, ann, "unmuteUser", "1")
			reaches(one.Publish(t, star, "to all again"), listeners)
		})
	}
}

// relate sends a mutation about a user as the token's user.
func (s *server) relate(t *testing.T, token, mutation, user string) {
	t.Helper()
	var got struct {
		Done struct{ UserErrors []struct{ Message string } }
	}
	s.Query(t, token, `mutation($id: ID!) { done: `+mutation+`(input: {userId: $id}) { userErrors { message } } }`,
		map[string]any{"id": harness.NodeID("User", user)}, &got)
	if len(got.Done.UserErrors) > 0 {
		t.Fatalf("%s was refused: %v", mutation, got.Done.UserErrors)
	}
}

// signOut revokes a token, as a page does.
func (s *server) signOut(t *testing.T, token string) {
	t.Helper()
	if got := s.send(t, http.MethodDelete, "/session", "", "Cookie: tideline_session="+token); got.StatusCode != http.StatusNoContent {
		t.Fatalf("the response to signing out is %d %s", got.StatusCode, got.body)
	}
}

// deleteAccount deletes the account of a user without a record.
func (s *server) deleteAccount(t *testing.T, handle string, headers ...string) {
	t.Helper()
	if got := s.ask(t, `mutation { deleteAccount(input: {confirmHandle: "`+handle+`"}) { userErrors { message } } }`, headers...); !strings.Contains(got.body, `"userErrors":[]`) {
		t.Fatalf("the response to deleting the account is %s", got.body)
	}
}

// After a token is revoked by one process, its sockets and streams at all processes deliver no later
// post and end, within a second on an idle machine; requests are refused.
func TestRevocation_EndsDeliveryInAllProcesses(t *testing.T) {
	env := shared(t, noDemo)
	servers := []*server{startServer(t, env...), startServer(t, env...)}
	one, other := servers[0], servers[1]
	signedOut, deleted, stays, author := harness.TokenFor(t, 1), harness.TokenFor(t, 2), harness.TokenFor(t, 3), harness.TokenFor(t, 4)
	other.Publish(t, author, "the first")
	open := map[string][]listener{}
	for _, token := range []string{signedOut, deleted, stays} {
		one.Follow(t, token, 4)
		for _, s := range servers {
			open[token] = append(open[token],
				s.listening(t, token, s.overSocket(t, token)), s.listening(t, token, s.overEvents(t, as(token))))
		}
	}
	idle := other.socket(t, signedOut)

	one.signOut(t, signedOut)
	one.deleteAccount(t, "user2", as(deleted))
	revoked := time.Now()
	var after []string
	for range 3 {
		after = append(after, other.Publish(t, author, "after the revocation"))
	}
	for _, l := range slices.Concat(open[signedOut], open[deleted]) {
		for _, id := range l.upToEnd() {
			if slices.Contains(after, id) {
				t.Errorf("%s, published after the revocation, is delivered", id)
			}
		}
		took := time.Since(revoked)
		t.Logf("a connection has ended %v after the revocation", took.Round(time.Millisecond))
		if took > harness.AtMost(time.Second) {
			t.Errorf("a connection ends %v after the revocation", took)
		}
	}
	if _, _, err := idle.Read(eventually.Context(t)); websocket.CloseStatus(err) != 4403 {
		t.Errorf("the idle socket is closed with %v", err)
	}
	for _, l := range open[stays] {
		l.upTo(after[0])
	}
	for token, want := range map[string]int{signedOut: http.StatusUnauthorized, deleted: http.StatusUnauthorized, stays: http.StatusOK} {
		if got := other.ask(t, `{ __typename }`, as(token)); got.StatusCode != want {
			t.Errorf("a request returns %d, want %d", got.StatusCode, want)
		}
	}
}

// busyWith reads the feeds of some readers from a server continuously until the test ends, so that
// their state is in its viewer cache.
func (s *server) busyWith(t *testing.T, readers ...feed.UserID) {
	t.Helper()
	var reading sync.WaitGroup
	t.Cleanup(reading.Wait) // the test's context has ended before
	for _, reader := range readers {
		client := harness.NewCaller(s.Base)
		reading.Go(func() {
			for t.Context().Err() == nil {
				_, _, _ = client.Page(t.Context(), reader, 1, nil) // it only loads the server
			}
		})
	}
}

// rename changes the name of the token's user.
func (s *server) rename(t *testing.T, token, name string) {
	t.Helper()
	var got struct {
		UpdateProfile struct{ User *struct{ Name string } }
	}
	s.Query(t, token, `mutation($name: String) { updateProfile(input: {name: $name}) { user { name } } }`, map[string]any{"name": name}, &got)
	if got.UpdateProfile.User == nil {
		t.Fatalf("the name %q was refused", name)
	}
}

// Of three API processes, one reads very often, and one has no viewer cache. Each must show a change through the third in the next read.
func TestChangeFeed_OtherProcessesShowChangesAtOnce(t *testing.T) {
	t.Parallel()
	env := shared(t, noDemo, "TIDELINE_RATE_LIMIT=0", "TIDELINE_ADMIN_ADDR=127.0.0.1:0")
	harness.ImportFile(t, env, harness.StarFile(t, 4), "9 new, 0 known, 0 bad")
	a, b := startServer(t, append(env, "TIDELINE_ROLE=api")...), startServer(t, append(env, "TIDELINE_ROLE=api")...)
	forgetful := startServer(t, append(env, "TIDELINE_ROLE=api", "TIDELINE_CACHE_MB=0")...)
	harness.StartWorker(t, env)
	star, reader := harness.TokenFor(t, 1), harness.TokenFor(t, 2)
	id := a.Publish(t, star, "news")
	eventually.True(t, "the post is pushed", func() bool { return len(b.Home(t, reader, 50, 50)) == 1 })
	b.busyWith(t, 3, 4, 5)

	want := []string{id}
	shows := func(after string) {
		t.Helper()
		for name, other := range map[string]*server{"busy": b, "forgetful": forgetful} {
			if got := other.Home(t, reader, 50, 50); !slices.Equal(got, want) {
				t.Fatalf("after %s the %s process shows %v, want %v", after, name, got, want)
			}
		}
	}
	titles := []string{}
	for range 8 {
		a.relate(t, reader, "muteUser", "1")
		own := slices.DeleteFunc(slices.Clone(want), func(one string) bool { return one == id })
		all := want
		want = own
		shows("a mute")
		a.relate(t, reader, "unmuteUser", "1")
		want = all
		shows("the end of a mute")
		a.relate(t, reader, "unfollowUser", "1")
		want = own
		shows("an unfollow")
		a.Follow(t, reader, 1)
		want = all
		shows("a follow")
		a.relate(t, star, "hideFromUser", "2")
		want = own
		shows("a hide")
		a.relate(t, star, "unhideFromUser", "2")
		want = all
		shows("the end of a hide")
		want = slices.Insert(want, 0, a.Publish(t, reader, "something"))
		shows("a publish")
		a.schedule(t, reader, "a session", len(titles)+1)
		titles = append(titles, "a session UPCOMING UPCOMING")
		name := fmt.Sprintf("Reader with %d sessions", len(titles))
		a.rename(t, reader, name)
		if got := b.ask(t, `{ viewer { liveFeed(first: 1) { nodes { host { name } } } } }`, as(reader)); !strings.Contains(got.body, `"host":{"name":"`+name+`"}`) {
			t.Fatalf("after a rename to %q the other process shows %s", name, got.body)
		}
		if got := b.liveFeed(t, reader, 50, func() {}); !slices.Equal(got, titles) {
			t.Fatalf("after an announcement the other process shows %v, want %v", got, titles)
		}
	}
	a.DeletePost(t, reader, want[0])
	want = want[1:]
	shows("a deletion")
}
