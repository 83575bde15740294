package redisstore_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestSpend_ReturnsWaitWhenEmpty(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		b := redisstore.Patient(redisstore.NewBudgets(c))
		// So long a window that nothing to speak of comes back while the test runs.
		const quota, window = 1000, 1000 * time.Hour
		for _, want := range []int{700, 400, 100} {
			left, wait, err := b.Spend(t.Context(), "viewer:1", 300, quota, window)
			// The key says when it is full to a microsecond, which may be a unit in rounding.
			if err != nil || wait != 0 || left < want-1 || left > want {
				t.Fatalf("300 more leave %d, wait %v, %v; want %d", left, wait, err, want)
			}
		}
		for range 2 {
			left, wait, err := b.Spend(t.Context(), "viewer:1", 300, quota, window)
			if err != nil || left < 99 || left > 100 || wait < 199*time.Hour || wait > 200*time.Hour {
				t.Errorf("300 of 100 leave %d, wait %v, %v", left, wait, err)
			}
		}
		if left, wait, err := b.Spend(t.Context(), "viewer:2", quota, quota, window); err != nil || left != 0 || wait != 0 {
			t.Errorf("all of another budget leaves %d, wait %v, %v", left, wait, err)
		}
	})
}

func TestSpend_RefillsAndExpires(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		b := redisstore.Patient(redisstore.NewBudgets(c))
		const quota, window = 1000, 50 * time.Millisecond
		if _, wait, err := b.Spend(t.Context(), "k", quota, quota, window); err != nil || wait != 0 {
			t.Fatalf("a full budget: wait %v, %v", wait, err)
		}
		eventually.True(t, "the budget is full again", func() bool {
			_, wait, err := b.Spend(t.Context(), "k", quota, quota, window)
			must(t, err)
			return wait == 0
		})
		ttl, err := raw(t, c).PTTL(t.Context(), "tideline:budget:k").Result()
		// What says nothing any more stays for five seconds, to be written over.
		if err != nil || ttl <= 0 || ttl > window+5*time.Second {
			t.Errorf("it is kept for %v, %v", ttl, err)
		}
	})
}

func TestSpend_ConcurrentCallsKeepLimit(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		b := redisstore.Patient(redisstore.NewBudgets(c))
		var served atomic.Int32
		var all sync.WaitGroup
		for range 30 {
			all.Go(func() {
				_, wait, err := b.Spend(t.Context(), "k", 100, 1000, 1000*time.Hour)
				switch {
				case err != nil:
					t.Error(err)
				case wait == 0:
					served.Add(1)
				}
			})
		}
		all.Wait()
		if served.Load() != 10 {
			t.Errorf("%d of 30 were served from a budget for 10", served.Load())
		}
	})
}

// As a Redis might that something has been put in front of.
func TestSpend_IncompleteReplyIsError(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		for _, lua := range []string{"return {}", "return {1}"} {
			b := redisstore.BudgetsSaying(redisstore.Patient(redisstore.NewBudgets(c)), lua)
			if left, _, err := b.Spend(t.Context(), "k", 1, 10, time.Minute); err == nil {
				t.Errorf("%q: %d are left", lua, left)
			}
			b.SpendAll(t.Context(), []string{"k"}, []int{1}, 10, time.Minute, func(_, left int, _ time.Duration, err error) {
				if err == nil {
					t.Errorf("%q: of many %d are left", lua, left)
				}
			})
		}
	})
}

func TestTexts_FoundByHash(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		texts := redisstore.Patient(redisstore.NewTexts(c))
		const text = "{ viewer { user { name } } }"
		must(t, texts.KeepText(t.Context(), "abc", text))
		for hash, want := range map[string]string{"abc": text, "abd": "", "": ""} {
			if got, err := texts.Text(t.Context(), hash); err != nil || got != want {
				t.Errorf("under %q is %q, %v", hash, got, err)
			}
		}
		ttl, err := raw(t, c).TTL(t.Context(), "tideline:document:abc").Result()
		if err != nil || ttl <= 0 || ttl > 24*time.Hour {
			t.Errorf("it is kept for %v, %v", ttl, err)
		}
	})
}

// Any client may send texts, and inboxes are in the same Redis.
func TestTexts_LimitsBytes(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		texts := redisstore.Patient(redisstore.NewTexts(c))
		large := strings.Repeat("x", 1<<20-256) // and 256 bytes for its key
		for i := range 40 {
			must(t, texts.KeepText(t.Context(), fmt.Sprint(i), large))
		}
		keys, err := raw(t, c).Keys(t.Context(), "tideline:document:*").Result()
		if err != nil || len(keys) != 32 {
			t.Errorf("%d texts of 1 MiB are kept, %v", len(keys), err)
		}
		if err := texts.KeepText(t.Context(), "huge", strings.Repeat("x", 33<<20)); err != nil {
			t.Error(err)
		}
		if got, err := texts.Text(t.Context(), "huge"); err != nil || got != "" {
			t.Errorf("a text that is too large is kept, %v", err)
		}
	})
}

// The shortest texts take Redis a dozen times as much as they are long.
func TestTexts_LimitsMemoryOfShortOnes(t *testing.T) {
	c := open(t, testenv.Redis(t))
	texts, r := redisstore.Patient(redisstore.NewTexts(c)), raw(t, c)
	must(t, texts.KeepText(t.Context(), "first", "{a}"))
	budget := redisstore.Patient(redisstore.NewBudgets(c))
	left := func() int {
		n, _, err := budget.Spend(t.Context(), "documents", 0, 32<<20, 24*time.Hour)
		must(t, err)
		return n
	}
	before, had := stat(t, r, "memory", "used_memory"), left()
	const many = 5000
	for i := range many {
		hash := sha256.Sum256([]byte(strconv.Itoa(i)))
		must(t, texts.KeepText(t.Context(), hex.EncodeToString(hash[:]), "{a:__typename}"))
	}
	took := stat(t, r, "memory", "used_memory") - before
	charged := had - left()
	t.Logf("%d texts took %d bytes each, and were charged %d", many, took/many, charged/many)
	if took > charged {
		t.Errorf("%d texts took %d bytes of Redis, and were charged %d", many, took, charged)
	}
}

// Two hundred budgets take several calls of the script, so results could be mixed up. Redis forgets
// its scripts between the rounds. In the last round, half of the budgets do not suffice.
func TestSpendAll_EachByItsCost(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		b := redisstore.Patient(redisstore.NewBudgets(c))
		const quota, window, many, rounds = 300, 1000 * time.Hour, 200, 2
		keys, costs := make([]string, many), make([]int, many)
		for i := range keys {
			keys[i], costs[i] = fmt.Sprint(i), 51+i
		}
		for round := 1; round <= rounds; round++ {
			reported := make([]int, many)
			b.SpendAll(t.Context(), keys, costs, quota, window, func(i, left int, wait time.Duration, err error) {
				reported[i]++
				want, refused := quota-round*costs[i], false
				if want < 0 {
					want, refused = want+costs[i], true
				}
				// The key says when it is full to a microsecond, which may be a unit in rounding.
				if err != nil || left < want-round || left > want || (wait > 0) != refused {
					t.Errorf("round %d leaves %d of budget %d, wait %v, %v; want %d", round, left, i, wait, err, want)
				}
			})
			for i, times := range reported {
				if times != 1 {
					t.Errorf("budget %d was reported %d times", i, times)
				}
			}
			flushScripts(t, c)
		}
	})
}
