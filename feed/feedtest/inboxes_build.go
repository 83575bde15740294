package feedtest

import (
	"math"

	"github.com/tideline-feeds/tideline/feed"
)

func inboxBeginCases(s inboxSuite) {
	s.promise("An inbox that was never built is absent", 5, func(t inboxTest) { t.want(viewerA, feed.Inbox{}) })
	s.promise("Begin creates an empty inbox that is building, with floor Bottom", 5, func(t inboxTest) {
		header := feed.BuildHeader{Token: "one", Generation: math.MaxInt64, StartedAt: 1000}
		t.same("began", true, t.begin(viewerA, header, 0))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "one", Generation: math.MaxInt64})
	})
	s.promise("Finish makes the inbox ready, complete to the version of the build", 5, func(t inboxTest) {
		t.building(viewerA)
		done := t.finish(viewerA, "one", feed.Build{
			Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2)}, Floor: keyAt(10, 1), Version: math.MaxInt64,
		})
		t.same("finished", true, done)
		t.want(viewerA, feed.Inbox{
			State: feed.InboxReady, Token: "one", Generation: 1, Version: math.MaxInt64,
			Floor: keyAt(10, 1), Count: 2, Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2)},
		})
	})
	s.promise("A build that finds nothing is ready and empty, not absent", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.want(viewerA, feed.Inbox{State: feed.InboxReady, Token: "one", Generation: 1, Version: 1, WarmUntil: warmUntil})
	})
	s.promise("Begin is refused and changes nothing during a recent build", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(1, 1), viewerA)
		before := t.read(viewerA, wholeInbox())
		t.same("began", false, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 2000}, 999))
		t.want(viewerA, before)
	})
	s.promise("Begin replaces a build that began at or before staleBefore", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(1, 1), viewerA)
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 2000}, 1000))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "two", Generation: 2})
	})
	s.promise("Begin replaces a ready inbox of any age", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 1000}, 0))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "two", Generation: 2})
	})
	s.promise("Begin resets the floor to Bottom", 2, func(t inboxTest) {
		t.building(viewerA)
		for n := range int64(5) {
			t.push(keyAt(n, n+1), viewerA)
		}
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", StartedAt: 1000}, 1000))
		t.push(keyAt(0, 1), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(0, 1))
	})
}

func inboxRemoveCases(s inboxSuite) {
	s.promise("Remove deletes the inbox, ready or building, and pushes do not restore it", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.building(viewerB)
		t.remove(viewerA)
		t.remove(viewerB)
		t.push(keyAt(2, 2), viewerA, viewerB)
		t.want(viewerA, feed.Inbox{})
		t.want(viewerB, feed.Inbox{})
	})
	s.promise("Removing an absent inbox changes nothing", 5, func(t inboxTest) {
		t.remove(viewerA)
		t.want(viewerA, feed.Inbox{})
	})
	s.promise("A removed inbox can be built again", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.remove(viewerA)
		t.ready(viewerA, keyAt(2, 2))
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2))
	})
	s.promise("A build changes only its viewer's inbox", 5, func(t inboxTest) {
		t.ready(viewerB, keyAt(1, 1))
		before := t.read(viewerB, wholeInbox())
		t.ready(viewerA, keyAt(2, 2))
		t.remove(viewerA)
		t.want(viewerB, before)
	})
}

func inboxFinishCases(s inboxSuite) {
	s.promise("Finish is refused and changes nothing with another build's token", 5, func(t inboxTest) {
		t.building(viewerA)
		before := t.read(viewerA, wholeInbox())
		t.same("finished", false, t.finish(viewerA, "two", feed.Build{Keys: []feed.Key{keyAt(1, 1)}, Version: 7}))
		t.want(viewerA, before)
	})
	s.promise("Finish is refused if another build has replaced this one", 5, func(t inboxTest) {
		t.building(viewerA)
		t.begin(viewerA, feed.BuildHeader{Token: "two", StartedAt: 2000}, 1000)
		t.same("finished by the first", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(1, 1)}}))
		t.same("finished by the second", true, t.finish(viewerA, "two", feed.Build{Keys: []feed.Key{keyAt(2, 2)}}))
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2))
	})
	s.promise("Finish is refused and changes nothing if the inbox is ready", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		before := t.read(viewerA, wholeInbox())
		t.same("finished", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(2, 2)}, Version: 9}))
		t.want(viewerA, before)
	})
	s.promise("Finish is refused and creates nothing if the inbox is absent", 5, func(t inboxTest) {
		t.same("finished", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(1, 1)}}))
		t.want(viewerA, feed.Inbox{})
	})
}

func inboxMergeCases(s inboxSuite) {
	s.promise("Keys pushed during a build are merged with those of the build", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(20, 2), viewerA)
		t.push(keyAt(40, 4), viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(10, 1)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(40, 4), keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
	})
	s.promise("Finish accepts keys in any order, and duplicates", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(10, 1), keyAt(30, 3), keyAt(10, 1), keyAt(20, 2)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
	})
	s.promise("Finish keeps a higher floor of earlier trims", 2, func(t inboxTest) {
		t.building(viewerA)
		for _, k := range []feed.Key{keyAt(30, 3), keyAt(40, 4), keyAt(50, 5)} {
			t.push(k, viewerA)
		}
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(20, 2)}, Floor: keyAt(10, 1)})
		t.wantKeys(viewerA, keyAt(30, 3), keyAt(50, 5), keyAt(40, 4))
	})
	s.promise("Finish applies a higher floor of the build and removes pushed keys at or below it", 5, func(t inboxTest) {
		t.building(viewerA)
		for _, k := range []feed.Key{keyAt(10, 1), keyAt(20, 2), keyAt(20, 3), keyAt(20, 10), keyAt(30, 4)} {
			t.push(k, viewerA)
		}
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(40, 5)}, Floor: keyAt(20, 3)})
		t.wantKeys(viewerA, keyAt(20, 3), keyAt(40, 5), keyAt(30, 4), keyAt(20, 10))
	})
	s.promise("Finish drops keys of the build at or below its own floor", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(20, 10), keyAt(10, 1)}, Floor: keyAt(20, 2)})
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(30, 3), keyAt(20, 10))
	})
	s.promise("Finish trims to the cap and raises the floor to the newest entry it leaves out", 2, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(25, 9), viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(10, 1)}, Floor: keyAt(5, 5)})
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(30, 3), keyAt(25, 9))
	})
	s.promise("Finish accepts many keys", 700, func(t inboxTest) {
		var keys []feed.Key
		for n := int64(900); n > 0; n-- {
			keys = append(keys, keyAt(n/3, n))
		}
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: keys})
		t.wantKeys(viewerA, keys[700], keys[:700]...)
	})
}
