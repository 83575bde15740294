package capacity

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Simulation is the input of a simulation of part of a day.
type Simulation struct {
	Network Network
	Habits  Habits
	// Start and Seconds delimit the simulated part of the day. Start is in seconds from the
	// quietest moment; the busiest moment is half a day later. [Peak] returns the start that
	// centres a simulation on the busiest moment.
	Start, Seconds float64
	// AtOnce is the number of slices that run concurrently.
	AtOnce int
	Seed   uint64
}

// Peak returns the start of a simulation of the given length that is centred on the busiest moment.
func Peak(seconds float64) (start float64) { return (daySeconds - seconds) / 2 }

// SimulationResult has times in seconds, from the publish until the last inbox has the post. They
// include planning, queueing and pushing, but not round trips of a few milliseconds.
type SimulationResult struct {
	Publishes, Slices, Entries int64
	P50, P99, Longest          float64
	// BigP50 and BigP99 cover authors above the push threshold. They are 0 if no such author
	// published.
	BigP50, BigP99 float64
	// Waited is the 99th percentile of a slice's queueing time. Queued is the maximum queue
	// length.
	Waited float64
	Queued int
	// Busy is the utilisation of all slots over the simulated time.
	Busy float64
}

// perfectPeak is the highest peak that the curve of [rush] can have.
const perfectPeak = 256.0 / 70

// rush returns the ratio of the load at a moment to the mean. The curve is a constant plus a
// fourth-power cosine, half a day wide. The mean of that cosine over the day is 70/256.
func rush(at, peak float64) float64 {
	const lift = 70.0 / 256
	floor := (1 - lift*peak) / (1 - lift)
	wave := math.Pow((1-math.Cos(2*math.Pi*at/daySeconds))/2, 4)
	return floor + (peak-floor)*wave
}

// Simulate plays discrete events: users publish at random times, more often at busy times of the
// day. Each publish is planned, which takes longer with more followers. Its slices enter one
// queue, first in, first out, and the first free slot takes each. Simulate returns an error for
// impossible habits. The same simulation has the same result.
func (m Model) Simulate(g Simulation) (SimulationResult, error) {
	if g.Habits.Peak < 1 || g.Habits.Peak > perfectPeak {
		return SimulationResult{}, fmt.Errorf("the peak is from 1 to %.2f times the mean, not %v", perfectPeak, g.Habits.Peak)
	}
	if g.AtOnce < 1 {
		return SimulationResult{}, fmt.Errorf("at least one slice must run at once, not %d", g.AtOnce)
	}
	t := &table{model: m, simulation: g, rand: rand.New(rand.NewPCG(g.Seed, 1)), slots: make(times, g.AtOnce)}
	for i := range t.slots {
		t.slots[i].at = g.Start
	}
	for at := t.next(g.Start); at < g.Start+g.Seconds; at = t.next(at) {
		t.pushUntil(at)
		t.publish(at)
	}
	t.pushUntil(math.Inf(1))
	return t.result(), nil
}

// table is the state of a simulation.
type table struct {
	model      Model
	simulation Simulation
	rand       *rand.Rand
	// slots has the time at which each slot becomes free. plans has the time at which each pending
	// plan is ready.
	slots, plans times
	// began has the start times of the waiting slices.
	began             []float64
	all, big, waiting []float64
	busy              float64
	out               SimulationResult
}

// next returns the time of the next publish. It draws times at the peak rate and accepts each with
// the ratio of the current rate to the peak rate.
func (t *table) next(at float64) float64 {
	peak := t.simulation.Habits.Peak
	rate := float64(t.simulation.Network.Users) * t.simulation.Habits.Publishes / daySeconds
	for end := t.simulation.Start + t.simulation.Seconds; at < end; {
		at += t.rand.ExpFloat64() / (rate * peak)
		if t.rand.Float64()*peak < rush(at, peak) {
			return at
		}
	}
	return at
}

// publish draws an author and schedules the plan of their post.
func (t *table) publish(at float64) {
	followers := math.Round(t.simulation.Network.Followers(t.rand.Float64()))
	entries := math.Round(t.model.Limits.pushed(followers, t.simulation.Habits.Monthly))
	t.out.Publishes++
	t.out.Entries += int64(entries)
	heap.Push(&t.plans, moment{
		at: at + t.model.planning(entries), published: at, entries: entries,
		big: followers > float64(t.model.Limits.PushThreshold),
	})
}

// pushUntil runs the slices of all plans that are ready by the given time, in order.
func (t *table) pushUntil(end float64) {
	for len(t.plans) > 0 && t.plans[0].at <= end {
		plan, ok := heap.Pop(&t.plans).(moment)
		if !ok {
			return
		}
		done, size := plan.at, t.model.Limits.SliceFor(plan.entries)
		for left := plan.entries; left > 0; left -= size {
			done = max(done, t.push(plan.at, t.model.pushing(min(left, size), size)))
		}
		t.all = append(t.all, done-plan.published)
		if plan.big {
			t.big = append(t.big, done-plan.published)
		}
	}
}

// push runs one slice on the first free slot and returns its end time.
func (t *table) push(at, takes float64) float64 {
	begins := max(at, t.slots[0].at)
	t.slots[0].at = begins + takes
	heap.Fix(&t.slots, 0)
	t.out.Slices++
	t.busy += takes
	t.waiting = append(t.waiting, begins-at)
	t.queue(at, begins)
	return begins + takes
}

// queue updates the queue length. Waiting slices start in order of arrival.
func (t *table) queue(at, begins float64) {
	gone, _ := slices.BinarySearchFunc(t.began, at, func(begun, now float64) int {
		if begun <= now {
			return -1
		}
		return 1
	})
	t.began = t.began[gone:]
	if begins > at {
		t.began = append(t.began, begins)
	}
	t.out.Queued = max(t.out.Queued, len(t.began))
}

func (t *table) result() SimulationResult {
	out := t.out
	out.P50, out.P99, out.Longest = quantile(t.all, 0.5), quantile(t.all, 0.99), quantile(t.all, 1)
	out.BigP50, out.BigP99 = quantile(t.big, 0.5), quantile(t.big, 0.99)
	out.Waited = quantile(t.waiting, 0.99)
	out.Busy = t.busy / (t.simulation.Seconds * float64(t.simulation.AtOnce))
	return out
}

// quantile sorts the list and returns the given quantile, or 0 for an empty list.
func quantile(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(share*float64(len(list)-1))]
}

// moment is the time at which a slot is free or a plan is ready. The other fields describe a plan:
// its publish time, its inboxes, and whether its author exceeds the push threshold.
type moment struct {
	at, published, entries float64
	big                    bool
}

// times is a min-heap of moments.
type times []moment

// Len, Less, Swap, Push and Pop make it a heap.Interface.
func (l times) Len() int           { return len(l) }
func (l times) Less(i, j int) bool { return l[i].at < l[j].at }
func (l times) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }

// Push appends a moment.
func (l *times) Push(m any) {
	if m, ok := m.(moment); ok {
		*l = append(*l, m)
	}
}

// Pop removes the last moment.
func (l *times) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
