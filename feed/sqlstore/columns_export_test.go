package sqlstore

import "context"

// DescribedColumns returns the columns of each table that tables.go describes.
func DescribedColumns() map[string]string {
	return map[string]string{
		"users":         newUserColumns.and(lastSeenColumn, deletedAtColumn).names(""),
		"contents":      postColumns.names(""),
		"live_sessions": sessionColumns.names(""),
		"follows":       followEdges.fields().names(""),
		"reactions":     reactionEdges.fields().names(""),
		"relations":     relationEdges.fields().names(""),

		"source_user_counters":    userCounterColumns.names(""),
		"source_content_counters": postCounterColumns.names(""),
	}
}

// ColumnsOf returns the columns that a table has.
func (s *Store) ColumnsOf(ctx context.Context, table string) ([]string, error) {
	rows, err := s.ro.QueryContext(ctx, "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	return columns, rows.Err()
}
