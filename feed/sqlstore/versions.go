package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

// ResetVersion forgets the version of an object, so that a record with any version is applied next. It
// returns the version, and false if none was stored.
func (s *Store) ResetVersion(ctx context.Context, o feed.Object) (was feed.ObjectVersion, found bool, err error) {
	err = s.inTx(ctx, func(tx *sql.Tx) error {
		versions, _, err := s.loadVersions(ctx, tx, []feed.Object{o}, s.d.forUpdate)
		if was, found = versions[o]; err != nil || !found {
			return err
		}
		// The row stays, because that of an edge also says that it has ended.
		return exec(ctx, tx, `UPDATE object_versions SET epoch = 0, version = 0 WHERE type = $1 AND a = $2 AND b = $3`, o.Type, o.A, o.B)
	})
	return was, found && err == nil, err
}
