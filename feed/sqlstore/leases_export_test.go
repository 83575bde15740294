package sqlstore

import "github.com/tideline-feeds/tideline/feed"

// ForgetLeases empties the cache of leases.
func (s *Store) ForgetLeases() {
	s.leases.mu.Lock()
	defer s.leases.mu.Unlock()
	clear(s.leases.until)
}

// Remembered returns how many leases are cached after reading those of the users 1 to last, a
// thousand at a time.
func Remembered(last int) int {
	var l leases
	for first := 1; first <= last; first += 1000 {
		found := make([]lease, 1000)
		for i := range found {
			found[i] = lease{user: feed.UserID(first + i), until: 1}
		}
		l.put(found)
	}
	return len(l.until)
}
