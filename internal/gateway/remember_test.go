package gateway

import (
	"strconv"
	"testing"
	"time"
)

// A token is remembered until it expires, and no longer than the keys it was verified with.
func TestRememberedTokensEndWithTheirTimeAndTheirKeys(t *testing.T) {
	start := time.Unix(1_777_896_000, 0)
	ann := Identity{Claims: Claims{User: 7, Admin: true}, Expires: start.Add(time.Minute)}
	for name, test := range map[string]struct {
		keysOf time.Time
		after  time.Duration
		holds  bool
	}{
		"at once":                   {start, 0, true},
		"just before its end":       {start, time.Minute - 1, true},
		"at its end":                {start, time.Minute, false},
		"when other keys are known": {start.Add(time.Second), 0, false},
	} {
		r := newRemembered()
		r.remember("token", ann, start)
		got, ok := r.recall("token", test.keysOf, start.Add(test.after))
		if ok != test.holds || ok && got != ann {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if _, ok := r.recall("Token", start, start); ok {
			t.Errorf("%s: another token is remembered too", name)
		}
		// What has ended once does not come back when the clock or the keys do.
		if _, ok := r.recall("token", start, start); ok != test.holds {
			t.Errorf("%s: asked again, it is %v", name, ok)
		}
	}
}

// However many tokens there are, few are kept, and those that are used are among them.
func TestRememberedTokensAreBounded(t *testing.T) {
	r := newRemembered()
	now := time.Unix(1_777_896_000, 0)
	id := Identity{Claims: Claims{User: 7}, Expires: now.Add(time.Hour)}
	r.remember("used", id, now)
	for i := range 10 * rememberedMax {
		r.remember(strconv.Itoa(i), id, now)
		if _, ok := r.recall("used", now, now); !ok {
			t.Fatalf("after %d others, a token that is used all the time is forgotten", i)
		}
		if kept := r.tokens.Len(); kept > rememberedMax {
			t.Fatalf("%d tokens are kept", kept)
		}
	}
	if _, ok := r.recall("1", now, now); ok {
		t.Error("a token that nobody uses is kept for ever")
	}
}
