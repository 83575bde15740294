package sqlstore_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// A column that a migration adds and tables.go lacks would be neither imported nor exported.
func TestColumns_AreDescribed(t *testing.T) {
	// Columns that are not a field of an object.
	kept := map[string][]string{
		"users":         {"version", "active_until", "absent", "awaited_at", "low_since", "mark_reason", "marked_at"},
		"contents":      {"repost_depth"},
		"live_sessions": {"score"},
		"follows":       {"version", "active", "followed"},
	}
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for table, names := range sqlstore.DescribedColumns() {
			got, err := s.ColumnsOf(t.Context(), table)
			must(t, err)
			want := append(strings.Split(names, ", "), kept[table]...)
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-described +stored):\n%s", table, diff)
			}
		}
	})
}

// A column that no statement computes with is named once, so that adding one is simple.
func TestColumns_NamedInOneFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	column := regexp.MustCompile(`\b(avatar_url|media|title|replay_url|scheduled_at|cancelled_at)\b`)
	for _, file := range files {
		if file == "tables.go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		must(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				for _, name := range column.FindAllString(text.Value, -1) {
					t.Errorf("%s names the column %s", file, name)
				}
			}
			return true
		})
	}
}
