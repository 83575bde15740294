package feedtest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// PulseLog checks the promises of [feed.PulseLog].
func PulseLog(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"at first nothing is noted", pulsesNone},
		{"a pulse is noted as it is, and so is each server's", pulsesNoted},
		{"what was noted last counts, also when its number is lower", pulsesLast},
		{"the highest promised number is kept, with its note", pulsesPromised},
		{"of many notes at once one of each server is left", pulsesAtOnce},
		{"raising the generation raises no version", generationRaised},
		{"a generation is the time, so a backup never counts on to what was given since", generationIsTheTime},
		{"a generation that many raise at once has risen for each", generationAtOnce},
		{"a context that is over is an error and changes nothing", pulsesOver},
	})
}

func (w *world) note(pulses ...feed.Pulse) {
	w.t.Helper()
	for _, p := range pulses {
		w.must(w.PulseLog.Acknowledge(w.ctx, p))
	}
}

// noted returns the stored pulses, sorted by server.
func (w *world) noted() []feed.Pulse {
	w.t.Helper()
	var pulses []feed.Pulse
	for _, p := range w.known() {
		pulses = append(pulses, p.Pulse)
	}
	return pulses
}

// known returns the known servers, sorted.
func (w *world) known() []feed.StoredPulse {
	w.t.Helper()
	pulses, err := w.PulseLog.StoredPulses(w.ctx)
	w.must(err)
	slices.SortFunc(pulses, func(a, b feed.StoredPulse) int { return cmp.Compare(a.Server, b.Server) })
	return pulses
}

func pulsesNone(w *world) {
	w.same("what is noted", w.noted(), []feed.Pulse(nil))
}

func pulsesNoted(w *world) {
	pulses := []feed.Pulse{
		{Server: "", Number: 3},
		{Server: "A", Number: noon, Run: "run of A"},
		{Server: "a", Number: 1 << 60, Run: "run of a"},
		{Server: "a:1", Run: "run"},
	}
	w.note(pulses...)
	w.same("what is noted", w.noted(), pulses)
}

func pulsesLast(w *world) {
	w.note(feed.Pulse{Server: "a", Number: 5, Run: "one"}, feed.Pulse{Server: "b", Number: 7, Run: "one"})
	for _, p := range []feed.Pulse{{Server: "a", Number: 6, Run: "one"}, {Server: "a", Number: 2, Run: "two"}} {
		w.note(p)
		w.same("what is noted", w.noted(), []feed.Pulse{p, {Server: "b", Number: 7, Run: "one"}})
	}
}

func pulsesPromised(w *world) {
	a := feed.Pulse{Server: "a", Number: 5, Run: "one"}
	for _, step := range []struct {
		do   func() error
		want []feed.StoredPulse
	}{
		{func() error { return w.PulseLog.Promise(w.ctx, "a", 4) }, []feed.StoredPulse{{Pulse: feed.Pulse{Server: "a"}, Promised: 4}}},
		{func() error { return w.PulseLog.Acknowledge(w.ctx, a) }, []feed.StoredPulse{{Pulse: a, Promised: 5}}},
		{func() error { return w.PulseLog.Promise(w.ctx, "a", 1<<60) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
		{func() error { return w.PulseLog.Promise(w.ctx, "a", 7) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
		{func() error { return w.PulseLog.Acknowledge(w.ctx, a) }, []feed.StoredPulse{{Pulse: a, Promised: 1 << 60}}},
	} {
		w.must(step.do())
		w.same("what is known", w.known(), step.want)
	}
}

func pulsesAtOnce(w *world) {
	for _, err := range together(8, func(i int) error {
		return w.PulseLog.Acknowledge(w.ctx, feed.Pulse{Server: fmt.Sprint(i % 2), Number: int64(i), Run: fmt.Sprint(i)})
	}) {
		w.must(err)
	}
	noted := w.noted()
	w.same("how many are noted", len(noted), 2)
	for i, p := range noted {
		w.same("the server", p.Server, fmt.Sprint(i))
		w.same("the run that was noted with the number", p.Run, fmt.Sprint(p.Number))
	}
}

func generationRaised(w *world) {
	w.four()
	w.follow(ann, bob)
	before := map[feed.UserID]feed.ViewerVersion{}
	viewers := []feed.UserID{0, ann, bob}
	for _, viewer := range viewers {
		before[viewer] = w.stamp(viewer)
	}
	w.must(w.PulseLog.RaiseGeneration(w.ctx))
	for _, viewer := range viewers {
		was, is := before[viewer], w.stamp(viewer)
		if is.Generation <= was.Generation {
			w.t.Errorf("the generation of user %d went from %d to %d", viewer, was.Generation, is.Generation)
		}
		w.same("the version", is.Version, was.Version)
	}
}

func generationIsTheTime(w *world) {
	now := w.stamp(0).Now
	w.must(w.PulseLog.RaiseGeneration(w.ctx))
	if got := w.stamp(0).Generation; got < now {
		w.t.Errorf("at %d the generation is %d", now, got)
	}
}

func generationAtOnce(w *world) {
	const raises = 8
	before := w.stamp(0).Generation
	for _, err := range together(raises, func(int) error { return w.PulseLog.RaiseGeneration(w.ctx) }) {
		w.must(err)
	}
	if after := w.stamp(0).Generation; after < before+raises {
		w.t.Errorf("the generation went from %d to %d in %d raises", before, after, raises)
	}
}

func pulsesOver(w *world) {
	w.note(feed.Pulse{Server: "a", Number: 5, Run: "one"})
	before := w.stamp(0)
	w.refuses(map[string]func(ctx context.Context) error{
		"Noted": func(ctx context.Context) error {
			_, err := w.PulseLog.StoredPulses(ctx)
			return err
		},
		"Note": func(ctx context.Context) error {
			return w.PulseLog.Acknowledge(ctx, feed.Pulse{Server: "a", Number: 6})
		},
		"Promise":         func(ctx context.Context) error { return w.PulseLog.Promise(ctx, "a", 9) },
		"RaiseGeneration": func(ctx context.Context) error { return w.PulseLog.RaiseGeneration(ctx) },
	})
	w.same("what is known", w.known(), []feed.StoredPulse{{Pulse: feed.Pulse{Server: "a", Number: 5, Run: "one"}, Promised: 5}})
	w.same("the stamp", w.stamp(0), before)
}
