package inbox_test

import (
	"cmp"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// lapsed lets ann have followed star, who is selective, and been away since.
func lapsed(v fixture.Service) {
	v.Flag(star, feed.FlagSelective)
	v.Cover(ann, star)
	v.EndLeases()
}

// covered lets ann have an inbox that covers star.
func covered(v fixture.Service) {
	v.Cover(ann, star)
}

func build(v fixture.Service) feedtest.Actor     { return func() { v.BuildInbox(ann) } }
func warmUp(v fixture.Service) feedtest.Actor    { return func() { v.WarmUp(ann) } }
func reconcile(v fixture.Service) feedtest.Actor { return func() { v.Reconcile(ann) } }

func TestInterleavings_TwoWritersLeaveExactFeed(t *testing.T) {
	for name, sc := range map[string]fixture.Interleaving{
		"a build and a publish": {
			Before: func(v fixture.Service) { v.Follow(ann, star) },
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{build(v), v.Publishes(star, 1)} },
		},
		"a build and a publish by a selective author": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				v.Follow(ann, star)
				v.Flag(star, feed.FlagSelective)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{build(v), v.Publishes(star, 1)} },
		},
		"a build and a publish by one who becomes selective by it": {
			Mode:     feed.FanoutHybrid,
			OneBatch: true,
			Before: func(v fixture.Service) {
				v.Follow(ann, star)
				v.Follow(bob, star)
				v.Follow(cem, star)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{build(v), v.Publishes(star, 1)} },
		},
		"a build and a publish that is not pushed": {
			Mode:   feed.FanoutPull,
			Before: func(v fixture.Service) { v.Follow(ann, star) },
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{build(v), v.Publishes(star, 1)} },
		},
		"a warm-up and a publish": {
			Mode:   feed.FanoutHybrid,
			Before: lapsed,
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{warmUp(v), v.Publishes(star, 1)} },
		},
		"a warm-up and a publish by one who becomes selective by it": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				covered(v)
				v.Follow(bob, star)
				v.Follow(cem, star)
				v.EndLeases()
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{warmUp(v), v.Publishes(star, 1)} },
		},
		"a renewal and a publish": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				lapsed(v)
				v.WarmUp(ann)
				v.Clock.Advance(v.Policy.ActiveFor - time.Second)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), func() {
					v.Clock.Advance(time.Second)
					v.Publishes(star, 1)()
				}}
			},
		},
		"a reconciliation and a publish by the newly followed": {
			Before: func(v fixture.Service) {
				v.BuildInbox(ann)
				v.Follow(ann, star)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{reconcile(v), v.Publishes(star, 1)} },
		},
		"a reconciliation and a publish by a newly followed selective author, away": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagSelective)
				v.BuildInbox(ann)
				v.EndLeases()
				v.Follow(ann, star)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{reconcile(v), v.Publishes(star, 1)} },
		},
		"a follow and a publish": {
			Before: func(v fixture.Service) { v.BuildInbox(ann) },
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{func() { v.Follow(ann, star) }, v.Publishes(star, 1)}
			},
		},
	} {
		for by, plan := range map[string]func(v fixture.Service){
			"planned by the publish, if the audience is small": func(fixture.Service) {},
			"planned by a task": func(v fixture.Service) { v.Publisher.Policy.Fanout = feed.FanoutPull },
		} {
			t.Run(name+", "+by, func(t *testing.T) {
				sc := sc
				sc.Mode = cmp.Or(sc.Mode, feed.FanoutPush)
				before := sc.Before
				sc.Before = func(v fixture.Service) {
					plan(v)
					before(v)
				}
				sc.RunWith(t, 100_000, true)
			})
		}
	}
}

// flagged lets ann have an inbox of a version before star's post 1, which no push adds to it.
func flagged(v fixture.Service) {
	covered(v)
	v.Flag(star, feed.FlagUnpushed)
	v.Deliver(star, 1)
}

func lower(v fixture.Service) feedtest.Actor {
	return func() {
		v.Yield()
		v.LowerFlag(star)
	}
}

func TestInterleavings_LoweredFlagLeavesExactFeed(t *testing.T) {
	const first, second = 1, 2
	posts := func(v fixture.Service) feedtest.Actor {
		return func() {
			v.Yield()
			v.Post(star, second)
		}
	}
	for name, sc := range map[string]fixture.Interleaving{
		"and a publish": {
			Before: flagged,
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{lower(v), v.Publishes(star, second)} },
			Want:   []feed.PostID{second, first},
		},
		"and a publish that raises it again": {
			Mode:   feed.FanoutPull,
			Before: flagged,
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{lower(v), v.Publishes(star, second)} },
			Want:   []feed.PostID{second, first},
		},
		"and a publish by a selective author": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				lapsed(v)
				v.Deliver(star, first)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{lower(v), v.Publishes(star, second)} },
			Want:   []feed.PostID{second, first},
		},
		"and a build": {
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagUnpushed)
				v.Follow(ann, star)
				v.Deliver(star, first)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{lower(v), build(v), posts(v)}
			},
			Want: []feed.PostID{second, first},
		},
		"and a reconciliation": {
			Before: func(v fixture.Service) {
				flagged(v)
				v.Follow(ann, moon)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{lower(v), reconcile(v), posts(v)}
			},
			Want: []feed.PostID{second, first},
		},
		"and a warm-up, of a selective author": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				lapsed(v)
				v.Deliver(star, first)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{lower(v), warmUp(v), posts(v)}
			},
			Want: []feed.PostID{second, first},
		},
		"and a follow": {
			Before: func(v fixture.Service) {
				v.BuildInbox(ann)
				v.Flag(star, feed.FlagUnpushed)
				v.Deliver(star, first)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{lower(v), func() {
					v.Yield()
					v.Follow(ann, star)
					v.Reconcile(ann)
				}}
			},
			Want: []feed.PostID{first},
		},
		"and the loss of the last writes of the inbox": {
			Before: flagged,
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{func() {
					v.Server.Save()
					v.Reconcile(ann)
					v.Yield()
					v.Server.Restore()
				}, lower(v)}
			},
			Want: []feed.PostID{first},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = cmp.Or(sc.Mode, feed.FanoutPush)
			sc.RunWith(t, 100_000, true)
		})
	}
}

