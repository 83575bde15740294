package feedtest

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// changer makes random changes of one user and returns the rows that the log must have for each. It
// ends no test, so that several may run at once.
type changer struct {
	*world
	rand   *rand.Rand
	self   feed.UserID
	others []feed.UserID
	// first is the id of the user's first post; each user has a range of ids.
	first feed.PostID

	follows map[feed.UserID]bool
	related map[feed.RelationRecord]bool
	made    int
	stored  []feed.PostID
}

func (w *world) changer(seed uint64, self, first int64, others []feed.UserID) *changer {
	return &changer{
		world: w, rand: rand.New(rand.NewPCG(seed, uint64(self))), self: feed.UserID(self), first: feed.PostID(first),
		others:  slices.DeleteFunc(slices.Clone(others), func(id feed.UserID) bool { return id == feed.UserID(self) }),
		follows: map[feed.UserID]bool{}, related: map[feed.RelationRecord]bool{},
	}
}

// change makes one change, or none, as chance has it.
func (c *changer) change() ([]feed.Change, error) {
	steps := []func() ([]feed.Change, error){c.follow, c.relate, c.publish, c.publish, c.edit, c.delete, c.rename}
	return steps[c.rand.IntN(len(steps))]()
}

func (c *changer) other() feed.UserID { return c.others[c.rand.IntN(len(c.others))] }

// set begins or ends something. It returns the rows if that changes anything.
func set[K comparable](c *changer, states map[K]bool, key K, rows func(on bool) []feed.Change, call func(on bool) error) ([]feed.Change, error) {
	on := c.rand.IntN(2) == 0
	if err := call(on); err != nil {
		return nil, err
	}
	if states[key] == on {
		return nil, nil
	}
	states[key] = on
	return rows(on), nil
}

func (c *changer) follow() ([]feed.Change, error) {
	other := c.other()
	row := func(on bool) []feed.Change { return []feed.Change{feed.FollowChange(c.self, other, !on)} }
	return set(c, c.follows, other, row, func(on bool) error {
		if on {
			return c.Follows.Follow(c.ctx, c.self, other, noon, many, feed.FollowChoice{})
		}
		return c.Follows.Unfollow(c.ctx, c.self, other)
	})
}

func (c *changer) relate() ([]feed.Change, error) {
	kinds := relationKinds()
	r := feed.RelationRecord{Kind: kinds[c.rand.IntN(len(kinds))], User: c.self, Target: c.other(), CreatedAt: noon}
	return set(c, c.related, r, r.Logged, func(on bool) error { return c.SetRelation(c.ctx, r, on) })
}

// publish publishes a post, with its fan-out to no one.
func (c *changer) publish() ([]feed.Change, error) {
	id := c.first + feed.PostID(c.made)
	if _, err := c.PostWriter.Publish(c.ctx, newPost(id, c.self, noon), feed.Idempotency{}, eventAt(noon)); err != nil {
		return nil, err
	}
	c.made++
	c.stored = append(c.stored, id)
	if _, err := c.Plans.StorePlan(c.ctx, planOf(id, 0), noon); err != nil {
		return nil, err
	}
	return []feed.Change{ofPost(feed.ChangePublished, c.self, id), ofPost(feed.ChangeArrived, c.self, id)}, nil
}

func (c *changer) edit() ([]feed.Change, error) {
	if len(c.stored) == 0 {
		return nil, nil
	}
	id := c.stored[c.rand.IntN(len(c.stored))]
	_, err := c.PostWriter.Edit(c.ctx, id, feed.PostEdit{Text: new("edited"), At: noon})
	return []feed.Change{ofPost(feed.ChangeEdited, c.self, id)}, err
}

func (c *changer) delete() ([]feed.Change, error) {
	if len(c.stored) == 0 {
		return nil, nil
	}
	i := c.rand.IntN(len(c.stored))
	id := c.stored[i]
	c.stored = slices.Delete(c.stored, i, i+1)
	return []feed.Change{ofPost(feed.ChangeDeleted, c.self, id)}, c.PostWriter.Delete(c.ctx, id, noon+hour)
}

func (c *changer) rename() ([]feed.Change, error) {
	_, err := c.Profiles.UpdateProfile(c.ctx, c.self, feed.ProfileChange{Name: new("New name")})
	return []feed.Change{{Kind: feed.ChangeProfile, User: c.self}}, err
}

// seed draws a seed and prints it if the test fails.
func (w *world) seed() uint64 {
	seed := rand.Uint64()
	w.t.Cleanup(func() {
		if w.t.Failed() {
			w.t.Logf("the seed of the history is %d", seed)
		}
	})
	return seed
}

// promised is a change and a place that was taken before it was made.
type promised struct {
	before feed.ChangePlace
	rows   []feed.Change
}

