package feedtest

import (
	"fmt"
	"time"
)

// leadersPromises checks the promises of [feed.Leaders].
func leadersPromises(s storeSuite) {
	s.empty("the first caller leads and stays the leader, and a refused call changes nothing until its lease ends", func(w *world) {
		w.leads("work", "one", time.Hour, true)
		for range 2 {
			w.leads("work", "two", time.Hour, false)
			w.leads("work", "three", time.Hour, false)
		}
		for range 3 {
			w.leads("work", "one", time.Hour, true)
			w.leads("work", "two", time.Hour, false)
		}
		w.leads("work", "one", time.Hour, true)
		w.leads("work", "two", 9*time.Hour, false)
		w.leads("work", "two", -time.Hour, false)
		w.leads("work", "three", time.Hour, false)
		w.leads("work", "one", -time.Hour, true)
		w.leads("work", "three", time.Hour, true)
	})
	s.empty("after the lease another process may lead, and the old leader may not", func(w *world) {
		for _, over := range []time.Duration{0, -time.Hour} {
			name := "work for " + over.String()
			w.leads(name, "one", over, true)
			w.leads(name, "two", time.Hour, true)
			w.leads(name, "one", time.Hour, false)
			w.leads(name, "two", time.Hour, true)
		}
	})
	s.empty("the last call of a leader sets the end of the lease, even to an earlier time", func(w *world) {
		w.leads("work", "one", 2*time.Hour, true)
		w.leads("work", "one", -time.Hour, true)
		w.leads("work", "two", time.Hour, true)
		w.leads("work", "one", time.Hour, false)
	})
	s.empty("leaderships of different names are independent", func(w *world) {
		w.leads("work", "one", time.Hour, true)
		w.leads("Work", "two", time.Hour, true)
		w.leads("", "three", time.Hour, true)
		w.leads("work", "two", time.Hour, false)
		w.leads("work", "one", 0, true)
		w.leads("Work", "one", time.Hour, false)
		w.leads("Work", "two", time.Hour, true)
	})
	s.empty("exactly one of concurrent callers leads", func(w *world) { w.raceToLead() })
	s.empty("after a lease, exactly one of concurrent callers takes over", func(w *world) {
		w.leads("work", "the first", -time.Hour, true)
		w.raceToLead()
	})
}

// leads requests leadership of name for holder and compares the result.
func (w *world) leads(name, holder string, d time.Duration, want bool) {
	leads := must(w.Leaders.Lead(w.ctx, name, holder, d))
	w.same(fmt.Sprintf("whether %s leads %q", holder, name), leads, want)
}

// raceToLead makes eight concurrent requests and checks that exactly one gets leadership.
func (w *world) raceToLead() {
	leads := gather(8, func(i int) (bool, error) { return w.Leaders.Lead(w.ctx, "work", fmt.Sprint(i), time.Hour) })
	w.same("the number of leaders", count(leads), 1)
	for i, does := range leads {
		w.leads("work", fmt.Sprint(i), time.Hour, does)
	}
}
