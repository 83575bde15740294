package feedtest

import (
	"context"
	"fmt"
	"testing"
	"time"
)

// Leaders checks the promises of [feed.Leaders].
func Leaders(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"the first caller leads, and no other until its lease ends", leadFirst},
		{"a leader that calls again stays the leader", leadAgain},
		{"after the lease another process may lead, and the old leader may not", leadAfterLease},
		{"the last call of a leader sets the end of the lease, even to an earlier time", leadSooner},
		{"a refused call changes nothing", leadRefused},
		{"leaderships of different names are independent", leadNames},
		{"exactly one of concurrent callers leads", leadAtOnce},
		{"after a lease, exactly one of concurrent callers takes over", leadTakenAtOnce},
		{"an ended context is an error and elects no leader", leadersEndedContext},
	})
}

// leads requests leadership of name for holder and compares the result.
func (w *world) leads(name, holder string, d time.Duration, want bool) {
	w.t.Helper()
	leads, err := w.Leaders.Lead(w.ctx, name, holder, d)
	w.must(err)
	w.same(fmt.Sprintf("whether %s leads %q", holder, name), leads, want)
}

func leadFirst(w *world) {
	w.leads("work", "one", time.Hour, true)
	for range 2 {
		w.leads("work", "two", time.Hour, false)
		w.leads("work", "three", time.Hour, false)
	}
}

func leadAgain(w *world) {
	for range 3 {
		w.leads("work", "one", time.Hour, true)
		w.leads("work", "two", time.Hour, false)
	}
}

func leadAfterLease(w *world) {
	for _, over := range []time.Duration{0, -time.Hour} {
		name := "work for " + over.String()
		w.leads(name, "one", over, true)
		w.leads(name, "two", time.Hour, true)
		w.leads(name, "one", time.Hour, false)
		w.leads(name, "two", time.Hour, true)
	}
}

func leadSooner(w *world) {
	w.leads("work", "one", 2*time.Hour, true)
	w.leads("work", "one", -time.Hour, true)
	w.leads("work", "two", time.Hour, true)
	w.leads("work", "one", time.Hour, false)
}

func leadRefused(w *world) {
	w.leads("work", "one", time.Hour, true)
	w.leads("work", "two", 9*time.Hour, false)
	w.leads("work", "two", -time.Hour, false)
	w.leads("work", "three", time.Hour, false)
	w.leads("work", "one", -time.Hour, true)
	w.leads("work", "three", time.Hour, true)
}

func leadNames(w *world) {
	w.leads("work", "one", time.Hour, true)
	w.leads("Work", "two", time.Hour, true)
	w.leads("", "three", time.Hour, true)
	w.leads("work", "two", time.Hour, false)
	w.leads("work", "one", 0, true)
	w.leads("Work", "one", time.Hour, false)
	w.leads("Work", "two", time.Hour, true)
}

// raceToLead makes eight concurrent requests and checks that exactly one gets leadership.
func (w *world) raceToLead() {
	w.t.Helper()
	leads := make([]bool, 8)
	for _, err := range concurrently(len(leads), func(i int) (err error) {
		leads[i], err = w.Leaders.Lead(w.ctx, "work", fmt.Sprint(i), time.Hour)
		return err
	}) {
		w.must(err)
	}
	n := 0
	for _, does := range leads {
		if does {
			n++
		}
	}
	w.same("the number of leaders", n, 1)
	for i, does := range leads {
		w.leads("work", fmt.Sprint(i), time.Hour, does)
	}
}

func leadAtOnce(w *world) { w.raceToLead() }

func leadTakenAtOnce(w *world) {
	w.leads("work", "the first", -time.Hour, true)
	w.raceToLead()
}

func leadersEndedContext(w *world) {
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Lead": func(ctx context.Context) error {
			_, err := w.Leaders.Lead(ctx, "work", "one", time.Hour)
			return err
		},
	})
	w.leads("work", "two", time.Hour, true)
}
