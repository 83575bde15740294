package apierror_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

var update = flag.Bool("update", false, "write docs/errors.md")

const page = "../../../docs/errors.md"

const introduction = `# Errors

This page lists every code that a client can receive, and what to do about it. ` + "`go test ./internal/edge/apierror -run Page -update`" + ` writes it from ` + "`internal/edge/apierror/catalogue.go`" + `; do not edit it.

A response reports errors in two places:

- **` + "`errors`" + `**: the server could not do what the request asks for. The code is in ` + "`extensions.code`" + `. ` + "`extensions.requestId`" + ` is also in the header ` + "`X-Request-Id`" + ` and in the server's log.
- **` + "`userErrors`" + `**: a mutation was refused for a reason that a client should expect. The code is in ` + "`code`" + `, ` + "`message`" + ` is a text for the user, and ` + "`field`" + ` is the path of the input field. Nothing has changed.

Decide by the code. Messages may change with every release.

Statuses other than 200 belong to responses without data. Clients that accept only ` + "`application/json`" + ` get 200 instead of 400 for a faulty document. Sockets and streams have no status; [gateway.md](gateway.md) lists the codes with which a socket closes.

| code | in | status | when | what to do |
| --- | --- | --- | --- | --- |
`

func TestCatalogue_MatchesItsPage(t *testing.T) {
	var want strings.Builder
	want.WriteString(introduction)
	for _, e := range apierror.Catalogue() {
		var places []string
		if e.InErrors {
			places = append(places, "`errors`")
		}
		if e.InPayloads {
			places = append(places, "`userErrors`")
		}
		fmt.Fprintf(&want, "| `%s` | %s | %s | %s | %s |\n", e.Code, strings.Join(places, ", "), e.Status, e.When, e.Do)
	}
	if *update {
		if err := os.WriteFile(page, []byte(want.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(got)); diff != "" {
		t.Errorf("docs/errors.md differs from the catalogue; run go test ./internal/edge/apierror -run Page -update\n%s", diff)
	}
}

// The domain, the gateway and the resolvers name codes by constants of type feed.Code only, so a
// code that no constant has cannot be sent.
func TestCatalogue_HasEveryCode(t *testing.T) {
	var listed []string
	for _, e := range apierror.Catalogue() {
		listed = append(listed, string(e.Code))
	}
	declared := slices.Concat(codesIn(t, "../../../feed/errors.go"), codesIn(t, "apierror.go"))
	slices.Sort(listed)
	slices.Sort(declared)
	if diff := cmp.Diff(declared, listed); diff != "" {
		t.Errorf("the catalogue differs from the declared codes (-declared +listed):\n%s", diff)
	}
}

// codesIn returns the values of the constants of type Code that a file declares.
func codesIn(t *testing.T, file string) []string {
	t.Helper()
	var codes []string
	ast.Inspect(parsed(t, file), func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !isCode(spec.Type) {
			return true
		}
		for _, value := range spec.Values {
			code, err := strconv.Unquote(value.(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			codes = append(codes, code)
		}
		return true
	})
	return codes
}

// isCode reports whether an expression names the type feed.Code.
func isCode(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "Code"
	case *ast.SelectorExpr:
		from, ok := e.X.(*ast.Ident)
		return ok && from.Name == "feed" && e.Sel.Name == "Code"
	}
	return false
}

func TestCodes_DeclaredInOnePlace(t *testing.T) {
	for _, root := range []string{"..", "../../../resolvers", "../../../graph", "../../app", "../../../feed"} {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "apierror" || d.Name() == "feedtest"):
				return fs.SkipDir
			case strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") && !strings.HasSuffix(file, "feed/errors.go"):
				checkCodes(t, file)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// checkCodes fails if a file makes a code of a string, or sets extensions.code itself.
func checkCodes(t *testing.T, file string) {
	t.Helper()
	ast.Inspect(parsed(t, file), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isCode(n.Fun) {
				t.Errorf("%s converts a string to a code; use a constant of package feed or apierror", file)
			}
		case *ast.ValueSpec:
			if isCode(n.Type) && len(n.Values) > 0 {
				t.Errorf("%s declares a code; declare it in package feed or apierror", file)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.BasicLit); ok && key.Value == `"code"` {
				t.Errorf("%s sets extensions.code; use apierror.New", file)
			}
		}
		return true
	})
}

func parsed(t *testing.T, file string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
