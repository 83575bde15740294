package redisstore

import (
	"time"

	"github.com/redis/go-redis/v9"
)

// Patient lets reads take as long as a busy machine makes them, for tests of what they
// return.
func Patient(s *Inboxes) *Inboxes {
	s.reads.breaker.within = time.Minute
	return s
}

// ByScript has inboxes read as those with a high cap are, and Whole as those with a low one.
func ByScript(s *Inboxes) *Inboxes {
	s.reads.way = byScript{s.scripts.read}
	return s
}

func Whole(s *Inboxes) *Inboxes {
	s.reads.way = newWhole(s.cap)
	return s
}

// PatientSets and PatientSnapshots do the same for theirs.
func PatientSets(s *Sets) *Sets {
	s.reads.within = time.Minute
	return s
}

func PatientSnapshots(s *Snapshots) *Snapshots {
	s.reads.within = time.Minute
	return s
}

// PatientBudgets and PatientTexts do it for theirs.
func PatientBudgets(b *Budgets) *Budgets {
	b.breaker.within = time.Minute
	return b
}

// BudgetsSaying has a script answer for budgets that says something else.
func BudgetsSaying(b *Budgets, lua string) *Budgets {
	b.spend = redis.NewScript(lua)
	return b
}

func PatientTexts(t *Texts) *Texts {
	t.breaker.within = time.Minute
	PatientBudgets(t.budgets)
	return t
}
