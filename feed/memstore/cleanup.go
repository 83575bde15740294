package memstore

import "context"

// Cleanup implements [feed.Cleaner].
func (s *Store) Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		plans := 0
		for id, p := range s.plans {
			if plans < limit && p.at < plansBefore && len(s.openSlices(id)) == 0 {
				delete(s.plans, id)
				delete(s.events, id)
				plans++
			}
		}
		keys := 0
		for k, used := range s.idempotencyKeys {
			if keys < limit && used.at < keysBefore {
				delete(s.idempotencyKeys, k)
				keys++
			}
		}
		return plans == limit || keys == limit
	})
}

// DropEndedVersions implements [feed.Cleaner].
func (s *Store) DropEndedVersions(ctx context.Context, before int64, limit int) (bool, error) {
	return inTx(ctx, s, func() bool {
		dropped := 0
		for object, at := range s.sources.endedAt {
			if dropped < limit && at < before {
				delete(s.sources.endedAt, object)
				delete(s.sources.ended, object)
				delete(s.sources.versions, object)
				dropped++
			}
		}
		return dropped == limit
	})
}
