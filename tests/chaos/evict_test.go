package chaos

import (
	"bufio"
	"fmt"
	"net"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestEviction_ChangeShowsOnOtherProcesses runs two API processes whose caches keep a popular
// author's posts for an hour, so that only the change log can make a change through one show on the
// other.
func TestEviction_ChangeShowsOnOtherProcesses(t *testing.T) {
	t.Parallel()
	for name, settings := range map[string][]string{
		"over the Redis of the inboxes":                     {"TIDELINE_REDIS_URL"},
		"over the Redis of the queues if there is no other": {"TIDELINE_QUEUE_REDIS_URL", "TIDELINE_INBOX=sql"},
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
		"TIDELINE_DATABASE_URL="+testenv.Postgres(t), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_DEMO=false",
		"TIDELINE_CACHE_TTL=1h",
		"TIDELINE_PUSH_THRESHOLD=0", // an author with any follower is popular
	)
	harness.ImportFile(t, env, harness.StarFile(t, 3), "7 new, 0 known, 0 bad")
	a := harness.StartServer(t, append(env, "TIDELINE_ROLE=api")...)
	b := harness.StartServer(t, append(env, "TIDELINE_ROLE=api")...)
	harness.StartWorker(t, env)
	star, reader := harness.TokenFor(t, 1), harness.TokenFor(t, 2)
	id := b.Publish(t, star, "version 0")

	last := ""
	t.Run("an edit shows without messages", func(t *testing.T) {
		// Redis refuses to publish and deliver messages, and disconnects listeners.
		redisCommand(t, redis, "ACL SETUSER default resetchannels &asynq:*")
		version := 0
		eventually.True(t, "the star is popular and their post is cached", func() bool {
			before := textOf(t, a, reader, id)
			version++
			last = fmt.Sprint("version ", version)
			edit(t, b, star, id, last)
			return textOf(t, a, reader, id) == before
		})
		if got := textOf(t, b, reader, id); got != last {
			t.Errorf("the process that edited shows %q, not %q", got, last)
		}
		if got := textOf(t, a, star, id); got != last {
			t.Errorf("the author reads %q through the other process, want %q", got, last)
		}
		eventually.True(t, "the last edit shows", func() bool { return textOf(t, a, reader, id) == last })
	})
	redisCommand(t, redis, "ACL SETUSER default allchannels")
	t.Run("an edit shows", func(t *testing.T) {
		edit(t, b, star, id, "edited")
		eventually.True(t, "the edit shows", func() bool { return textOf(t, a, reader, id) == "edited" })
	})
	t.Run("a deletion shows", func(t *testing.T) {
		if ids := a.Home(t, reader, 10, 10); !slices.Equal(ids, []string{id}) {
			t.Fatalf("before it the feed is %v", ids)
		}
		b.DeletePost(t, star, id)
		eventually.True(t, "the deletion shows", func() bool { return textOf(t, a, reader, id) == "" })
		if ids := a.Home(t, reader, 10, 10); len(ids) != 0 {
			t.Errorf("the feed is %v", ids)
		}
	})
}

// textOf returns the text of a post that the token's user sees, empty if the post is hidden.
func textOf(t *testing.T, s *harness.Server, token, id string) string {
	t.Helper()
	var got struct{ Node struct{ Text string } }
	s.Query(t, token, `query($id: ID!) { node(id: $id) { ... on Post { text } } }`, map[string]any{"id": harness.NodeID("Post", id)}, &got)
	return got.Node.Text
}

func edit(t *testing.T, s *harness.Server, token, id, text string) {
	t.Helper()
	var got struct {
		EditPost struct{ Post *struct{ Text string } }
	}
	s.Query(t, token, `mutation($id: ID!, $text: String!) { editPost(input: {postId: $id, text: $text}) { post { text } } }`,
		map[string]any{"id": harness.NodeID("Post", id), "text": text}, &got)
	if got.EditPost.Post == nil || got.EditPost.Post.Text != text {
		t.Fatalf("the edit to %q returns %+v", text, got.EditPost.Post)
	}
}

// redisCommand sends a command whose reply must be OK.
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
		t.Fatalf("the reply to %s is %q (%v), want OK", command, reply, err)
	}
}
