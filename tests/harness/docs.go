package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Doc returns the text of a file of the repository.
func Doc(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testenv.Checkout(t), name))
	Check(t, err)
	return string(text)
}

// CodeBlocks returns the code blocks of a text in a language. It fails the test if there is none.
func CodeBlocks(t *testing.T, text, language string) []string {
	t.Helper()
	blocks := submatches("(?s)```"+language+"\n(.*?)```", text)
	if len(blocks) == 0 {
		t.Fatalf("there is no block in %s", language)
	}
	return blocks
}

// SettingsFile runs a block that writes the file .env, and returns its n settings as a shell reads them.
// Running the block again must change none.
func SettingsFile(t *testing.T, block string, n int) []string {
	t.Helper()
	dir := t.TempDir()
	run := func() []string {
		shell := exec.CommandContext(t.Context(), "sh", "-ec", block+"\nset -a; . ./.env; env")
		shell.Dir = dir
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return regexp.MustCompile(`(?m)^TIDELINE_.*$`).FindAllString(string(out), -1)
	}
	settings, again := run(), run()
	slices.Sort(settings)
	slices.Sort(again)
	if len(settings) != n || !slices.Equal(settings, again) {
		t.Fatalf("the block sets %q, and then %q; want %d settings", settings, again, n)
	}
	return settings
}

// submatches returns the first group of each match of a pattern.
func submatches(pattern, text string) (groups []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		groups = append(groups, m[1])
	}
	return groups
}

// ErrorCodes returns the rows of docs/errors.md for codes of errors, by code.
func ErrorCodes(t *testing.T) map[string]string {
	t.Helper()
	rows := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| `errors`(.*)$").FindAllStringSubmatch(Doc(t, "docs/errors.md"), -1) {
		rows[m[1]] = m[2]
	}
	return rows
}

// Metric describes one metric, as the docs or a server do. Labels are sorted.
type Metric struct {
	Type   string
	Labels []string
}

// DocumentedMetrics returns the table of docs/metrics.md by name.
func DocumentedMetrics(t *testing.T) map[string]Metric {
	t.Helper()
	all := map[string]Metric{}
	row := regexp.MustCompile("(?m)^\\| `(tideline_\\w+)` \\| (\\w+) \\| (.*?) ?\\| .+ \\|$")
	for _, m := range row.FindAllStringSubmatch(Doc(t, "docs/metrics.md"), -1) {
		labels := submatches("`(\\w+)`", m[3])
		slices.Sort(labels)
		all[m[1]] = Metric{m[2], labels}
	}
	return all
}
