package feedtest

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// pulseLogPromises checks the promises of [feed.PulseLog].
func pulseLogPromises(s storeSuite) {
	s.empty("each server's pulse is stored unchanged", func(w *world) {
		w.same("the stored pulses", w.pulses(), []feed.Pulse(nil))
		pulses := []feed.Pulse{
			{Server: "", Number: 3},
			{Server: "A", Number: noon, Run: "run of A"},
			{Server: "a", Number: 1 << 60, Run: "run of a"},
			{Server: "a:1", Run: "run"},
		}
		w.acknowledge(pulses...)
		w.same("the stored pulses", w.pulses(), pulses)
	})
	s.empty("the last stored pulse wins, even if its number is lower", func(w *world) {
		w.acknowledge(feed.Pulse{Server: "a", Number: 5, Run: "one"}, feed.Pulse{Server: "b", Number: 7, Run: "one"})
		for _, p := range []feed.Pulse{{Server: "a", Number: 6, Run: "one"}, {Server: "a", Number: 2, Run: "two"}} {
			w.acknowledge(p)
			w.same("the stored pulses", w.pulses(), []feed.Pulse{p, {Server: "b", Number: 7, Run: "one"}})
		}
	})
	s.empty("the highest promised number stays", func(w *world) {
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
			check(step.do())
			w.same("the stored pulses", w.storedPulses(), step.want)
		}
	})
	s.empty("one of concurrent pulses is stored for each server", func(w *world) {
		together(8, func(i int) error {
			return w.PulseLog.Acknowledge(w.ctx, feed.Pulse{Server: fmt.Sprint(i % 2), Number: int64(i), Run: fmt.Sprint(i)})
		})
		pulses := w.pulses()
		w.same("the number of stored pulses", len(pulses), 2)
		for i, p := range pulses {
			w.same("the server", p.Server, fmt.Sprint(i))
			w.same("the run of the stored number", p.Run, fmt.Sprint(p.Number))
		}
	})
	s.promise("raising the generation raises no version; it is at least the time, so a restored backup never repeats one", func(w *world) {
		w.follow(ann, bob)
		before := map[feed.UserID]feed.ViewerVersion{}
		viewers := []feed.UserID{0, ann, bob}
		for _, viewer := range viewers {
			before[viewer] = w.viewerVersion(viewer)
		}
		check(w.PulseLog.RaiseGeneration(w.ctx))
		for _, viewer := range viewers {
			was, is := before[viewer], w.viewerVersion(viewer)
			w.rose("the generation", was.Generation, is.Generation)
			w.same("the version", is.Version, was.Version)
		}
		now := w.now()
		check(w.PulseLog.RaiseGeneration(w.ctx))
		got := w.viewerVersion(0).Generation
		w.failIf(got < now, "at time %d the generation is %d, want at least the time", now, got)
	})
	s.empty("each of concurrent raises increases the generation", func(w *world) {
		const raises = 8
		before := w.viewerVersion(0).Generation
		together(raises, func(int) error { return w.PulseLog.RaiseGeneration(w.ctx) })
		after := w.viewerVersion(0).Generation
		w.failIf(after < before+raises, "the generation went from %d to %d in %d raises, want at least one per raise", before, after, raises)
	})
}

func (w *world) acknowledge(pulses ...feed.Pulse) {
	for _, p := range pulses {
		check(w.PulseLog.Acknowledge(w.ctx, p))
	}
}

// pulses returns the stored pulses, sorted by server.
func (w *world) pulses() []feed.Pulse {
	var pulses []feed.Pulse
	for _, p := range w.storedPulses() {
		pulses = append(pulses, p.Pulse)
	}
	return pulses
}

// storedPulses returns the known servers, sorted.
func (w *world) storedPulses() []feed.StoredPulse {
	pulses := must(w.PulseLog.StoredPulses(w.ctx))
	slices.SortFunc(pulses, func(a, b feed.StoredPulse) int { return cmp.Compare(a.Server, b.Server) })
	return pulses
}
