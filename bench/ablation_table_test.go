package bench_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkAblation runs rarely, so a change of the patched code would break it unnoticed.
func TestAblation_PatchesApply(t *testing.T) {
	const patches = "bench/testdata/ablation"
	root := testenv.Checkout(t)
	// Inside another repository, git apply would ignore all patched files and succeed.
	if _, err := os.Stat(filepath.Join(root, ".git")); err != nil {
		t.Fatalf("this test needs a git clone of the project: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(root, patches, "*.patch"))
	check(t, err)
	var found, used []string
	for _, file := range files {
		name := filepath.Base(file)
		found = append(found, strings.TrimSuffix(name, ".patch"))
		cmd := exec.CommandContext(t.Context(), "git", "apply", "--check", patches+"/"+name)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s/%s does not apply, %v; adapt it to the changed code:\n%s", patches, name, err, out)
		}
	}
	for _, v := range variants() {
		if v.patch != "" {
			used = append(used, v.patch)
		}
	}
	slices.Sort(used)
	if diff := cmp.Diff(used, found); diff != "" {
		t.Errorf("the patches in %s differ from those of the variants (-variants +files):\n%s", patches, diff)
	}
}

func TestMixedLoad_ChecksResponses(t *testing.T) {
	page := `{"data":{"viewer":{"homeFeed":{"edges":[` + strings.Repeat(`{"cursor":"x"}`, 20) + `]}}}}`
	for body, good := range map[string]bool{page: true, page + `{"cursor":`: false, strings.Replace(page, `{"data"`, `{"errors":[],"data"`, 1): false} {
		if err := checkPage([]byte(body)); (err == nil) != good {
			t.Errorf("checkPage of %.80q returns %v", body, err)
		}
	}
	for body, good := range map[string]bool{
		`{"data":{"likePost":{"userErrors":[]}}}`:  true,
		`{"errors":[{"message":"x"}],"data":null}`: false,
		`<html>`: false,
	} {
		if err := checkMutation([]byte(body)); (err == nil) != good {
			t.Errorf("checkMutation of %q returns %v", body, err)
		}
	}
}
