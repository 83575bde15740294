package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is committed at the module's root is what the program writes today.
func TestSchema_PublishedFileIsFresh(t *testing.T) {
	file := filepath.Join(t.TempDir(), "schema.graphql")
	if err := run([]string{file}); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../../schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("schema.graphql is stale; run make generate (-fresh +committed):\n%s", diff)
	}
}

func TestSchema_NeedsOneFile(t *testing.T) {
	for _, args := range [][]string{nil, {"a", "b"}, {t.TempDir()}} {
		if err := run(args); err == nil {
			t.Errorf("%q is taken", args)
		}
	}
}
