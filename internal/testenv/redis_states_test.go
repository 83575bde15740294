package testenv

import (
	"testing"
)

func TestRedisServer_EntersEachState(t *testing.T) {
	s, other := StartRedis(t, RedisOptions{}), StartRedis(t, RedisOptions{})
	write := func() string {
		_, err := s.ask("SET key value")
		if err == nil {
			return ""
		}
		return err.Error()
	}
	for _, state := range []struct {
		code        string
		enter, undo func()
	}{
		{"OOM", s.FillMemory, s.FreeMemory},
		{"READONLY", func() { s.Follow(other) }, s.Promote},
		{"BUSY", s.RunScript, s.KillScript},
		{"LOADING", s.LoadSlowly, s.FinishLoading},
	} {
		state.enter()
		if got := write(); len(got) < len(state.code) || got[:len(state.code)] != state.code {
			t.Errorf("want %s, got %q", state.code, got)
		}
		state.undo()
		if got := write(); got != "" {
			t.Errorf("after %s a write is refused: %s", state.code, got)
		}
	}
}
