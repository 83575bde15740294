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

// newPosts lets star publish posts that ann's inbox has or pulls.
func newPosts(prepare func(v fixture.Service), ids ...feed.PostID) func(v fixture.Service) {
	return func(v fixture.Service) {
		prepare(v)
		v.Deliver(star, ids...)
	}
}

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

// followed lets ann follow star, without an inbox.
func followed(v fixture.Service) { v.Follow(ann, star) }

// The steps of actors.
func build(v fixture.Service)         { v.BuildInbox(ann) }
func warmUp(v fixture.Service)        { v.WarmUp(ann) }
func reconcile(v fixture.Service)     { v.Reconcile(ann) }
func publishes(v fixture.Service)     { v.Publishes(star, 1)() }
func publishesMore(v fixture.Service) { v.Publishes(star, 2)() }

// followAndReconcile lets ann follow star, and reconciles her inbox.
func followAndReconcile(v fixture.Service) {
	v.Follow(ann, star)
	v.Reconcile(ann)
}

// later lets other actors run before a step.
func later(do func(v fixture.Service)) func(v fixture.Service) {
	return func(v fixture.Service) {
		v.Yield()
		do(v)
	}
}

// lower lowers the flag of star.
func lower(v fixture.Service) { later(func(v fixture.Service) { v.LowerFlag(star) })(v) }

// lowerAndReconcile lowers the flag of star, and later reconciles ann's inbox at once.
func lowerAndReconcile(v fixture.Service) {
	lower(v)
	v.Yield()
	v.Atomically(func() { v.Reconcile(ann) })
}

// posts publishes post 2 by star, without its fan-out.
func posts(v fixture.Service) { later(func(v fixture.Service) { v.Post(star, 2) })(v) }

// together returns an actor for each of the steps.
func together(steps ...func(v fixture.Service)) func(v fixture.Service) []feedtest.Actor {
	return func(v fixture.Service) (actors []feedtest.Actor) {
		for _, do := range steps {
			actors = append(actors, func() { do(v) })
		}
		return actors
	}
}

func TestInterleavings_TwoWritersLeaveExactFeed(t *testing.T) {
	for name, sc := range map[string]fixture.Interleaving{
		"a build and a publish": {Before: followed, Actors: together(build, publishes)},
		"a build and a publish by a selective author": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				v.Follow(ann, star)
				v.Flag(star, feed.FlagSelective)
			},
			Actors: together(build, publishes),
		},
		"a build and a publish by one who becomes selective by it": {
			Mode:     feed.FanoutHybrid,
			OneBatch: true,
			Before: func(v fixture.Service) {
				v.AddFollowers(star, ann, bob, cem)
			},
			Actors: together(build, publishes),
		},
		"a build and a publish that is not pushed": {Mode: feed.FanoutPull, Before: followed, Actors: together(build, publishes)},
		"a warm-up and a publish":                  {Mode: feed.FanoutHybrid, Before: lapsed, Actors: together(warmUp, publishes)},
		"a warm-up and a publish by one who becomes selective by it": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				covered(v)
				v.AddFollowers(star, bob, cem)
				v.EndLeases()
			},
			Actors: together(warmUp, publishes),
		},
		"a renewal and a publish": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				lapsed(v)
				v.WarmUp(ann)
				v.Clock.Advance(v.Policy.ActiveFor - time.Second)
			},
			Actors: together(warmUp, func(v fixture.Service) {
				v.Clock.Advance(time.Second)
				publishes(v)
			}),
		},
		"a reconciliation and a publish by the newly followed": {
			Before: func(v fixture.Service) {
				v.BuildInbox(ann)
				v.Follow(ann, star)
			},
			Actors: together(reconcile, publishes),
		},
		"a reconciliation and a publish by a newly followed selective author, away": {
			Mode: feed.FanoutHybrid,
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagSelective)
				v.BuildInbox(ann)
				v.EndLeases()
				v.Follow(ann, star)
			},
			Actors: together(reconcile, publishes),
		},
		"a follow and a publish": {Before: func(v fixture.Service) { v.BuildInbox(ann) }, Actors: together(followed, publishes)},
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
				sc.RunWith(t, true)
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

