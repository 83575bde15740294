package testenv

import (
	"path/filepath"
	"testing"
)

// PostgresProgram returns the path of a program of the PostgreSQL server's version, such as
// pgbench.
func PostgresProgram(t testing.TB, name string) string {
	t.Helper()
	bin, err := postgresPrograms()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(bin, name)
}
