package app

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

// addOnline records users who subscribe or read, and lets fan-outs serve them first.
func (a *services) addOnline(st *stores, p feed.Policy) {
	users := redisstore.NewOnlineUsers(st.redis, st.clock.now, p.OnlineMax, p.OnlineFor)
	a.fanout.Online = users
	a.online = &people.OnlineRecorder{Online: users, Connected: a.subscribe.Connected, Clock: st.clock.now, Policy: p}
	a.subscribe.Joined = a.online.Came
	read := a.timeline.Trace.PageRead
	a.timeline.Trace.PageRead = func(viewer feed.UserID, r feed.Reading) {
		read(viewer, r)
		a.online.Saw(viewer)
	}
}
