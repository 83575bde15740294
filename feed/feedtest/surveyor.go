package feedtest

import (
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Surveyor checks the promises of [feed.Surveyor].
func Surveyor(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a survey has the version, the authors to pull, and the viewer's own posts, newest first", surveyWhole},
		{"it names the authors that an inbox of the version does not cover, warm or cold", surveyPulled},
		{"it omits authors hidden at home", surveyUnseen},
		{"it has no more of the viewer's own contents than were asked for, and not those that are deleted", surveyOwn},
		{"of a stranger there is a stamp and nothing else", surveyStranger},
		{"it omits users who delete their account, and their posts", surveyLeavers},
		{"concurrent surveys return each viewer's own, up to their limit", surveysAtOnce},
		{"a context that is over is an error", surveyOver},
	})
}

func (w *world) survey(viewer feed.UserID, since int64, cold bool, own int) feed.Survey {
	w.t.Helper()
	got, err := w.Surveyor.Survey(w.ctx, viewer, since, cold, own)
	w.must(err)
	slices.Sort(got.Pulled)
	return got
}

// surveyIs compares a survey with the viewer's version and want. It ignores the survey's time.
func (w *world) surveyIs(got feed.Survey, viewer feed.UserID, pulled []feed.UserID, own ...feed.Key) {
	w.t.Helper()
	want := feed.Survey{Version: w.dated(viewer), Pulled: pulled, Own: own}
	if got.Version.Now > want.Version.Now {
		w.t.Errorf("the survey is of %d, which is not over at %d", got.Version.Now, want.Version.Now)
	}
	got.Version.Now = want.Version.Now
	w.same("the survey", got, want)
}

func surveyWhole(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.relate(feed.RelationMute, ann, bob, true)
	w.mark(feed.FlagUnpushed, cem)
	first, second := w.post(1, ann, 10), w.post(2, ann, 20)
	bobs := w.post(3, bob, 30)
	w.surveyIs(w.survey(ann, w.version(ann), false, 10), ann, []feed.UserID{cem}, second, first)
	w.surveyIs(w.survey(bob, 0, false, 10), bob, nil, bobs)
}

func surveyPulled(w *world) {
	w.four()
	w.follow(ann, bob)
	first := w.version(ann)
	w.follow(ann, cem, dee)
	w.mark(feed.FlagSelective, dee)
	last := w.version(ann)
	w.surveyIs(w.survey(ann, 0, false, 10), ann, []feed.UserID{bob, cem, dee})
	w.surveyIs(w.survey(ann, first, false, 10), ann, []feed.UserID{cem, dee})
	w.surveyIs(w.survey(ann, last, false, 10), ann, nil)
	w.surveyIs(w.survey(ann, last, true, 10), ann, []feed.UserID{dee})
}

func surveyUnseen(w *world) {
	w.four()
	w.follow(ann, bob, cem)
	w.follow(dee, bob)
	w.mark(feed.FlagUnpushed, bob, cem)
	for _, c := range relationCases() {
		want := []feed.UserID{bob, cem}
		w.relate(c.kind, c.user, c.target, true)
		if c.hides {
			want = want[1:]
		}
		for _, since := range []int64{0, w.version(ann)} {
			w.surveyIs(w.survey(ann, since, true, 10), ann, want)
		}
		w.surveyIs(w.survey(dee, 0, false, 10), dee, []feed.UserID{bob})
		w.relate(c.kind, c.user, c.target, false)
		w.surveyIs(w.survey(ann, 0, false, 10), ann, []feed.UserID{bob, cem})
	}
}

func surveyOwn(w *world) {
	w.four()
	w.post(1, ann, 10)
	second, third := w.post(2, ann, 20), w.post(3, ann, 30)
	w.post(4, ann, 40)
	w.delete(4)
	w.surveyIs(w.survey(ann, 0, false, 2), ann, nil, third, second)
}

func surveyStranger(w *world) {
	w.four()
	w.surveyIs(w.survey(12345, 0, true, 10), 12345, nil)
}

func surveysAtOnce(w *world) {
	w.four()
	w.follow(ann, bob)
	w.follow(bob, cem, dee)
	first, second, bobs := w.post(1, ann, 10), w.post(2, ann, 20), w.post(3, bob, 30)
	asked := []struct {
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
	for _, err := range together(len(surveys), func(n int) (err error) {
		of := asked[n%len(asked)]
		surveys[n], err = w.Surveyor.Survey(w.ctx, of.viewer, 0, false, of.own)
		return err
	}) {
		w.must(err)
	}
	for n, got := range surveys {
		of := asked[n%len(asked)]
		slices.Sort(got.Pulled)
		w.surveyIs(got, of.viewer, of.pulled, of.found...)
	}
}

func surveyLeavers(w *world) {
	w.four()
	w.follow(bob, cem, dee)
	w.post(1, ann, 10)
	w.leave(cem)
	w.leave(ann)
	w.surveyIs(w.survey(bob, 0, false, 10), bob, []feed.UserID{dee})
	w.same("what is the leaver's own", w.survey(ann, 0, false, 10).Own, []feed.Key(nil))
}

func surveyOver(w *world) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Survey": func(ctx context.Context) error {
			_, err := w.Surveyor.Survey(ctx, ann, 0, false, 10)
			return err
		},
	})
}
