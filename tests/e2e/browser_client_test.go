package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// leastRateLimit is the smallest budget that the server accepts. A visitor spends it by some sixty
// pages.
const leastRateLimit = "TIDELINE_RATE_LIMIT=10000"

// This runs the suites of tests/browser in Chromium. Pictures of every page go to
// TIDELINE_SCREENSHOTS, or to a folder in bin.
func TestWebClient_InABrowser(t *testing.T) {
	chromium, err := findChromium()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "scripts/npm.sh", "tests/browser", "bin/browser").CombinedOutput(); err != nil {
		t.Fatalf("scripts/npm.sh: %v\n%s", err, out)
	}
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret)
	limited := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, leastRateLimit)

	wait := startNode(t, "bin/browser", []string{"browser.test.mjs"},
		"TIDELINE_BASE="+s.Base, "TIDELINE_LIMITED_BASE="+limited.Base, "TIDELINE_TOKEN_SECRET="+harness.Secret, "TIDELINE_DEMO_LINK="+s.DemoLink(t),
		"CHROMIUM="+chromium, "TIDELINE_SCREENSHOTS="+screenshots(t))
	// The suite takes longer than any other test, so it starts before all that are parallel.
	t.Parallel()
	wait()
}

// screenshots returns the folder for pictures.
func screenshots(t *testing.T) string {
	t.Helper()
	if folder := os.Getenv("TIDELINE_SCREENSHOTS"); folder != "" {
		return folder
	}
	folder, err := filepath.Abs("bin/screenshots")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}
