package archtest_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// counted is a line of the script's output: lines, files, and the folder of a package.
var counted = regexp.MustCompile(`(?m)^ *\d+ lines +\d+ files +(\S+)$`)

func TestLines_CountsWhatTheProgramLinks(t *testing.T) {
	run := func(name string, arguments ...string) string {
		command := exec.CommandContext(t.Context(), name, arguments...)
		command.Dir = "../.."
		out, err := command.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, arguments, err)
		}
		return string(out)
	}
	var linked []string
	for pkg := range strings.FieldsSeq(run("go", "list", "-deps", ".")) {
		if dir, own := strings.CutPrefix(pkg, rules.Module); own {
			linked = append(linked, strings.TrimPrefix(dir, "/"))
		}
	}
	packages := counted.FindAllStringSubmatch(run("scripts/lines.sh"), -1)
	if len(packages) < 2 {
		t.Fatal("the script counts no packages")
	}
	for _, p := range packages {
		if dir := strings.TrimPrefix(p[1], "."); !slices.Contains(linked, dir) {
			t.Errorf("scripts/lines.sh counts %s, which the program does not link", p[1])
		}
	}
}
