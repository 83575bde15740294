package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"strings"
)

// The longest name of a test, in words. A name like TestSubject_Promise says what is tested and
// what holds. Readers scan lists of failed tests for the promise; a subject of two or three words
// names a type or function and is read as one.
const (
	maxPromise = 8
	maxName    = 10
)

// TestName is the name of a test, a benchmark or a fuzz target that is too long.
type TestName struct {
	File, Name string
	// Words is the number of words of the name.
	Words int
}

// LongNames returns the test names with more than eight words after the subject, or more than ten
// in all, in the order of files. A name without an underscore has no subject.
func LongNames(module fs.FS) ([]TestName, error) {
	var long []TestName
	err := fs.WalkDir(module, Main, func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (base == "node_modules" || base == "testdata" || name != Main && base[0] == '.'):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(module, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			if n, isLong := wordsOf(f.Name.Name); isLong {
				long = append(long, TestName{File: name, Name: f.Name.Name, Words: n})
			}
		}
		return nil
	})
	return long, err
}

// wordsOf counts the words of a test's name, and returns whether they are too many.
func wordsOf(name string) (n int, isLong bool) {
	for _, kind := range []string{"Test", "Benchmark", "Fuzz", "Example"} {
		rest, ok := strings.CutPrefix(name, kind)
		if !ok {
			continue
		}
		subject, promise, found := strings.Cut(rest, "_")
		if !found {
			subject, promise = "", rest
		}
		p := countWords(promise)
		n = countWords(subject) + p
		return n, p > maxPromise || n > maxName
	}
	return 0, false
}

// countWords counts the words of an identifier. An acronym is one word, also in the plural (URLs).
func countWords(s string) int {
	n := 0
	at := func(i int) byte {
		if i < 0 || i >= len(s) {
			return '_'
		}
		return s[i]
	}
	for i := range len(s) {
		before, c, after := at(i-1), at(i), at(i+1)
		plural := after == 's' && !isLower(at(i+2))
		switch {
		case isUpper(c) && (!isUpper(before) || isLower(after) && !plural),
			isDigit(c) && !isDigit(before),
			isLower(c) && (before == '_' || isDigit(before)):
			n++
		}
	}
	return n
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
