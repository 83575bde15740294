//go:build !race

package archtest_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

var (
	namedTest  = regexp.MustCompile("`(Test[^`]+)`")
	testOrCase = regexp.MustCompile(`(?m)^func (Test\w+)\(|"([^"\\\n]+)"`)
)

// A renamed test must be renamed in docs/benchmarks/mutations.md too.
func TestMutations_NameExistingTests(t *testing.T) {
	const page = "docs/benchmarks/mutations.md"
	module := os.DirFS("../..")
	text, err := fs.ReadFile(module, page)
	if err != nil {
		t.Fatal(err)
	}
	names := namedTest.FindAllStringSubmatch(string(text), -1)
	if len(names) == 0 {
		t.Fatalf("%s names no test", page)
	}
	tests, cases, err := testsAndCases(module)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		test, subtests, _ := strings.Cut(name[1], "/")
		if !tests[test] {
			t.Errorf("%s names %s, but there is no %s", page, name[1], test)
		}
		for subtest := range strings.SplitSeq(subtests, "/") {
			if subtest != "" && !cases[subtest] {
				t.Errorf("%s names %s, but no subtest is called %s", page, name[1], subtest)
			}
		}
	}
}

// testsAndCases returns the names of all test functions and the possible names of subtests: all
// strings of tests and conformance suites, and all scenarios.
func testsAndCases(module fs.FS) (tests, cases map[string]bool, err error) {
	tests, cases = map[string]bool{}, map[string]bool{}
	err = fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || name != "." && entry.Name()[0] == '.') {
			return fs.SkipDir
		}
		if scenario, ok := strings.CutSuffix(entry.Name(), ".feed"); ok {
			cases[scenario] = true
		}
		if path.Ext(name) != ".go" || !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "feed/feedtest/") {
			return nil
		}
		text, err := fs.ReadFile(module, name)
		for _, found := range testOrCase.FindAllStringSubmatch(string(text), -1) {
			tests[found[1]] = true
			cases[strings.ReplaceAll(found[2], " ", "_")] = true
		}
		return err
	})
	return tests, cases, err
}
