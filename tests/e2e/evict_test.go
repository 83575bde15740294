package e2e

import (
	"bufio"
	"fmt"
	"net"
	"slices"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// TestAChangeThroughOneProcessShowsOnTheOthers runs two API processes whose caches
// keep a big-V's posts for an hour, so that only an eviction can make one of them
// show what was changed through the other.
func TestAChangeThroughOneProcessShowsOnTheOthers(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"over the Redis of the inboxes":                  {"TIDELINE_REDIS_URL"},
		"over that of the queues when there is no other": {"TIDELINE_QUEUE_REDIS_URL", "TIDELINE_INBOX=sql"},
	} {
		t.Run(name, func(t *testing.T) {
			redis := testenv.StartRedis(t, testenv.RedisOptions{})
			settings[0] += "=" + redis.URL()
			changeShowsOnTheOthers(t, redis, settings)
		})
	}
}

func changeShowsOnTheOthers(t *testing.T, redis *testenv.RedisServer, settings []string) {
	t.Helper()
	env := append(settings,
		"TIDELINE_DATABASE_URL="+testenv.Postgres(t), "TIDELINE_JWT_SECRET="+testSecret, "TIDELINE_DEMO=false",
		"TIDELINE_CACHE_TTL=1h",
		"TIDELINE_PUSH_THRESHOLD=0", // who publishes to anybody at all is a big-V
	)
	importFile(t, env, starFile(t, 3), "7 new, 0 known, 0 bad")
	a := startServer(t, append(env, "TIDELINE_ROLE=api")...)
	b := startServer(t, append(env, "TIDELINE_ROLE=api")...)
	startWorker(t, env)
	star, reader := tokenFor(t, 1), tokenFor(t, 2)
	id := b.publish(t, star, "version 0")

	t.Run("without messages the cache shows the past", func(t *testing.T) {
		// Redis lets nobody publish or hear evictions, and cuts off who listens.
		redisCommand(t, redis, "ACL SETUSER default resetchannels &asynq:*")
		version := 0
		eventually.True(t, "the star counts as a big-V and his post is cached", func() bool {
			before := a.text(t, reader, id)
			version++
			b.edit(t, star, id, fmt.Sprint("version ", version))
			return a.text(t, reader, id) == before
		})
		if got, want := b.text(t, reader, id), fmt.Sprint("version ", version); got != want {
			t.Errorf("the process that edited shows %q, not %q", got, want)
		}
		if got, want := a.text(t, star, id), fmt.Sprint("version ", version); got != want {
			t.Errorf("the author reads %q through the other process, and not %q, which he wrote", got, want)
		}
	})
	t.Run("when messages come again, what was missed is made up for", func(t *testing.T) {
		want := b.text(t, reader, id)
		redisCommand(t, redis, "ACL SETUSER default allchannels")
		eventually.True(t, "the last edit shows", func() bool { return a.text(t, reader, id) == want })
	})
	t.Run("an edit shows", func(t *testing.T) {
		b.edit(t, star, id, "edited")
		eventually.True(t, "it does", func() bool { return a.text(t, reader, id) == "edited" })
	})
	t.Run("a deletion shows", func(t *testing.T) {
		if ids := a.home(t, reader, 10, 10); !slices.Equal(ids, []string{id}) {
			t.Fatalf("before it the feed is %v", ids)
		}
		b.remove(t, star, id)
		eventually.True(t, "it does", func() bool { return a.text(t, reader, id) == "" })
		if ids := a.home(t, reader, 10, 10); len(ids) != 0 {
			t.Errorf("the feed is %v", ids)
		}
	})
}

// text returns the text of a post as the token's holder sees it, empty when he does
// not.
func (s *server) text(t *testing.T, token, id string) string {
	t.Helper()
	var got struct{ Node struct{ Text string } }
	s.query(t, token, `query($id: ID!) { node(id: $id) { ... on Post { text } } }`, map[string]any{"id": nodeOf(t, id)}, &got)
	return got.Node.Text
}

func (s *server) edit(t *testing.T, token, id, text string) {
	t.Helper()
	var got struct {
		EditPost struct{ Post *struct{ Text string } }
	}
	s.query(t, token, `mutation($id: ID!, $text: String!) { editPost(input: {postId: $id, text: $text}) { post { text } } }`,
		map[string]any{"id": nodeOf(t, id), "text": text}, &got)
	if got.EditPost.Post == nil || got.EditPost.Post.Text != text {
		t.Fatalf("the edit to %q answers %+v", text, got.EditPost.Post)
	}
}

func (s *server) remove(t *testing.T, token, id string) {
	t.Helper()
	var got struct {
		DeletePost struct{ DeletedPostID *string }
	}
	s.query(t, token, `mutation($id: ID!) { deletePost(input: {postId: $id}) { deletedPostId } }`, map[string]any{"id": nodeOf(t, id)}, &got)
	if got.DeletePost.DeletedPostID == nil {
		t.Fatal("the deletion was refused")
	}
}

// nodeOf returns the global id of a post by its decimal one.
func nodeOf(t *testing.T, id string) string {
	t.Helper()
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return postNode(n)
}

// redisCommand sends a command that answers OK.
func redisCommand(t *testing.T, server *testenv.RedisServer, command string) {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := fmt.Fprintf(conn, "%s\r\n", command); err != nil {
		t.Fatal(err)
	}
	if reply, err := bufio.NewReader(conn).ReadString('\n'); err != nil || reply != "+OK\r\n" {
		t.Fatalf("%s answers %q, %v", command, reply, err)
	}
}
