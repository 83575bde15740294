package redisstore

import "time"

// Patient lets reads take as long as a busy machine makes them, for tests of what they
// return.
func Patient(s *Inboxes) *Inboxes {
	s.reads.within = time.Minute
	return s
}
