package feedtest

import (
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// readAt describes the n-th position of a user.
func readAt(n int) feed.ReadPosition {
	return feed.ReadPosition{Cursor: fmt.Sprint("cursor ", n), SyncToken: fmt.Sprint("token ", n)}
}

// mark stores the n-th position of a device, and returns it as stored.
func (w *world) mark(user feed.UserID, device string, n int) feed.ReadPosition {
	p := readAt(n)
	p.At = must(w.ReadPositions.MarkRead(w.ctx, user, device, p, many))
	return p
}

// hasRead compares the position of a device.
func (w *world) hasRead(what string, user feed.UserID, device string, want *feed.ReadPosition) {
	w.same("the position of "+what, must(w.ReadPositions.ReadPosition(w.ctx, user, device)), want)
}

// readPositionsPromises checks the promises of [feed.ReadPositions].
func readPositionsPromises(s storeSuite) {
	s.promise("a position is that of one user and one device", func(w *world) {
		w.hasRead("a device without one", ann, "", nil)
		first, second, other := w.mark(ann, "", 1), w.mark(ann, "Phone", 2), w.mark(bob, "", 3)
		w.hasRead("all devices", ann, "", &first)
		w.hasRead("the phone", ann, "Phone", &second)
		w.hasRead("another case", ann, "phone", nil)
		w.hasRead("another user", bob, "", &other)
		w.hasRead("another user's phone", bob, "Phone", nil)
	})
	s.promise("the newest call wins, and is dated later than all before", func(w *world) {
		last := w.mark(ann, "phone", 1)
		for n := range 5 {
			next := w.mark(ann, "phone", n+2)
			w.failIf(next.At <= last.At, "call %d has the time %d, after %d", n+2, next.At, last.At)
			w.hasRead("the phone", ann, "phone", &next)
			last = next
		}
	})
	s.promise("of concurrent calls the one with the latest time wins", func(w *world) {
		for range 4 {
			stored := gather(8, func(i int) (feed.ReadPosition, error) {
				p := readAt(i)
				at, err := w.ReadPositions.MarkRead(w.ctx, ann, "phone", p, many)
				p.At = at
				return p, err
			})
			times, newest := map[int64]bool{}, stored[0]
			for _, p := range stored {
				times[p.At] = true
				if p.At > newest.At {
					newest = p
				}
			}
			w.same("the number of times", len(times), len(stored))
			w.hasRead("the phone", ann, "phone", &newest)
		}
	})
	s.promise("beyond the limit the oldest device is dropped", func(w *world) {
		mark := func(device string) {
			check(errorOf(w.ReadPositions.MarkRead(w.ctx, ann, device, readAt(1), 3)))
		}
		has := func(what string, want ...string) {
			var got []string
			for _, device := range []string{"", "a", "b", "c", "d"} {
				if must(w.ReadPositions.ReadPosition(w.ctx, ann, device)) != nil {
					got = append(got, device)
				}
			}
			w.same("the devices after "+what, got, want)
		}
		other := w.mark(bob, "a", 1)
		for _, device := range []string{"c", "", "b", "c"} {
			mark(device)
		}
		has("three", "", "b", "c")
		mark("a")
		has("a fourth", "a", "b", "c")
		mark("d")
		has("a fifth", "a", "c", "d")
		w.hasRead("another user", bob, "a", &other)
	})
	s.promise("concurrent calls for new devices keep the limit", func(w *world) {
		together(12, func(i int) error {
			return errorOf(w.ReadPositions.MarkRead(w.ctx, ann, fmt.Sprint(i), readAt(i), 3))
		})
		left := 0
		for i := range 12 {
			if must(w.ReadPositions.ReadPosition(w.ctx, ann, fmt.Sprint(i))) != nil {
				left++
			}
		}
		w.same("the number of devices", left, 3)
	})
	s.promise("only stored users have positions", func(w *world) {
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{dee}, true))
		w.deleteAccounts(cem)
		for _, user := range []feed.UserID{0, cem, dee, 12345} {
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.ReadPositions.MarkRead(w.ctx, user, "", readAt(1), many)))
			w.hasRead(user.String(), user, "", nil)
		}
	})
	s.promise("positions are purged with the account", func(w *world) {
		for i := range 3 {
			w.mark(ann, fmt.Sprint(i), i)
		}
		other := w.mark(bob, "0", 4)
		w.deleteAccounts(ann)
		w.purge(1)
		for i := range 3 {
			w.hasRead("a deleted user", ann, fmt.Sprint(i), nil)
		}
		w.hasRead("another user", bob, "0", &other)
	})
	s.promise("a position is no change of a feed", func(w *world) {
		version, place := w.relationsVersion(ann), w.numberAll()
		w.mark(ann, "", 1)
		w.same("ann's version", w.relationsVersion(ann), version)
		w.same("the end of the change log", w.numberAll(), place)
	})
}