// keepsPromises fails the test unless the log names each change after the place before it.
func (w *world) keepsPromises(list []promised) {
	for _, p := range list {
		found, _ := w.changesAfter(p.before)
		found = withoutNumbers(found)
		for _, row := range p.rows {
			if !slices.Contains(found, row) {
				w.t.Fatalf("the log after %+v lacks %+v", p.before, row)
			}
		}
	}
}

// changes makes n changes and returns each with the place before it.
func (c *changer) changes(n int) ([]promised, error) {
	var made []promised
	for range n {
		before, err := c.Changes.LastChange(c.ctx)
		if err != nil {
			return nil, err
		}
		rows, err := c.change()
		if err != nil {
			return nil, err
		}
		made = append(made, promised{before, rows})
	}
	return made, nil
}

// numberUntil numbers changes, a few at a time.
func (w *world) numberUntil(ended <-chan struct{}) error {
	for {
		if _, _, err := w.Numberer.NumberChanges(w.ctx, 4); err != nil {
			return err
		}
		select {
		case <-ended:
			return nil
		default:
		}
	}
}

// readUntil reads changes as they come, until the end.
func (w *world) readUntil(place feed.ChangePlace, ended <-chan struct{}) ([]feed.Change, error) {
	var seen []feed.Change
	for {
		list, next, err := w.Changes.Changes(w.ctx, place, 5)
		if err != nil {
			return nil, err
		}
		seen, place = append(seen, list...), next
		select {
		case <-ended:
			return seen, nil
		default:
		}
	}
}

func logHistoryPromises(s storeSuite) {
	// The test relates counts to what numbering does, because some stores have no changes that wait.
	s.promise("changes wait until they have numbers", func(w *world) {
		waiting := func() feed.WaitingChanges {
			got := must(w.Numberer.WaitingChanges(w.ctx, 2))
			return got
		}
		w.numberAll()
		w.same("what waits after numbering", waiting(), feed.WaitingChanges{})
		before := must(w.Changes.LastChange(w.ctx))
		w.follow(ann, bob, cem, dee)
		now := must(w.Changes.LastChange(w.ctx))
		want := 2
		if now != before {
			want = 0
		}
		got := waiting()
		w.same("up to two of three changes", got.Changes, want)
		w.failIf(got.Oldest < 0 || got.Oldest > time.Hour, "the oldest change has waited for %v", got.Oldest)
		w.numberAll()
		w.same("what waits after numbering again", waiting(), feed.WaitingChanges{})
	})
	// The test changes random things in turn. Some places are taken before all earlier changes have
	// numbers, as a reader does.
	s.promise("each place names whatever changes after it", func(w *world) {
		const steps = 60
		start := w.numberAll()
		users := []feed.UserID{ann, bob, cem, dee}
		seed := w.seed()
		chance := rand.New(rand.NewPCG(seed, 0))
		changers := make([]*changer, len(users))
		for i, id := range users {
			changers[i] = w.changer(seed, int64(id), int64(1000*(i+1)), users)
		}
		var want []feed.Change
		var made []promised
		for range steps {
			if chance.IntN(3) == 0 {
				w.numberAll()
			}
			before := must(w.Changes.LastChange(w.ctx))
			rows := must(changers[chance.IntN(len(changers))].change())
			want, made = append(want, rows...), append(made, promised{before, rows})
		}
		w.sameChanges("all changes of the history", w.loggedAfter(start), want)
		w.keepsPromises(made)
	})
	// The test lets writers, numberers and a reader run at once. The reader must get each change
	// once, and numbers without a gap.
	s.promise("concurrent writers and numberers leave no gap for readers", func(w *world) {
		const writers, steps, numberers = 4, 25, 2
		start := w.numberAll()
		users := []feed.UserID{ann, bob, cem, dee}
		seed := w.seed()
		made := make([][]promised, writers)
		errs := make([]error, writers+numberers+1)
		ended := make(chan struct{})
		var writing, rest sync.WaitGroup
		for i := range writers {
			c := w.changer(seed, int64(users[i]), int64(1000*(i+1)), users)
			writing.Go(func() { made[i], errs[i] = c.changes(steps) })
		}
		for i := range numberers {
			rest.Go(func() { errs[writers+i] = w.numberUntil(ended) })
		}
		var seen []feed.Change
		rest.Go(func() { seen, errs[writers+numberers] = w.readUntil(start, ended) })
		writing.Wait()
		close(ended)
		rest.Wait()
		for _, err := range errs {
			check(err)
		}

		all := w.loggedAfter(start)
		for i, c := range all {
			if c.Number != start.Number+int64(i)+1 {
				w.t.Fatalf("change %d after number %d has number %d", i+1, start.Number, c.Number)
			}
		}
		w.same("what the reader saw, of what there is", seen, all[:len(seen)])
		var want []feed.Change
		for _, list := range made {
			w.keepsPromises(list)
			for _, p := range list {
				want = append(want, p.rows...)
			}
		}
		w.sameChanges("all changes", all, want)
	})
}
