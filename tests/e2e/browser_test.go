package e2e

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// findChromium returns the path of Chromium or a browser built from it. It prefers the headless
// build, which takes half of the CPU time.
func findChromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium in PATH; on Debian: apt-get install --no-install-recommends chromium-headless-shell")
	return ""
}

// TestWebClient_InABrowser runs the suites of tests/browser in Chromium: those of the main paths, or
// all with the build tag nightly. Pictures of pages go to TIDELINE_SCREENSHOTS, or to a folder in
// bin.
func TestWebClient_InABrowser(t *testing.T) {
	chromium, folder := findChromium(t), installNode(t, "browser")
	pictures, err := filepath.Abs(cmp.Or(os.Getenv("TIDELINE_SCREENSHOTS"), "bin/screenshots"))
	harness.Check(t, err)
	s := startServer(t, embedded(t)...)
	// 10,000 is the smallest budget that the server accepts. A visitor spends it by some sixty pages.
	limited := startServer(t, embedded(t, "TIDELINE_RATE_LIMIT=10000", "TIDELINE_TASKS_WRITABLE=true")...)

	wait := startNode(t, folder, []string{browserSuites},
		"TIDELINE_BASE="+s.Base, "TIDELINE_LIMITED_BASE="+limited.Base, "TIDELINE_TOKEN_SECRET="+harness.Secret, "TIDELINE_DEMO_LINK="+s.DemoLink(t),
		"CHROMIUM="+chromium, "TIDELINE_SCREENSHOTS="+pictures)
	// The suites take longer than any other test, so they start before all that are parallel.
	t.Parallel()
	wait()
}