func TestInterleavings_LoweredFlagLeavesExactFeed(t *testing.T) {
	const first, second = 1, 2
	for name, sc := range map[string]fixture.Interleaving{
		"and a publish": {Before: flagged, Actors: together(lower, publishesMore), Want: []feed.PostID{second, first}},
		"and a publish that raises it again": {
			Mode:   feed.FanoutPull,
			Before: flagged,
			Actors: together(lower, publishesMore),
			Want:   []feed.PostID{second, first},
		},
		"and a publish by a selective author": {
			Mode:   feed.FanoutHybrid,
			Before: newPosts(lapsed, first),
			Actors: together(lower, publishesMore),
			Want:   []feed.PostID{second, first},
		},
		"and a build": {
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagUnpushed)
				v.Follow(ann, star)
				v.Deliver(star, first)
			},
			Actors: together(lower, build, posts),
			Want:   []feed.PostID{second, first},
		},
		"and a reconciliation": {
			Before: func(v fixture.Service) {
				flagged(v)
				v.Follow(ann, moon)
			},
			Actors: together(lower, reconcile, posts),
			Want:   []feed.PostID{second, first},
		},
		"and a warm-up, of a selective author": {
			Mode:   feed.FanoutHybrid,
			Before: newPosts(lapsed, first),
			Actors: together(lower, warmUp, posts),
			Want:   []feed.PostID{second, first},
		},
		"and a follow": {
			Before: func(v fixture.Service) {
				v.BuildInbox(ann)
				v.Flag(star, feed.FlagUnpushed)
				v.Deliver(star, first)
			},
			Actors: together(lower, later(followAndReconcile)),
			Want:   []feed.PostID{first},
		},
		"and the loss of the last writes of the inbox": {
			Before: flagged,
			Actors: together(func(v fixture.Service) {
				v.Server.Save()
				v.Reconcile(ann)
				v.Yield()
				v.Server.Restore()
			}, lower),
			Want: []feed.PostID{first},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = cmp.Or(sc.Mode, feed.FanoutPush)
			sc.RunWith(t, true)
		})
	}
}

func TestInterleavings_BuildersLeaveExactFeed(t *testing.T) {
	for name, sc := range map[string]fixture.Interleaving{
		"two builds and a publish": {
			Before: followed,
			Actors: together(build, build, func(v fixture.Service) { v.Post(star, 1) }),
		},
		"a warm-up, a reconciliation and a publish by the newly followed": {
			Before: func(v fixture.Service) {
				v.Flag(star, feed.FlagSelective)
				v.BuildInbox(ann)
				v.EndLeases()
			},
			Actors: together(warmUp, followAndReconcile, func(v fixture.Service) { v.Post(star, 1) }),
		},
		"two reconciliations and a follow after an unfollow": {
			Before: func(v fixture.Service) {
				covered(v)
				v.Deliver(star, 1)
				v.Unfollow(ann, star)
			},
			Actors: together(reconcile, followAndReconcile),
			Want:   []feed.PostID{1},
		},
		"a build, and a follow and its reconciliation": {
			Before: func(v fixture.Service) { v.Post(star, 1) },
			Actors: together(build, followAndReconcile),
			Want:   []feed.PostID{1},
		},
		"a warm-up, another, and the end of the lease": {
			Before: lapsed,
			Actors: together(warmUp, warmUp, fixture.Service.EndLeases),
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = feed.FanoutHybrid
			sc.RunWith(t, true)
		})
	}
}

// scrolls is an actor that publishes, as star, a content back-dated below what ann's
// first page will show, and then reads her feed in pages of one: the first a step at a
// time, and the others later at once. It fails the test when they do not meet what the
// first page, at any depth, could have shown. The content's push is pending until rest.
func scrolls(v fixture.Service) {
	past := v.Clock.Millis() - 1
	v.Publish(star, 2, publish.Draft{Text: "text", PublishedAt: &past})
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
			Actors: together(scrolls, reconcile),
		},
		"while the inbox is warmed up": {Before: newPosts(lapsed, 1, 3), Actors: together(scrolls, warmUp)},
		"while the inbox is built":     {Before: newPosts(followed, 1, 3), Actors: together(scrolls, build)},
		"while the flag of an unpushed author falls": {
			Before: newPosts(flagged, 3),
			Actors: together(scrolls, lowerAndReconcile),
		},
		"while the flag of a selective author falls": {
			Before: newPosts(lapsed, 1, 3),
			Actors: together(scrolls, lowerAndReconcile),
		},
		"while all flags fall and the inbox is built again": {
			Before: newPosts(flagged, 3),
			Actors: together(scrolls, func(v fixture.Service) {
				v.Yield()
				fixture.Got(v.Flags.LowerFlags(v.Context(), 100)).Must(v)
				v.Yield()
				v.Atomically(func() { v.BuildInbox(ann) })
			}),
		},
		"while the inbox is lost and built again": {
			Before: newPosts(covered, 1, 3),
			Actors: together(scrolls, func(v fixture.Service) {
				v.LoseInbox(ann)
				v.BuildInbox(ann)
			}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.Mode = feed.FanoutHybrid
			sc.Run(t)
		})
	}
}
