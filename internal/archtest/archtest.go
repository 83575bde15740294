// Package archtest checks the rules of this repository as tests: which package may import which,
// where each library may be used, that every package has a comment, how long files and packages may
// be, which files are in the root, and which words prose avoids.
//
// The table in rules_test.go has a row for each package and library, so that a new dependency is a
// decision and not an accident.
package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxLines limits a hand-written file. Longer files are hard to read and nearly always two things.
const maxLines = 500

// maxFiles limits the hand-written files of a package, without tests. Larger packages are nearly
// always several, and hide the file that answers a question.
const maxFiles = 40

// Any in a row allows everything of its kind.
const Any = "*"

// Main is the name of the package at the module's root in a row.
const Main = "."

// Rules has the allowed imports and files. Packages are named by their folder, such as
// "feed/sqlstore".
type Rules struct {
	// Module is the module's import path.
	Module string

	// Nested has folders of nested modules that the same tables apply to. Packages are named by
	// their folder in the outer module.
	Nested []string

	// Packages has a row for every package: the packages of this module it may import, or [Any]. A
	// row without a package is allowed.
	Packages map[string][]string

	// Libraries has a row for every library: the packages that may import it, or [Any]. A row
	// applies to the import path and all below it; of several the longest wins. The standard
	// library needs no row, but a row restricts it too.
	Libraries map[string][]string

	// Root has the only Go files that the module's root may have.
	Root []string

	// Crowded has the packages that may have more than [maxFiles] files, with their number, which
	// may only decrease. [NoLimit] means any number.
	Crowded map[string]int
}

// NoLimit is the number of files of a package that may have any number.
const NoLimit = -1

// Check reads the module and returns the violations, one sentence each, in the order of the files.
// Tests may import anything. Of generated files it checks only imports within the module, since the
// generator chooses libraries and length. Hidden folders, testdata, node_modules and other nested
// modules than [Rules.Nested] are skipped.
func Check(module fs.FS, rules Rules) ([]string, error) {
	c := &checker{module: module, rules: rules, described: map[string]bool{}, files: map[string]int{}}
	if err := fs.WalkDir(module, Main, c.visit); err != nil {
		return nil, err
	}
	c.checkPackages()
	return c.problems, nil
}

// checker collects problems during the walk over a module.
type checker struct {
	module    fs.FS
	rules     Rules
	described map[string]bool // packages seen, and whether they have a comment
	files     map[string]int  // how many hand-written files a package has, without tests
	problems  []string
}

func (c *checker) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir():
		if c.isForeign(name) {
			return fs.SkipDir
		}
		return nil
	case path.Ext(name) == ".go":
		return c.checkFile(name)
	default:
		return nil
	}
}

// isForeign returns whether the go command skips a folder of the module.
func (c *checker) isForeign(dir string) bool {
	base := path.Base(dir)
	if dir == Main {
		return false
	}
	if slices.Contains(c.rules.Nested, dir) {
		return false
	}
	if base == "testdata" || base == "node_modules" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := fs.Stat(c.module, path.Join(dir, "go.mod"))
	return err == nil
}

func (c *checker) checkFile(name string) error {
	text, err := fs.ReadFile(c.module, name)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	pkg := path.Dir(name)
	if pkg == Main && !slices.Contains(c.rules.Root, name) {
		c.report("%s lies in the root, which holds only %v", name, c.rules.Root)
	}
	generated := ast.IsGenerated(file)
	if lines := countLines(text); lines > maxLines && !generated {
		c.report("%s has %d lines, more than %d", name, lines, maxLines)
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	if !generated {
		c.files[pkg]++
		c.checkInterfaces(name, file)
	}
	c.described[pkg] = c.described[pkg] || isPackageComment(file)
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		c.checkImport(name, imported, generated)
	}
	return nil
}

// methodsMax is the maximum number of methods of an interface, besides those of interfaces that it embeds.
// An implementation must keep the contract of each.
const methodsMax = 6

func (c *checker) checkInterfaces(name string, file *ast.File) {
	for node := range ast.Preorder(file) {
		spec, ok := node.(*ast.TypeSpec)
		if !ok {
			continue
		}
		contract, ok := spec.Type.(*ast.InterfaceType)
		if !ok {
			continue
		}
		methods := 0
		for _, field := range contract.Methods.List {
			methods += len(field.Names)
		}
		if methods > methodsMax {
			c.report("%s has interface %s with %d methods, more than %d", name, spec.Name.Name, methods, methodsMax)
		}
	}
}

func (c *checker) checkImport(name, imported string, generated bool) {
	pkg := path.Dir(name)
	if own, ok := c.ownPackage(imported); ok {
		if row, ok := c.rules.Packages[pkg]; ok && !allows(row, own) {
			c.report("%s imports %s, which package %s may not", name, own, pkg)
		}
		return
	}
	if generated {
		return
	}
	library, known := c.library(imported)
	switch {
	case known && !allows(c.rules.Libraries[library], pkg):
		c.report("%s imports %s, which lives only in %v", name, imported, c.rules.Libraries[library])
	case !known && !isStandard(imported):
		c.report("%s imports %s, a library without a row", name, imported)
	}
}

// ownPackage returns the folder of a package of this module.
func (c *checker) ownPackage(imported string) (string, bool) {
	if imported == c.rules.Module {
		return Main, true
	}
	return strings.CutPrefix(imported, c.rules.Module+"/")
}

// library returns the longest row that an import path falls under.
func (c *checker) library(imported string) (string, bool) {
	for prefix := imported; prefix != Main; prefix = path.Dir(prefix) {
		if _, ok := c.rules.Libraries[prefix]; ok {
			return prefix, true
		}
	}
	return "", false
}

// checkPackages reports the problems of packages, after all files are read.
func (c *checker) checkPackages() {
	for _, pkg := range slices.Sorted(maps.Keys(c.described)) {
		if _, ok := c.rules.Packages[pkg]; !ok {
			c.report("package %s has no row", pkg)
		}
		if !c.described[pkg] {
			c.report("package %s has no package comment", pkg)
		}
		c.checkFiles(pkg)
	}
}

// checkFiles reports a package with too many files, or with an unnecessary allowance.
func (c *checker) checkFiles(pkg string) {
	allowed, crowded := c.rules.Crowded[pkg]
	switch n := c.files[pkg]; {
	case allowed == NoLimit:
	case crowded && n <= maxFiles:
		c.report("package %s has %d files and needs no allowance any more", pkg, n)
	case n > max(allowed, maxFiles):
		c.report("package %s has %d files, more than %d", pkg, n, max(allowed, maxFiles))
	}
}

func (c *checker) report(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

// isPackageComment returns whether a file has a package comment in the form that go doc shows. A
// command is documented under its own name.
func isPackageComment(file *ast.File) bool {
	comment := file.Doc.Text()
	if file.Name.Name == "main" {
		return comment != ""
	}
	return strings.HasPrefix(comment, "Package "+file.Name.Name+" ")
}

// isStandard returns whether a path is in the standard library: its first element is no host name.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

func allows(row []string, name string) bool {
	return slices.Contains(row, name) || slices.Contains(row, Any)
}

// countLines counts lines, including a last one without a newline.
func countLines(text []byte) int {
	lines := bytes.Count(text, []byte("\n"))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		lines++
	}
	return lines
}
