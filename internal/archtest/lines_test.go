//go:build !race

package archtest_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/archtest"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// counted is a line of the script's output: the folder of a package, and its lines.
var counted = regexp.MustCompile(`(?m)^(\S+) (\d+)$`)

// maxComments is the limit for comment lines of product code, in percent.
const maxComments = 12

// run runs a command in the module's root and returns its output.
func run(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir = testenv.Checkout(t)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s %q: %v", name, arguments, err)
	}
	return string(out)
}

func TestLines_CountsWhatTheProgramLinks(t *testing.T) {
	var linked []string
	for pkg := range strings.FieldsSeq(run(t, "go", "list", "-deps", ".")) {
		if dir, own := strings.CutPrefix(pkg, rules.Module); own {
			linked = append(linked, strings.TrimPrefix(dir, "/"))
		}
	}
	packages := counted.FindAllStringSubmatch(run(t, "scripts/lines.sh", "--packages"), -1)
	if len(packages) < 2 {
		t.Fatal("the script counts no packages")
	}
	var sum archtest.Lines
	for _, p := range packages {
		if dir := strings.TrimPrefix(p[1], "."); !slices.Contains(linked, dir) {
			t.Errorf("scripts/lines.sh counts %s, which the program does not link", p[1])
		}
		lines, err := archtest.CountLines(openCheckout(t), p[1], p[1] == "feed")
		check(t, err)
		t.Logf("%4.1f %% comments in %s", lines.Share(), p[1])
		sum.Add(lines)
	}
	if sum.Share() > maxComments {
		t.Errorf("%d of %d lines of product code are comments, %.1f %%; at most %d %% are allowed. "+
			"Delete comments that repeat the code, and shorten those that are longer than it; -v lists the packages",
			sum.Comments, sum.All, sum.Share(), maxComments)
	}
}

func TestLines_LeavesOutGeneratedCode(t *testing.T) {
	for _, p := range counted.FindAllStringSubmatch(run(t, "scripts/lines.sh", "--packages"), -1) {
		// These packages are generated, except for the package clause of a documentation file.
		if strings.HasPrefix(p[1], "api/") && p[2] != "1" {
			t.Errorf("scripts/lines.sh counts %s lines of %s, which is generated", p[2], p[1])
		}
	}
}

func TestCountLines_CountsComments(t *testing.T) {
	module := fstest.MapFS{
		"feed/doc.go":    source("// Package feed is here.\n// It is.\npackage feed\n"),
		"feed/a_test.go": source("// A test.\npackage feed\n"),
		"feed/made.go":   source(generated + "package feed\n\n// A is made.\ntype A int\n"),
		"feed/a.go": source("package feed\n\n// Port is a port.\n// It has a contract.\ntype Port interface {\n\t// Get gets.\n\tGet()\n}\n" +
			"\n// B is a type.\ntype B int // its value\n"),
	}
	for contracts, want := range map[bool]archtest.Lines{
		true:  {All: 5, Comments: 1},
		false: {All: 11, Comments: 4},
	} {
		got, err := archtest.CountLines(module, "feed", contracts)
		check(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with contracts skipped: %v, the lines differ (-want +got):\n%s", contracts, diff)
		}
	}
}
