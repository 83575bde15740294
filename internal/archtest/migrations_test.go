//go:build !race

package archtest_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// With two migrations of one number no command opens a database.
func TestMigrations_HaveDistinctNumbers(t *testing.T) {
	files, err := filepath.Glob("../../feed/sqlstore/migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d migrations (error %v)", len(files), err)
	}
	named := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		number, _, _ := strings.Cut(name, "_")
		if named[number] != "" {
			t.Errorf("%s and %s have the same number", named[number], name)
		}
		named[number] = name
	}
}
