package feed_test

import (
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

func relationKinds() []feed.RelationKind {
	return []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
}

// moderate begins or ends a relation and returns whom it was done to.
func (v town) moderate(viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error) {
	m := &feed.Moderator{Relater: v.Relater, Directory: v.Directory, Clock: v.Clock.Now}
	return m.Relate(v.Context(), viewer, kind, target, on)
}

// related returns the viewer's list, latest first.
func (v town) related(viewer feed.UserID, kind feed.RelationKind) []feed.UserID {
	v.Helper()
	page, err := v.Directory.Related(v.Context(), viewer, kind, feed.PageQuery{First: new(10)})
	v.must(err)
	return usersOf(page)
}

func usersOf(p *feed.UserPage) []feed.UserID {
	var ids []feed.UserID
	for _, e := range p.Entries {
		ids = append(ids, e.User.ID)
	}
	return ids
}

func TestARelationShowsInTheNextReadAndGoesWithItsEnd(t *testing.T) {
	for _, kind := range relationKinds() {
		v := newTown(t)
		v.follow(ann, star)
		v.follow(star, ann)
		v.post(star, 1)
		v.post(ann, 2)
		v.work()
		v.inbox(ann)
		v.inbox(star)
		for _, on := range []bool{true, true, false, false} {
			u, err := v.moderate(ann, kind, star, on)
			v.must(err)
			same(t, "whom it was done to", []feed.UserID{u.ID}, star)
			anns, stars := []feed.ContentID{2, 1}, []feed.ContentID{2, 1}
			if on && kind != feed.RelationHide {
				anns = anns[:1]
			}
			if on && kind != feed.RelationMute {
				stars = stars[1:]
			}
			same(t, "ann's feed", v.home(ann), anns...)
			same(t, "star's feed", v.home(star), stars...)
			same(t, "ann's list has star", []bool{slices.Contains(v.related(ann, kind), star)}, on)
		}
	}
}

func TestNobodyDoesItToHimself(t *testing.T) {
	v := newTown(t)
	for _, kind := range relationKinds() {
		for _, on := range []bool{true, false} {
			_, err := v.moderate(ann, kind, ann, on)
			v.refused(err, feed.CodeInvalid, "userId")
		}
	}
}

func TestWhoIsNotThereOrBlocksTheViewerIsNotFound(t *testing.T) {
	for _, kind := range relationKinds() {
		v := newTown(t)
		v.relate(feed.RelationBlock, star, ann)
		v.must(v.Profiles.DeleteAccount(t.Context(), moon, 1))
		for _, target := range []feed.UserID{star, moon, 99} {
			for _, on := range []bool{true, false} {
				_, err := v.moderate(ann, kind, target, on)
				v.refused(err, feed.CodeNotFound, "userId")
			}
		}
	}
}

func TestWhatStandsCanBeEndedAlsoWithOneWhoBlocksTheViewer(t *testing.T) {
	v := newTown(t)
	for _, kind := range relationKinds() {
		v.relate(kind, ann, star)
	}
	v.relate(feed.RelationBlock, star, ann)
	for _, kind := range relationKinds() {
		same(t, "ann's list", v.related(ann, kind), star)
		u, err := v.moderate(ann, kind, star, false)
		v.must(err)
		same(t, "whom it was done to", []feed.UserID{u.ID}, star)
		same(t, "ann's list afterwards", v.related(ann, kind))
		_, err = v.moderate(ann, kind, star, false)
		v.refused(err, feed.CodeNotFound, "userId")
	}
}

func TestARelationThatIsNoneIsBadInput(t *testing.T) {
	v := newTown(t)
	_, err := v.moderate(ann, "poke", star, true)
	v.refused(err, feed.CodeInvalid)
	_, err = v.Directory.Related(t.Context(), ann, "poke", feed.PageQuery{})
	v.refused(err, feed.CodeBadInput)
}

func TestRelatedUsersAreListedLatestFirstPageByPage(t *testing.T) {
	v := newTown(t)
	for _, target := range []feed.UserID{moon, bob, star, cem} {
		v.Clock.Advance(1e6)
		_, err := v.moderate(ann, feed.RelationMute, target, true)
		v.must(err)
	}
	v.relate(feed.RelationBlock, bob, ann)
	v.must(v.Profiles.DeleteAccount(t.Context(), star, 1))
	page, err := v.Directory.Related(t.Context(), ann, feed.RelationMute, feed.PageQuery{First: new(2)})
	v.must(err)
	same(t, "the first page", usersOf(page), cem, bob)
	same(t, "more follow", []bool{page.HasNext}, true)
	rest, err := v.Directory.Related(t.Context(), ann, feed.RelationMute, feed.PageQuery{After: page.Entries[1].Cursor, Behind: true})
	v.must(err)
	same(t, "the second page", usersOf(rest), moon)
	same(t, "more follow, and more stand before", []bool{rest.HasNext, rest.HasPrevious}, false, true)
	_, err = v.Directory.Related(t.Context(), ann, feed.RelationBlock, feed.PageQuery{After: page.Entries[1].Cursor})
	v.refused(err, feed.CodeBadCursor)
	same(t, "bob's list", v.related(bob, feed.RelationMute))
}
