package feedtest

import (
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// surveyorPromises checks the promises of [feed.Surveyor].
func surveyorPromises(s storeSuite) {
	s.promise("a survey has the version, the authors to pull, and the viewer's own posts, newest first", func(w *world) {
		w.follow(ann, bob, cem)
		w.relate(feed.RelationMute, ann, bob, true)
		w.raiseFlag(feed.FlagUnpushed, cem)
		first, second := w.post(1, ann, 10), w.post(2, ann, 20)
		bobs := w.post(3, bob, 30)
		w.surveyIs(w.survey(ann, w.relationsVersion(ann), false, 10), ann, []feed.UserID{cem}, second, first)
		w.surveyIs(w.survey(bob, 0, false, 10), bob, nil, bobs)
		w.surveyIs(w.survey(12345, 0, true, 10), 12345, nil)
	})
	s.promise("a survey has at most the given number of the viewer's own posts, without deleted ones", func(w *world) {
		w.post(1, ann, 10)
		second, third := w.post(2, ann, 20), w.post(3, ann, 30)
		w.post(4, ann, 40)
		w.delete(4)
		w.surveyIs(w.survey(ann, 0, false, 2), ann, nil, third, second)
	})
	s.promise("a survey omits deleted users and their posts", func(w *world) {
		w.follow(bob, cem, dee)
		w.post(1, ann, 10)
		w.deleteAccounts(cem)
		w.deleteAccounts(ann)
		w.surveyIs(w.survey(bob, 0, false, 10), bob, []feed.UserID{dee})
		w.same("the own posts of a deleted user", w.survey(ann, 0, false, 10).Own, []feed.Key(nil))
	})
	s.promise("concurrent surveys return each viewer's own, up to their limit", func(w *world) {
		w.follow(ann, bob)
		w.follow(bob, cem, dee)
		first, second, bobs := w.post(1, ann, 10), w.post(2, ann, 20), w.post(3, bob, 30)
		queries := []struct {
			viewer feed.UserID
			own    int
			pulled []feed.UserID
			found  []feed.Key
		}{
			{ann, 10, []feed.UserID{bob}, []feed.Key{second, first}},
			{ann, 1, []feed.UserID{bob}, []feed.Key{second}},
			{bob, 10, []feed.UserID{cem, dee}, []feed.Key{bobs}},
		}
		surveys := make([]feed.Survey, 60)
		together(len(surveys), func(n int) (err error) {
			of := queries[n%len(queries)]
			surveys[n], err = w.Surveyor.Survey(w.ctx, of.viewer, 0, false, of.own)
			return err
		})
		for n, got := range surveys {
			of := queries[n%len(queries)]
			slices.Sort(got.Pulled)
			w.surveyIs(got, of.viewer, of.pulled, of.found...)
		}
	})
}

func (w *world) survey(viewer feed.UserID, since int64, cold bool, own int) feed.Survey {
	got := must(w.Surveyor.Survey(w.ctx, viewer, since, cold, own))
	slices.Sort(got.Pulled)
	return got
}

// surveyIs compares a survey with the viewer's version and want. It ignores the survey's time.
func (w *world) surveyIs(got feed.Survey, viewer feed.UserID, pulled []feed.UserID, own ...feed.Key) {
	want := feed.Survey{Version: w.timedViewerVersion(viewer), Pulled: pulled, Own: own}
	w.failIf(got.Version.Now > want.Version.Now, "the survey has the time %d, which is after the current time %d", got.Version.Now, want.Version.Now)
	got.Version.Now = want.Version.Now
	w.same("the survey", got, want)
}
