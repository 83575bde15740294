package lrucache_test

import (
	"math"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

func object(id int) feed.Object { return feed.Object{Type: feed.RecordUser, A: int64(id)} }

// A value expires, but may be used until keep is over, if that is later.
func TestContents_AgesFromTheRead(t *testing.T) {
	const ttl, day = time.Minute, 24 * time.Hour
	readAt := time.Unix(1, 0)
	for _, c := range []struct {
		keep, age    time.Duration
		fresh, found bool
	}{
		{time.Hour, ttl - 1, true, true},
		{time.Hour, ttl, false, true},
		{time.Hour, time.Hour - 1, false, true},
		{time.Hour, time.Hour, false, false},
		{0, ttl - 1, true, true},
		{0, ttl, false, false},
		{day, time.Hour, false, true},
	} {
		l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 9, Bytes: math.MaxInt64, TTL: ttl}, c.keep)
		l.Put(object(1), feed.Profile{Name: "one"}, readAt)
		value, fresh, found := l.Get(object(1), readAt.Add(c.age))
		if fresh != c.fresh || found != c.found || found != (value.Name == "one") {
			t.Errorf("kept for %s, after %s: %+v, fresh %t, found %t", c.keep, c.age, value, fresh, found)
		}
	}
}

func TestContents_KeepsNothingIfOff(t *testing.T) {
	now := time.Unix(1, 0)
	for _, o := range []lrucache.Options{{}, {Size: 9, TTL: time.Hour}, {Size: 9, Bytes: math.MaxInt64}, {Bytes: math.MaxInt64, TTL: time.Hour}} {
		l := lrucache.NewContents[feed.Object, feed.Profile](o, time.Hour)
		l.Put(object(1), feed.Profile{Name: "one"}, now)
		if _, _, found := l.Get(object(1), now); found {
			t.Errorf("with %+v a value is kept", o)
		}
	}
}

func TestContents_ExpireAndRemove(t *testing.T) {
	now := time.Unix(1, 0)
	l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 3, Bytes: math.MaxInt64, TTL: time.Minute}, time.Hour)
	for key := range 4 { // the first is pushed out
		l.Put(object(key), feed.Profile{}, now)
	}
	l.Expire(object(1), object(99))
	l.Remove(object(2))
	for key, want := range [][2]bool{{false, false}, {false, true}, {false, false}, {true, true}} {
		if _, fresh, found := l.Get(object(key), now); [2]bool{fresh, found} != want {
			t.Errorf("key %d: fresh %t, found %t", key, fresh, found)
		}
	}
	l.ExpireAll()
	if _, fresh, found := l.Get(object(3), now); fresh || !found {
		t.Errorf("after all: fresh %t, found %t", fresh, found)
	}
}
