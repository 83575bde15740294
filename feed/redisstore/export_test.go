package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// IdentityWithin is how long a Redis that is known already is waited for.
const IdentityWithin = identityWithin

// Patient lets calls of a store take as long as a busy machine makes them, for tests of what they
// return.
func Patient[S *Inboxes | *Sets | *Snapshots | *Budgets | *Texts](store S) S {
	var limits []*time.Duration
	switch s := any(store).(type) {
	case *Inboxes:
		limits = []*time.Duration{&s.reads.breaker.within}
	case *Sets:
		limits = []*time.Duration{&s.reads.within}
	case *Snapshots:
		limits = []*time.Duration{&s.reads.within}
	case *Budgets:
		limits = []*time.Duration{&s.breaker.within}
	case *Texts:
		limits = []*time.Duration{&s.reads.within, &s.writes.within, &s.budgets.breaker.within}
	}
	for _, limit := range limits {
		*limit = eventually.Limit
	}
	return store
}

// ByScript has inboxes read as those with a high cap are, and Whole as those with a low one.
func ByScript(s *Inboxes) *Inboxes {
	s.reader = scriptReader{s.scripts.read}
	return s
}

func Whole(s *Inboxes) *Inboxes {
	s.reader = wholeReader{}
	return s
}

// BudgetsSaying has a script answer for budgets that says something else.
func BudgetsSaying(b *Budgets, lua string) *Budgets {
	b.spend = redis.NewScript(lua)
	return b
}

// NotNowReplies returns replies that mean "not now", as servers give them to commands and, from
// Redis 7 and Redis 6, out of scripts.
func NotNowReplies() map[string]string {
	return map[string]string{
		"loading":              "LOADING Redis is loading the dataset in memory",
		"replica":              "READONLY You can't write against a read only replica.",
		"replica alone":        "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
		"too few replicas":     "NOREPLICAS Not enough good replicas to write.",
		"lost shard":           "CLUSTERDOWN The cluster is down",
		"reads only":           "CLUSTERDOWN The cluster is down and only accepts read commands",
		"unsaved":              "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
		"full":                 "OOM command not allowed when used memory > 'maxmemory'.",
		"full, in a script":    "OOM command not allowed when used memory > 'maxmemory'. script: 1b93, on @user_script:12.",
		"full, in a script, 6": "ERR Error running script (call to f_1b93): @user_script:12: -OOM command not allowed when used memory > 'maxmemory'.",
		"replica, script, 6":   "ERR Error running script (call to f_1b93): @user_script: 12: -READONLY You can't write against a read only replica.",
		"busy":                 "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
		"no password":          "NOAUTH Authentication required.",
		"wrong password":       "WRONGPASS invalid username-password pair or user is disabled.",
		"no permission":        "NOPERM this user has no permissions to run the 'get' command",
		"too many clients":     "ERR max number of clients reached",
		"unserved slot":        "CLUSTERDOWN Hash slot not served",
		"moving slot":          "TRYAGAIN Multiple keys request during rehashing of slot",
	}
}
