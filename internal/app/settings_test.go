package app

import (
	"testing"
	"time"
)

func TestRedisSettings_SelectServers(t *testing.T) {
	const one, other = "redis://one", "redis://other"
	for _, c := range []struct {
		inbox, redis, queue string
		wantMain, wantQueue string
		wantEmbedded        bool
		because             string
	}{
		{"redis", Embedded, "", Embedded, Embedded, true, "nothing is named"},
		{"redis", one, "", one, one, false, "one is named for everything"},
		{"redis", one, other, one, other, false, "each is named"},
		{"redis", Embedded, other, Embedded, other, true, "nothing says that inboxes may be kept beside the tasks"},
		{"sql", Embedded, "", Embedded, Embedded, true, "nothing is named"},
		{"sql", one, "", one, one, false, "one is named for everything"},
		{"sql", one, other, one, other, false, "each is named"},
		{"sql", Embedded, other, other, other, false, "only messages are left, and the queues' Redis is shared"},
	} {
		got := RedisSettings{RedisURL: c.redis, QueueRedisURL: c.queue}.Servers(c.inbox)
		if got.Main.URL != c.wantMain || got.Queue.URL != c.wantQueue || got.IsEmbedded() != c.wantEmbedded {
			t.Errorf("inboxes in %s, --redis-url=%s --queue-redis-url=%s: got %+v; %s", c.inbox, c.redis, c.queue, got, c.because)
		}
	}
}

func TestActivitySettings_AllowBothBounds(t *testing.T) {
	for _, d := range []time.Duration{time.Minute, 87600 * time.Hour} {
		s := feedSettings{ActivitySettings: ActivitySettings{ActiveFor: d}, SubtaskSize: 1, PushTogether: 1, ChangesKept: d, ReorderWindow: d, InboxSettings: InboxSettings{InboxCap: 1}}
		if err := s.Check(); err != nil {
			t.Errorf("--active-for=%v: %v", d, err)
		}
	}
}

func TestPolicy_KeepsInboxTwiceAsLong(t *testing.T) {
	p := feedSettings{ActivitySettings: ActivitySettings{ActiveFor: 36 * time.Hour}}.policy()
	if p.ActiveFor != 36*time.Hour || p.DormantFor != 36*time.Hour {
		t.Errorf("active for %v and kept for %v after that, want 36h each", p.ActiveFor, p.DormantFor)
	}
}
