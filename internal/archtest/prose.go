package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Word is a word or a phrase that the prose of this project does not use.
type Word struct {
	// Word is matched as whole words and in any case. A space matches any white space.
	Word string
	// Except are phrases with the word that are right.
	Except []string
	// Instead says what to write.
	Instead string
}

// Use is one use of a [Word].
type Use struct {
	File string
	// Line begins at 1.
	Line int
	Word Word
}

// Prose returns the uses of words in the files below root, file by file and each in the order
// of its lines. It passes over generated code, installed packages and what skip names: folders
// and files, by their path from root.
func Prose(root fs.FS, words []Word, skip ...string) ([]Use, error) {
	p := prose{}
	for _, w := range words {
		p.words = append(p.words, word{Word: w, is: phrase(w.Word), except: phrase(w.Except...)})
	}
	err := fs.WalkDir(root, Main, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if slices.Contains(skip, name) || base == "node_modules" || name != Main && base[0] == '.' {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		return p.read(root, name)
	})
	return p.uses, err
}

// phrase matches any of some phrases; none matches nothing.
func phrase(phrases ...string) *regexp.Regexp {
	var all []string
	for _, p := range phrases {
		all = append(all, strings.ReplaceAll(regexp.QuoteMeta(p), " ", `[\s/*#-]+`))
	}
	if len(all) == 0 {
		return regexp.MustCompile(`$^`)
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}

type word struct {
	Word
	is, except *regexp.Regexp
}

// isProse tells the files that are read as a whole. Of Go files only comments are read, and texts
// in files that are not tests.
func isProse(name string) bool {
	switch path.Ext(name) {
	case ".md", ".sh", ".sql", ".lua", ".graphqls", ".ts", ".tsx", ".mjs", ".css", ".yml", ".yaml", ".html", ".conf":
		return true
	}
	return false
}

type prose struct {
	words []word
	uses  []Use
}

func (p *prose) read(root fs.FS, name string) error {
	isGo := path.Ext(name) == ".go"
	if !isGo && !isProse(name) {
		return nil
	}
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	if !isGo {
		p.find(name, 1, text)
		return nil
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return err
	}
	for _, group := range file.Comments {
		from, to := files.Position(group.Pos()), files.Position(group.End())
		p.find(name, from.Line, text[from.Offset:to.Offset])
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			p.find(name, files.Position(literal.Pos()).Line, []byte(literal.Value))
		}
		return true
	})
	return nil
}

// find adds the uses in a text that begins at a line.
func (p *prose) find(file string, line int, text []byte) {
	for _, w := range p.words {
		right := w.except.FindAllIndex(text, -1)
		for _, at := range w.is.FindAllIndex(text, -1) {
			if slices.ContainsFunc(right, func(r []int) bool { return r[0] <= at[0] && at[1] <= r[1] }) {
				continue
			}
			p.uses = append(p.uses, Use{File: file, Line: line + bytes.Count(text[:at[0]], []byte("\n")), Word: w.Word})
		}
	}
}
