package redisstore_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// says checks that a Redis takes writes, or says why not.
func says(t *testing.T, c *redisstore.Client, want string) {
	t.Helper()
	err := c.CheckWrites(t.Context())
	var known *feed.Error
	switch {
	case want == "" && err != nil, want != "" && err == nil:
		t.Errorf("CheckWrites returned %v, want %q", err, want)
	case want != "" && (!errors.As(err, &known) || known.Code != feed.CodeUnavailable || known.Message != want):
		t.Errorf("CheckWrites returned %v, want %q", err, want)
	}
}

func TestCheckWrites_SaysWhatIsWrong(t *testing.T) {
	s, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, s.URL())
	for _, state := range []struct {
		enter, undo func()
		want        string
	}{
		{s.FillMemory, s.FreeMemory, "Redis is full"},
		{func() { s.Follow(other) }, s.Promote, "Redis takes no writes, since it is a replica"},
		{s.RunScript, s.KillScript, "Redis is busy with a script"},
		{s.LoadSlowly, s.FinishLoading, "Redis is loading its data"},
		{s.Kill, s.Restart, "Redis cannot be reached"},
	} {
		says(t, c, "")
		state.enter()
		says(t, c, state.want)
		state.undo()
	}
	if n := raw(t, c).Exists(t.Context(), "tideline:pulse").Val(); n != 0 {
		t.Error("it has written a key")
	}
}

func TestCheckWrites_AcceptsEmbedded(t *testing.T) {
	says(t, embedded(t).Client(), "")
}
