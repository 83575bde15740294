package sqlstore

import (
	"context"
)

// PushMost is how many viewers one transaction of [Inboxes.Push] serves.
const PushMost = pushMost

// Misfits counts the headers with a wrong count, and the entries that are not above the floor of a
// header.
func (s *Inboxes) Misfits(ctx context.Context) (n int, err error) {
	err = s.store.ro.QueryRowContext(ctx, `
SELECT (SELECT COUNT(*) FROM `+s.headers+` AS h
        WHERE h.entry_count <> (SELECT COUNT(*) FROM `+s.entries+` AS e WHERE e.user_id = h.user_id))
     + (SELECT COUNT(*) FROM `+s.entries+` AS e
        WHERE NOT EXISTS (SELECT 1 FROM `+s.headers+` AS h
          WHERE h.user_id = e.user_id AND (h.floor_ts, h.floor_id) < (e.publish_time, e.content_id)))`).Scan(&n)
	return n, err
}
