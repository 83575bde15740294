package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

func TestIsNotice_MatchesNamesOfNotices(t *testing.T) {
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
