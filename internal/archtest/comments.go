package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// Lines counts the lines of Go code.
type Lines struct{ All, Comments int }

// Share returns the comments in percent.
func (l Lines) Share() float64 { return 100 * float64(l.Comments) / float64(max(1, l.All)) }

// Add adds other lines.
func (l *Lines) Add(other Lines) {
	l.All += other.All
	l.Comments += other.Comments
}

// CountLines counts the lines of the Go files in a folder, of which a comment line has nothing but
// a comment. It skips tests, generated files and doc.go. With contracts it also skips interfaces,
// whose comments are the contracts of ports.
func CountLines(module fs.FS, dir string, contracts bool) (Lines, error) {
	files, err := fs.Glob(module, path.Join(dir, "*.go"))
	if err != nil {
		return Lines{}, err
	}
	var sum Lines
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || path.Base(name) == "doc.go" {
			continue
		}
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return Lines{}, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return Lines{}, err
		}
		if ast.IsGenerated(file) {
			continue
		}
		skipped := map[int]bool{}
		if contracts {
			skipped = interfaceLines(set, file)
		}
		sum.Add(countCode(text, skipped))
	}
	return sum, nil
}

// countCode counts the lines of a file without the skipped ones, which are numbered from 1.
func countCode(text []byte, skipped map[int]bool) Lines {
	var l Lines
	no := 0
	for line := range bytes.Lines(text) {
		if no++; skipped[no] {
			continue
		}
		l.All++
		if bytes.HasPrefix(bytes.TrimSpace(line), []byte("//")) {
			l.Comments++
		}
	}
	return l
}

// interfaceLines returns the lines of interface types with their comments.
func interfaceLines(set *token.FileSet, file *ast.File) map[int]bool {
	lines := map[int]bool{}
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || len(decl.Specs) != 1 {
			continue
		}
		spec, ok := decl.Specs[0].(*ast.TypeSpec)
		if !ok {
			continue
		}
		if _, ok := spec.Type.(*ast.InterfaceType); !ok {
			continue
		}
		from := decl.Pos()
		if decl.Doc != nil {
			from = decl.Doc.Pos()
		}
		for n := set.Position(from).Line; n <= set.Position(decl.End()).Line; n++ {
			lines[n] = true
		}
	}
	return lines
}
