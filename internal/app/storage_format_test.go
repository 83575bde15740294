package app

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/inbox"
)

// The leader checks its servers for all processes, so they must be the ones in use.
func TestHeartbeat_RequiresInboxesInUse(t *testing.T) {
	a := &services{format: inbox.NewStorageFormat(nil, nil, true), heartbeat: &inbox.Heartbeat{Leaders: noLeaders{t}}}
	check(t, a.whileUsable(a.heartbeat.Beat)(t.Context()))
}

// noLeaders fails the test when called.
type noLeaders struct{ t *testing.T }

func (l noLeaders) Lead(context.Context, string, string, time.Duration) (bool, error) {
	l.t.Error("the heartbeat asked to lead")
	return false, nil
}
