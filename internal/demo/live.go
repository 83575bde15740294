package demo

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

const (
	// hostsMax is enough that every user follows some hosts.
	hostsMax = 40
	// New data has about as many live and upcoming sessions as an [Animator] keeps going.
	liveAtFirst     = 8
	upcomingAtFirst = 15
	// aheadMax bounds how far ahead sessions are announced. With a step every five seconds, four
	// sessions a minute begin.
	aheadMax = 5 * time.Minute
	// longest is the maximum duration of a session.
	longest = 3 * time.Minute
)

// Hosts returns the demo users who hold live sessions, stars first. No one can sign in as a host,
// so the sessions of visitors are left alone.
func Hosts(size Size) []feed.UserID {
	var hosts []feed.UserID
	taken := Users(size)
	for id := feed.UserID(1); id <= feed.UserID(size.Users) && len(hosts) < hostsMax; id++ {
		if !slices.Contains(taken, id) {
			hosts = append(hosts, id)
		}
	}
	return hosts
}

func duration(id live.ID) time.Duration { return longest / 3 * time.Duration(1+id%3) }

// replayURL returns the replay of a session; one in four has none.
func replayURL(id live.ID) string {
	if id%4 == 0 {
		return ""
	}
	return fmt.Sprintf("https://replays.example/%d", id)
}

func host(rng *rand.Rand, size Size) feed.UserID {
	hosts := Hosts(size)
	if stars := max(0, size.Stars-1); stars > 0 && rng.IntN(2) == 0 {
		return hosts[rng.IntN(stars)]
	}
	return hosts[rng.IntN(len(hosts))]
}

func title(rng *rand.Rand) string {
	t := topics[rng.IntN(len(topics))]
	return fmt.Sprintf(callings[rng.IntN(len(callings))], t.things[rng.IntN(len(t.things))])
}

func within(rng *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(rng.Int64N(int64(d)))
}

// sessions returns replays at equal intervals, live and upcoming sessions. Their ids have another
// order.
func (g *generator) sessions() []feed.Record {
	var out []feed.Record
	all := g.size.Replays + liveAtFirst + upcomingAtFirst
	step := g.size.Span / time.Duration(g.size.Replays+1)
	for n, no := range g.rng.Perm(all) {
		id := live.ID(1 + no)
		r := &feed.LiveRecord{ID: int64(id), Host: host(g.rng, g.size), Title: title(g.rng)}
		switch {
		case n < g.size.Replays:
			started := g.start().Add(time.Duration(n) * step)
			r.ScheduledAt, r.StartedAt = feed.Millis(started), feed.Millis(started)
			r.EndedAt, r.ReplayURL = feed.Millis(started.Add(min(step, duration(id)))), replayURL(id)
		case n < g.size.Replays+liveAtFirst:
			r.StartedAt = feed.Millis(g.now.Add(-within(g.rng, duration(id))))
			r.ScheduledAt = r.StartedAt
		default:
			r.ScheduledAt = feed.Millis(g.now.Add(time.Second + within(g.rng, aheadMax)))
		}
		out = append(out, feed.Record{Live: r})
	}
	return out
}
