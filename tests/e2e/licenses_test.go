package e2e

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestVersion_PrintsAllLicences(t *testing.T) {
	code, stdout, stderr := harness.RunMain(t, "version", "--licenses")
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %q", code, stderr)
	}
	for _, part := range []string{
		"Apache License", "\nThe Go standard library (BSD-3-Clause)\n", "\ngithub.com/jackc/pgx/v5 v", "\nreact-relay ", "\ngraphiql ",
	} {
		if !strings.Contains(stdout, part) {
			t.Errorf("the notices lack %q", part)
		}
	}
}
