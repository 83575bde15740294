package gateway

import (
	"strconv"
	"testing"
	"time"
)

func TestTokenCache_EndsWithExpiryAndKeys(t *testing.T) {
	start := time.Unix(1_777_896_000, 0)
	ann := Identity{Claims: Claims{User: 7, Admin: true}, Expires: start.Add(time.Minute)}
	for name, test := range map[string]struct {
		fetched time.Time
		after   time.Duration
		holds   bool
	}{
		"at once":                   {start, 0, true},
		"just before its end":       {start, time.Minute - 1, true},
		"at its end":                {start, time.Minute, false},
		"when other keys are known": {start.Add(time.Second), 0, false},
	} {
		r := newTokenCache()
		r.put("token", ann, start)
		got, ok := r.get("token", test.fetched, start.Add(test.after))
		if ok != test.holds || ok && got != ann {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if _, ok := r.get("Token", start, start); ok {
			t.Errorf("%s: another token is cached too", name)
		}
		// A clock that is set back does not revive an expired token.
		if _, ok := r.get("token", start, start); ok != test.holds {
			t.Errorf("%s: the second lookup returned %v", name, ok)
		}
	}
}

func TestTokenCache_IsBounded(t *testing.T) {
	r := newTokenCache()
	now := time.Unix(1_777_896_000, 0)
	id := Identity{Claims: Claims{User: 7}, Expires: now.Add(time.Hour)}
	r.put("used", id, now)
	for i := range 10 * tokenCacheMax {
		r.put(strconv.Itoa(i), id, now)
		if _, ok := r.get("used", now, now); !ok {
			t.Fatalf("a frequently used token was evicted after %d others", i)
		}
		if kept := r.tokens.Len(); kept > tokenCacheMax {
			t.Fatalf("%d tokens are kept", kept)
		}
	}
	if _, ok := r.get("1", now, now); ok {
		t.Error("an unused token is never evicted")
	}
}
