package licenses_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/licenses"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestOwn_EqualsLicenceFile(t *testing.T) {
	want, err := os.ReadFile("../../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if licenses.Own() != string(want) {
		t.Error("own.txt differs from LICENSE; run go generate ./internal/licenses")
	}
}

func TestGoModules_AreUpToDate(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	// The generator finds the program's module from the folder of its output.
	fresh := filepath.Join(here, "fresh.txt.gz")
	t.Cleanup(func() { _ = os.Remove(fresh) })
	generators := filepath.Join(testenv.Checkout(t), "internal", "cmd", "licenses")
	generator := exec.CommandContext(t.Context(), "go", "run", "-C", generators, ".", fresh, "github.com/tideline-feeds/tideline")
	if out, err := generator.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, err := os.ReadFile(fresh)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("go.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("the notices in the program are stale; renew them by go generate ./internal/licenses")
	}
}

func TestGoModules_HaveAllKindsOfNotices(t *testing.T) {
	got, err := licenses.GoModules()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"\nThe Go standard library (BSD-3-Clause)\n", "\ngithub.com/hibiken/asynq v", "\nmodernc.org/sqlite v",
		"(Apache-2.0)", "(MPL-2.0)", "(NOTICE)", "(c) Sindre Sorhus",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("the notices do not have %q", part)
		}
	}
}
