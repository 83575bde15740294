package feed_test

import (
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// scene is a town in which some actors do something at the same time. All orders in
// which their calls to stores can follow each other are tried: these are all the runs
// that several processes can make of it.
type scene struct {
	mode   feed.FanoutMode
	before func(v town)
	actors func(v town) []feedtest.Actor
	// together has all of an author's three followers served in one batch, where one at a
	// time makes more orders than can be tried.
	together bool
	// wants, when set, is ann's feed at rest.
	wants []feed.ContentID
	// cached: viewers are cached. Otherwise the scene is played with a viewer cache and without.
	cached bool
}

// runs plays the scene in every order, at most limit of them, and compares ann's feed
// at rest with the reference query: with the inbox as the run left it, and with what
// is made of it then. What a scroll among the actors saw, it checks itself.
func (sc scene) runs(t *testing.T, limit int) {
	t.Helper()
	t.Run("with a viewer cache", func(t *testing.T) { sc.plays(t, limit, true) })
	if !sc.cached {
		t.Run("without a viewer cache", func(t *testing.T) { sc.plays(t, limit, false) })
	}
}

// plays plays the scene with actors that read through a viewer cache, or without one. At rest
// the feed is read both ways, so that a scene without readers needs one play only.
func (sc scene) plays(t *testing.T, limit int, cached bool) {
	t.Helper()
	n := 0
	total := feedtest.EverySchedule(func(choose func(n int) int) bool {
		v := newTown(t, func(p *feed.Policy) {
			p.Fanout = sc.mode
			if sc.together {
				p.SubtaskSize, p.PushBatch = 3, 3
			}
		})
		if v.Timeline = v.Uncached; cached {
			v.Timeline = v.Cached
		}
		sc.before(v)
		var order []int
		v.Interleave(sc.actors(v), func(n int) int {
			order = append(order, choose(n))
			return order[len(order)-1]
		})
		for range 2 {
			v.must(v.Rest(t.Context()))
			want, err := v.Reference.Feed(t.Context(), ann, feed.Range{Below: feed.Top, Limit: 100})
			v.must(err)
			for _, v.Timeline = range []*timeline.Timeline{v.Uncached, v.Cached} {
				got := v.home(ann)
				if len(got) != len(want) || sc.wants != nil && !slices.Equal(got, sc.wants) {
					t.Errorf("in the order %v the feed is %v, and by the reference query %v", order, got, want)
				}
			}
		}
		n++
		return !t.Failed() && n < limit
	})
	if total == limit {
		t.Fatalf("there are more than %d orders", limit)
	}
	t.Logf("%d orders", total)
}

// publishes is an actor that publishes a content and then does its whole fan-out.
func (v town) publishes(author feed.UserID, id feed.ContentID) feedtest.Actor {
	return func() {
		v.post(author, id)
		v.must(v.Fanout.Dispatch(v.Context(), id))
		open, _, err := v.Backend.Plans.PlanOf(v.Context(), id)
		v.must(err)
		for _, ref := range open {
			v.must(v.Fanout.Push(v.Context(), ref))
		}
	}
}

// lapsed lets ann have followed star, who is selective, and been away since.
func lapsed(v town) {
	v.must(v.Audience.Mark(v.Context(), star, feed.MarkSelective))
	v.follow(ann, star)
	v.inbox(ann)
	v.lapse()
}

// covered lets ann have an inbox that covers star.
func covered(v town) {
	v.follow(ann, star)
	v.inbox(ann)
}

func build(v town) feedtest.Actor     { return func() { v.inbox(ann) } }
func warmUp(v town) feedtest.Actor    { return func() { v.warmUp(ann) } }
func reconcile(v town) feedtest.Actor { return func() { v.reconcile(ann) } }

func TestEveryOrderOfTwoWritersLeavesAnExactFeed(t *testing.T) {
	for name, sc := range map[string]scene{
		"a build and a publish": {
			before: func(v town) { v.follow(ann, star) },
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{build(v), v.publishes(star, 1)} },
		},
		"a build and a publish by a selective author": {
			mode: feed.FanoutHybrid,
			before: func(v town) {
				v.follow(ann, star)
				v.must(v.Audience.Mark(v.Context(), star, feed.MarkSelective))
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{build(v), v.publishes(star, 1)} },
		},
		"a build and a publish by one who becomes selective by it": {
			mode:     feed.FanoutHybrid,
			together: true,
			before: func(v town) {
				v.follow(ann, star)
				v.follow(bob, star)
				v.follow(cem, star)
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{build(v), v.publishes(star, 1)} },
		},
		"a build and a publish that is not pushed": {
			mode:   feed.FanoutPull,
			before: func(v town) { v.follow(ann, star) },
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{build(v), v.publishes(star, 1)} },
		},
		"a warm-up and a publish": {
			mode:   feed.FanoutHybrid,
			before: lapsed,
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{warmUp(v), v.publishes(star, 1)} },
		},
		"a warm-up and a publish by one who becomes selective by it": {
			mode: feed.FanoutHybrid,
			before: func(v town) {
				covered(v)
				v.follow(bob, star)
				v.follow(cem, star)
				v.lapse()
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{warmUp(v), v.publishes(star, 1)} },
		},
		"a renewal and a publish": {
			mode: feed.FanoutHybrid,
			before: func(v town) {
				lapsed(v)
				v.warmUp(ann)
				v.Clock.Advance(v.Policy.ActiveFor - time.Second)
			},
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), func() {
					v.Clock.Advance(time.Second)
					v.publishes(star, 1)()
				}}
			},
		},
		"a reconciliation and a publish by the newly followed": {
			before: func(v town) {
				v.inbox(ann)
				v.follow(ann, star)
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{reconcile(v), v.publishes(star, 1)} },
		},
		"a reconciliation and a publish by a newly followed selective author, away": {
			mode: feed.FanoutHybrid,
			before: func(v town) {
				v.must(v.Audience.Mark(v.Context(), star, feed.MarkSelective))
				v.inbox(ann)
				v.lapse()
				v.follow(ann, star)
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{reconcile(v), v.publishes(star, 1)} },
		},
		"a follow and a publish": {
			before: func(v town) { v.inbox(ann) },
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{func() { v.follow(ann, star) }, v.publishes(star, 1)}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			if sc.mode == "" {
				sc.mode = feed.FanoutPush
			}
			sc.plays(t, 100_000, true)
		})
	}
}

