package sqlstore

import "github.com/tideline-feeds/tideline/feed"

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
