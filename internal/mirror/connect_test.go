package mirror_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/internal/mirror"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// With PgBouncer's defaults. It refuses most settings when a connection starts.
func TestConnect_WorksBehindSessionPooler(t *testing.T) {
	conn, err := mirror.Connect(t.Context(), testenv.StartPgBouncer(t, testenv.Postgres(t), "pool_mode = session"))
	check(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	for name, want := range map[string]string{"statement_timeout": "0", "intervalstyle": "postgres", "timezone": "UTC", "bytea_output": "hex", "extra_float_digits": "1"} {
		var got string
		if err := conn.QueryRow(t.Context(), "SELECT current_setting($1)", name).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", name, got, err, want)
		}
	}
}