func TestEveryOrderOfSeveralBuildersLeavesAnExactFeed(t *testing.T) {
	for name, sc := range map[string]scene{
		"two builds and a publish": {
			before: func(v town) { v.follow(ann, star) },
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{build(v), build(v), func() { v.post(star, 1) }}
			},
		},
		"a warm-up, a reconciliation and a publish by the newly followed": {
			before: func(v town) {
				v.must(v.Audience.Mark(v.Context(), star, feed.MarkSelective))
				v.inbox(ann)
				v.lapse()
			},
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), func() {
					v.follow(ann, star)
					v.reconcile(ann)
				}, func() { v.post(star, 1) }}
			},
		},
		"two reconciliations and a follow after an unfollow": {
			before: func(v town) {
				covered(v)
				v.post(star, 1)
				v.work()
				v.unfollow(ann, star)
			},
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{reconcile(v), func() {
					v.follow(ann, star)
					v.reconcile(ann)
				}}
			},
			wants: []feed.ContentID{1},
		},
		"a build, and a follow and its reconciliation": {
			before: func(v town) { v.post(star, 1) },
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{build(v), func() {
					v.follow(ann, star)
					v.reconcile(ann)
				}}
			},
			wants: []feed.ContentID{1},
		},
		"a warm-up, another, and the end of the lease": {
			before: lapsed,
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{warmUp(v), warmUp(v), func() { v.lapse() }}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.mode = feed.FanoutHybrid
			sc.plays(t, 100_000, true)
		})
	}
}

// scrolls is an actor that publishes, as star, a content back-dated below what ann's
// first page will show, and then reads her feed in pages of one: the first a step at a
// time, and the others later at once. It fails the test when they do not meet what the
// first page, at any depth, could have shown. The content's push is pending until rest.
func (v town) scrolls() feedtest.Actor {
	return func() {
		v.IDs = []feed.ContentID{2}
		past := v.Clock.Millis() - 1
		_, err := v.Publisher.Publish(v.Context(), star, feed.Draft{Text: "text", PublishedAt: &past})
		v.must(err)
		page, source := v.page(ann, 1, ""), v.LastSource(ann)
		var due []feed.ContentID
		v.Atomically(func() { due = v.scroll(ann, page) })
		if source == feed.SourceInbox && v.LastSource(ann) == feed.SourceReference {
			// The inbox that served the first page has gone meanwhile, so nobody can tell
			// what it would have shown. That it was less is for other tests to find.
			due = nil
		}
		v.Turn()
		v.Atomically(func() {
			if met := v.scroll(ann, page); !includes(met, due) {
				v.Errorf("the scroll meets %v behind its first page, which could have shown %v", met, due)
			}
		})
	}
}

// includes says whether all has every one of some.
func includes(all, some []feed.ContentID) bool {
	return !slices.ContainsFunc(some, func(id feed.ContentID) bool { return !slices.Contains(all, id) })
}

func TestInEveryOrderAScrollMeetsWhatItsFirstPageCouldHaveShown(t *testing.T) {
	for name, sc := range map[string]scene{
		"while the inbox is reconciled": {
			before: func(v town) {
				v.inbox(ann)
				v.follow(ann, star)
				v.post(star, 1, 3)
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{v.scrolls(), reconcile(v)} },
		},
		"while the inbox is warmed up": {
			before: func(v town) {
				lapsed(v)
				v.post(star, 1, 3)
				v.work()
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{v.scrolls(), warmUp(v)} },
		},
		"while the inbox is built": {
			before: func(v town) {
				v.follow(ann, star)
				v.post(star, 1, 3)
				v.work()
			},
			actors: func(v town) []feedtest.Actor { return []feedtest.Actor{v.scrolls(), build(v)} },
		},
		"while the inbox is lost and built again": {
			before: func(v town) {
				covered(v)
				v.post(star, 1, 3)
				v.work()
			},
			actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{v.scrolls(), func() {
					v.must(v.Backend.Inboxes.Remove(v.Context(), ann))
					v.inbox(ann)
				}}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			sc.mode = feed.FanoutHybrid
			sc.runs(t, 100_000)
		})
	}
}
