package app

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

// The leader checks its servers for all processes, so they must be the ones in use.
func TestHeartbeat_RequiresInboxesInUse(t *testing.T) {
	a := &services{format: inbox.NewStorageFormat(nil, nil, true), heartbeat: &inbox.Heartbeat{Leaders: noLeaders{t}}}
	check(t, a.whileUsable(a.heartbeat.Beat)(t.Context()))
}

func TestPollFormat_NamesCauseOfChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		in := &stubFormats{inUse: 7}
		a := &services{format: inbox.NewStorageFormat(in, func(context.Context) (int64, error) { return 7, nil }, false)}
		stop := a.pollFormat(t.Context(), slog.New(slog.NewTextHandler(&out, nil)))
		defer stop()
		for _, step := range []struct {
			inUse int64
			err   error
			want  string
		}{
			{7, nil, ""},
			{7, feed.Unavailable("the database", errors.New("refused")), "level=WARN msg=\"cannot determine which inboxes are in use"},
			{8, nil, "level=WARN msg=\"the inboxes of this process are not in use, because other processes have other settings"},
			{7, nil, "level=INFO msg=\"the inboxes of this process are in use again"},
		} {
			in.set(step.inUse, step.err)
			time.Sleep(time.Minute)
			synctest.Wait()
			if got := out.String(); !strings.Contains(got, step.want) || strings.Count(got, "level=") != min(1, len(step.want)) {
				t.Errorf("%d in use, %v: logged %q, want %q", step.inUse, step.err, got, step.want)
			}
			out.Reset()
		}
	})
}

// stubFormats returns what is set.
type stubFormats struct {
	mu    sync.Mutex
	inUse int64
	err   error
}

func (s *stubFormats) set(inUse int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inUse, s.err = inUse, err
}

func (s *stubFormats) InUse(context.Context) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inUse, s.err
}

func (s *stubFormats) UseFormat(ctx context.Context, _ int64, _ time.Duration) (int64, error) {
	return s.InUse(ctx)
}

// noLeaders fails the test when called.
type noLeaders struct{ t *testing.T }

func (l noLeaders) Lead(context.Context, string, string, time.Duration) (bool, error) {
	l.t.Error("the heartbeat asked to lead")
	return false, nil
}