func TestInterleavings_BuildersLeaveExactFeed(t *testing.T) {
	for name, sc := range map[string]fixture.Interleaving{
		"two builds and a publish": {
			Before: func(v fixture.Service) { v.Follow(ann, star) },
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{build(v), build(v), func() { v.Post(star, 1) }}
			},
		},
		"a warm-up, a reconciliation and a publish by the newly followed": {
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagSelective)
				v.BuildInbox(ann)
				v.EndLeases()
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), func() {
					v.Follow(ann, star)
					v.Reconcile(ann)
				}, func() { v.Post(star, 1) }}
			},
		},
		"two reconciliations and a follow after an unfollow": {
			Before: func(v fixture.Service) {
				covered(v)
				v.Deliver(star, 1)
				v.Unfollow(ann, star)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{reconcile(v), func() {
					v.Follow(ann, star)
					v.Reconcile(ann)
				}}
			},
			Want: []feed.PostID{1},
		},
		"a build, and a follow and its reconciliation": {
			Before: func(v fixture.Service) { v.Post(star, 1) },
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{build(v), func() {
					v.Follow(ann, star)
					v.Reconcile(ann)
				}}
			},
			Want: []feed.PostID{1},
		},
		"a warm-up, another, and the end of the lease": {
			Before: lapsed,
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), warmUp(v), func() { v.EndLeases() }}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = feed.FanoutHybrid
			sc.RunWith(t, 100_000, true)
		})
	}
}

// scrolls is an actor that publishes, as star, a content back-dated below what ann's
// first page will show, and then reads her feed in pages of one: the first a step at a
// time, and the others later at once. It fails the test when they do not meet what the
// first page, at any depth, could have shown. The content's push is pending until rest.
func scrolls(v fixture.Service) feedtest.Actor {
	return func() {
		v.IDs = []feed.PostID{2}
		past := v.Clock.Millis() - 1
		_, err := v.Publisher.Publish(v.Context(), star, publish.Draft{Text: "text", PublishedAt: &past})
		v.Must(err)
		page, source := v.Page(ann, 1, ""), v.LastSource(ann)
		var due []feed.PostID
		v.Atomically(func() { due = v.Scroll(ann, page) })
		if source == feed.SourceInbox && v.LastSource(ann) == feed.SourceReference {
			// The inbox of the first page is gone meanwhile, so it is unknown what it would have
			// shown. Other tests cover that case.
			due = nil
		}
		v.Yield()
		v.Atomically(func() {
			if met := v.Scroll(ann, page); !includes(met, due) {
				v.Errorf("the scroll meets %v behind its first page, which could have shown %v", met, due)
			}
		})
	}
}

// includes says whether all has every one of some.
func includes(all, some []feed.PostID) bool {
	return !slices.ContainsFunc(some, func(id feed.PostID) bool { return !slices.Contains(all, id) })
}

func TestInterleavings_ScrollMissesNothing(t *testing.T) {
	for name, sc := range map[string]fixture.Interleaving{
		"while the inbox is reconciled": {
			Before: func(v fixture.Service) {
				v.BuildInbox(ann)
				v.Follow(ann, star)
				v.Post(star, 1, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{scrolls(v), reconcile(v)} },
		},
		"while the inbox is warmed up": {
			Before: func(v fixture.Service) {
				lapsed(v)
				v.Deliver(star, 1, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{scrolls(v), warmUp(v)} },
		},
		"while the inbox is built": {
			Before: func(v fixture.Service) {
				v.Follow(ann, star)
				v.Deliver(star, 1, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor { return []feedtest.Actor{scrolls(v), build(v)} },
		},
		"while the flag of an unpushed author falls": {
			Before: func(v fixture.Service) {
				flagged(v)
				v.Deliver(star, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{scrolls(v), func() {
					lower(v)()
					v.Yield()
					v.Atomically(func() { v.Reconcile(ann) })
				}}
			},
		},
		"while the flag of a selective author falls": {
			Before: func(v fixture.Service) {
				lapsed(v)
				v.Deliver(star, 1, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{scrolls(v), func() {
					lower(v)()
					v.Yield()
					v.Atomically(func() { v.Reconcile(ann) })
				}}
			},
		},
		"while all flags fall and the inbox is built again": {
			Before: func(v fixture.Service) {
				flagged(v)
				v.Deliver(star, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{scrolls(v), func() {
					v.Yield()
					_, err := v.Flags.LowerFlags(v.Context(), 100)
					v.Must(err)
					v.Yield()
					v.Atomically(func() { v.BuildInbox(ann) })
				}}
			},
		},
		"while the inbox is lost and built again": {
			Before: func(v fixture.Service) {
				covered(v)
				v.Deliver(star, 1, 3)
			},
			Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{scrolls(v), func() {
					v.LoseInbox(ann)
					v.BuildInbox(ann)
				}}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = feed.FanoutHybrid
			sc.Run(t, 100_000)
		})
	}
}
