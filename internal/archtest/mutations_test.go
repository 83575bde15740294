//go:build !race

package archtest_test

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

const mutations = "tests/mutations"

var (
	mutationHead = regexp.MustCompile(`^([A-Z][^\n]*\.)\nTest: \./(\S+) (Test\w+)(/\S+)?\n--- `)
	mutatedFile  = regexp.MustCompile(`(?m)^(?:---|\+\+\+) [ab]/(.+)$`)
	testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	quoted       = regexp.MustCompile(`"([^"\\\n]+)"`)
)

// scripts/mutations.sh applies the patches. This finds renamed tests and files without running them.
func TestMutations_NameExistingTestsAndFiles(t *testing.T) {
	module := openCheckout(t)
	patches, err := fs.Glob(module, mutations+"/*/*.patch")
	if err != nil || len(patches) == 0 {
		t.Fatalf("found %d patches in %s, %v", len(patches), mutations, err)
	}
	tests, cases, err := testsAndCases(module)
	check(t, err)
	for _, name := range patches {
		text, err := fs.ReadFile(module, name)
		check(t, err)
		head := mutationHead.FindStringSubmatch(string(text))
		if head == nil {
			t.Errorf("%s does not begin with a sentence and a line such as: Test: ./feed TestKey_OrdersByTimeThenID", name)
			continue
		}
		if folder, test := head[2], head[3]; !tests[folder+" "+test] {
			t.Errorf("%s names %s, but ./%s has no such test", name, test, folder)
		}
		for subtest := range strings.SplitSeq(strings.TrimPrefix(head[4], "/"), "/") {
			if subtest != "" && !cases[subtest] {
				t.Errorf("%s names the subtest %s, which no test has", name, subtest)
			}
		}
		for _, file := range mutatedFile.FindAllStringSubmatch(string(text), -1) {
			if _, err := fs.Stat(module, file[1]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// testsAndCases returns all test functions, each after its folder, and the possible names of
// subtests: all strings of tests and conformance suites, and all scenarios.
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
		isTest := strings.HasSuffix(name, "_test.go")
		if path.Ext(name) != ".go" || !isTest && !strings.HasPrefix(name, "feed/feedtest/") {
			return nil
		}
		text, err := fs.ReadFile(module, name)
		for _, found := range quoted.FindAllStringSubmatch(string(text), -1) {
			cases[strings.ReplaceAll(found[1], " ", "_")] = true
		}
		for _, found := range testFunction.FindAllStringSubmatch(string(text), -1) {
			tests[path.Dir(name)+" "+found[1]] = true
		}
		return err
	})
	return tests, cases, err
}
