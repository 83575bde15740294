package capacity

import (
	"container/heap"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Game is a part of a day that is played.
type Game struct {
	Network Network
	Habits  Habits
	// Start and Seconds are the part of the day, in seconds from the quietest moment; the
	// busiest is half a day later, and Peak says when to start to have it in the middle.
	Start, Seconds float64
	// AtOnce is how many subtasks run at once.
	AtOnce int
	Seed   uint64
}

// Peak returns when the busiest part of a day begins that has so many seconds.
func Peak(seconds float64) (start float64) { return (daySeconds - seconds) / 2 }

// Played is what came of it. Times are in seconds from a publish until the last inbox has it;
// plans, queues and pushes are in them, and round trips of some milliseconds are not.
type Played struct {
	Publishes, Subtasks, Entries int64
	P50, P99, Longest            float64
	// BigP50 and BigP99 are of authors above the push threshold; 0 when none published.
	BigP50, BigP99 float64
	// Waited is the 99th percentile of how long a subtask waits for its turn, and Queued
	// how many waited at once at most.
	Waited float64
	Queued int
	// Busy is the share of all slots that were busy, over the time that was played.
	Busy float64
}

// perfectPeak is the highest peak that a day of the shape of [rush] can have.
const perfectPeak = 256.0 / 70

// rush returns how many times the mean a moment of the day has: a floor, and above it a
// cosine to the fourth power, half a day wide, whose mean over the day is 70/256.
func rush(at, peak float64) float64 {
	const lift = 70.0 / 256
	floor := (1 - lift*peak) / (1 - lift)
	wave := math.Pow((1-math.Cos(2*math.Pi*at/daySeconds))/2, 4)
	return floor + (peak-floor)*wave
}

// Play simulates discrete events: users publish at random times, more often at busy times of the
// day. Each publish is planned, which takes longer with more followers. Its subtasks enter one
// queue, first in, first out, and the first free slot takes each. Play returns an error for
// impossible habits. The same game has the same result.
func (m Model) Play(g Game) (Played, error) {
	if g.Habits.Peak < 1 || g.Habits.Peak > perfectPeak {
		return Played{}, fmt.Errorf("the peak is from 1 to %.2f times the mean, not %v", perfectPeak, g.Habits.Peak)
	}
	if g.AtOnce < 1 {
		return Played{}, fmt.Errorf("at least one subtask runs at once, not %d", g.AtOnce)
	}
	t := &table{model: m, game: g, rand: rand.New(rand.NewPCG(g.Seed, 1)), slots: make(times, g.AtOnce)}
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

// table is where a game is played.
type table struct {
	model Model
	game  Game
	rand  *rand.Rand
	// slots has the time at which each slot is free again, and plans the times at which current
	// plans are ready.
	slots, plans times
	// began has the start times of the waiting subtasks.
	began             []float64
	all, big, waiting []float64
	busy              float64
	out               Played
}

// next returns the time of the next publish: a random time at the rate of the peak, accepted with
// the probability of the current rate.
func (t *table) next(at float64) float64 {
	peak := t.game.Habits.Peak
	rate := float64(t.game.Network.Users) * t.game.Habits.Publishes / daySeconds
	for end := t.game.Start + t.game.Seconds; at < end; {
		at += t.rand.ExpFloat64() / (rate * peak)
		if t.rand.Float64()*peak < rush(at, peak) {
			return at
		}
	}
	return at
}

// publish has a user publish, and plans it.
func (t *table) publish(at float64) {
	followers := math.Round(t.game.Network.Followers(t.rand.Float64()))
	entries := math.Round(t.model.Limits.pushed(followers, t.game.Habits.Monthly))
	t.out.Publishes++
	t.out.Entries += int64(entries)
	heap.Push(&t.plans, moment{
		at: at + t.model.planning(entries), published: at, entries: entries,
		big: followers > float64(t.model.Limits.PushThreshold),
	})
}

// pushUntil pushes the plans that are ready by a time, in order.
func (t *table) pushUntil(end float64) {
	for len(t.plans) > 0 && t.plans[0].at <= end {
		plan, ok := heap.Pop(&t.plans).(moment)
		if !ok {
			return
		}
		done, size := plan.at, t.model.Limits.Subtask(plan.entries)
		for left := plan.entries; left > 0; left -= size {
			done = max(done, t.push(plan.at, t.model.pushing(min(left, size), size)))
		}
		t.all = append(t.all, done-plan.published)
		if plan.big {
			t.big = append(t.big, done-plan.published)
		}
	}
}

// push runs one subtask on the slot that is free first, and returns when it is done.
func (t *table) push(at, takes float64) float64 {
	begins := max(at, t.slots[0].at)
	t.slots[0].at = begins + takes
	heap.Fix(&t.slots, 0)
	t.out.Subtasks++
	t.busy += takes
	t.waiting = append(t.waiting, begins-at)
	t.queue(at, begins)
	return begins + takes
}

// queue counts waiting subtasks, which begin in order of arrival.
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

func (t *table) result() Played {
	out := t.out
	out.P50, out.P99, out.Longest = quantile(t.all, 0.5), quantile(t.all, 0.99), quantile(t.all, 1)
	out.BigP50, out.BigP99 = quantile(t.big, 0.5), quantile(t.big, 0.99)
	out.Waited = quantile(t.waiting, 0.99)
	out.Busy = t.busy / (t.game.Seconds * float64(t.game.AtOnce))
	return out
}

// quantile sorts the list and returns the number below which the share lies; 0 of nothing.
func quantile(list []float64, share float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[int(share*float64(len(list)-1))]
}

// moment is when something is ready, and of a plan when it was published, to how many inboxes
// it goes and whether its author is above the push threshold.
type moment struct {
	at, published, entries float64
	big                    bool
}

// times is a heap of moments, the first one in front.
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

// Pop takes the last one.
func (l *times) Pop() any {
	last := (*l)[len(*l)-1]
	*l = (*l)[:len(*l)-1]
	return last
}
