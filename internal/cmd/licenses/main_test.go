package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/licenses"
)

const program = "github.com/tideline-feeds/tideline"

func TestNotices_AreUpToDate(t *testing.T) {
	modules, err := imported(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	want, err := notices(modules)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := licenses.GoModules(); err != nil || got != want {
		t.Errorf("the notices in the program are stale, %v; renew them by go generate ./internal/licenses", err)
	}
	for _, part := range []string{
		"\nThe Go standard library (BSD-3-Clause)\n", "\ngithub.com/hibiken/asynq v", "\nmodernc.org/sqlite v",
		"(Apache-2.0)", "(MPL-2.0)", "(NOTICE)", "(c) Sindre Sorhus",
	} {
		if !strings.Contains(want, part) {
			t.Errorf("the notices do not have %q", part)
		}
	}
}

func TestNotices_RefuseModuleWithoutLicence(t *testing.T) {
	unknown := filepath.Join(t.TempDir(), "NOTICE")
	if err := os.WriteFile(unknown, []byte("Copyright 2026 by someone"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]string{nil, {unknown}} {
		_, err := notices([]module{{title: "example.org/free v1.0.0", files: files}})
		if err == nil || !strings.Contains(err.Error(), "example.org/free v1.0.0 has no licence") {
			t.Errorf("with %q: %v", files, err)
		}
	}
}

func TestIsNotice_KnowsNamesOfNotices(t *testing.T) {
	for name, want := range map[string]bool{
		"LICENSE": true, "License.txt": true, "LICENCE.md": true, "LICENSE-3RD-PARTY.md": true, "UNLICENSE": true,
		"COPYING": true, "NOTICE.txt": true, "PATENTS": true, "copyright": true, "2.chunk.js.LICENSE.txt": true,
		"README.md": false, "relicensing.md": false, "main.go": false,
	} {
		if got := isNotice.MatchString(name); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}
