package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/demo"
)

// leastRateLimit is the smallest budget that the server takes, which a visitor who scrolls
// has spent after some sixty pages.
const leastRateLimit = "TIDELINE_RATE_LIMIT=10000"

// The web client as people use it, in Chromium, by the suites of tests/browser: each says
// in its test's name what it promises. Pictures of every page are left where make
// screenshots wants them, or below bin.
func TestTheWebClientInABrowser(t *testing.T) {
	t.Parallel()
	chromium, err := findChromium()
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "scripts/npm.sh", "tests/browser", "bin/browser").CombinedOutput(); err != nil {
		t.Fatalf("scripts/npm.sh: %v\n%s", err, out)
	}
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret)
	limited := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+testSecret, leastRateLimit)

	runNode(t, "bin/browser", []string{"browser.test.mjs"},
		"TIDELINE_BASE="+s.base, "TIDELINE_LIMITED_BASE="+limited.base, "TIDELINE_TOKENS="+demoTokens(t), "TIDELINE_DEMO_LINK="+s.demoLink(t),
		"CHROMIUM="+chromium, "TIDELINE_SCREENSHOTS="+screenshots(t))
}

// demoTokens returns a JSON object of a token for every demo user.
func demoTokens(t *testing.T) string {
	t.Helper()
	tokens := map[string]string{}
	for id := 1; id <= demo.DefaultSize().Users; id++ {
		tokens[strconv.Itoa(id)] = tokenFor(t, feed.UserID(id))
	}
	text, err := json.Marshal(tokens)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
