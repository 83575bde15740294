//go:build !race

package archtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// selection is a call of go test that selects tests by their names.
var selection = regexp.MustCompile(`\bgo test\b.*(-run|-bench|-fuzz)\b`)

func TestScripts_SelectTestsByOneScript(t *testing.T) {
	files, err := filepath.Glob("../../scripts/*.sh")
	if err != nil || len(files) == 0 {
		t.Fatalf("found the scripts %q (%v)", files, err)
	}
	for _, file := range append(files, "../../Makefile") {
		if filepath.Base(file) == "gotest.sh" {
			continue
		}
		text, err := os.ReadFile(file)
		check(t, err)
		whole := strings.ReplaceAll(string(text), "\\\n", " ")
		for line := range strings.Lines(whole) {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") && selection.MatchString(line) {
				t.Errorf("%s selects tests without scripts/gotest.sh: %s", file, line)
			}
		}
	}
}

func TestGotest_FailsWhenNothingIsSelected(t *testing.T) {
	for name, c := range map[string]struct {
		arguments []string
		complaint string
	}{
		"a test of one of several packages": {[]string{"-run=TestTrue", "./internal/kit/eventually", "./internal/kit/circuit"}, ""},
		"a test of one of several modules":  {[]string{"-run=TestTrue", "./internal/kit/eventually", "./bench/capacity"}, ""},
		"no test of another module":         {[]string{"-run", "NoSuchTest", "./bench/capacity"}, "-run NoSuchTest selects nothing"},
		"a subtest":                         {[]string{"-run", "TestWaits/True", "./internal/kit/eventually"}, ""},
		"no test":                           {[]string{"-run", "NoSuchTest", "./internal/kit/eventually"}, "-run NoSuchTest selects nothing"},
		"one alternative without a test":    {[]string{"-run=TestTrue|NoSuchTest", "./internal/kit/eventually"}, "-run NoSuchTest selects nothing"},
		"no subtest":                        {[]string{"-run", "TestWaits/none", "./internal/kit/eventually"}, "selects no subtest"},
		"no benchmark":                      {[]string{"-run", "^$", "-bench", "NoSuchBenchmark", "./internal/kit/eventually"}, "-bench NoSuchBenchmark selects nothing"},
		"no fuzz target":                    {[]string{"-run", "^$", "-fuzz", "^FuzzNothing$", "./internal/kit/eventually"}, "-fuzz ^FuzzNothing$ selects nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), filepath.Join(testenv.Checkout(t), "scripts", "gotest.sh"), c.arguments...).CombinedOutput()
			if c.complaint == "" && err == nil {
				return
			}
			if c.complaint == "" || err == nil || !strings.Contains(string(out), c.complaint) {
				t.Errorf("got the error %v, want %q:\n%s", err, c.complaint, out)
			}
		})
	}
}
