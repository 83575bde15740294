package app

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/inbox"
)

// One process looks at servers for all, so it must be one whose servers are in use.
func TestWhoseInboxesAreNotInUseDoesNotLeadTheHeartbeat(t *testing.T) {
	a := &services{layout: inbox.NewLayout(nil, nil, true), heart: &inbox.Heartbeat{Leaders: noLeaders{t}}}
	check(t, a.whileUsable(a.heart.Beat)(t.Context()))
}

// noLeaders are never asked.
type noLeaders struct{ t *testing.T }

func (l noLeaders) Lead(context.Context, string, string, time.Duration) (bool, error) {
	l.t.Error("it asks to lead")
	return false, nil
}
