package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// platforms are those of the program. Some modules are imported on only one of them.
func platforms() []string { return []string{"linux/amd64", "linux/arm64", "darwin/arm64"} }

// module is a dependency of the program.
type module struct {
	// title is its path and version.
	title string
	// files are the sorted paths of its notices.
	files []string
}

// listed is the output of go list for a package.
type listed struct {
	Dir        string
	Standard   bool
	EmbedFiles []string
	Module     *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// imported returns the modules that a main package imports, sorted by title: the Go standard
// library included, its own module excluded. dir is in the module of the main package.
func imported(ctx context.Context, dir, main string) ([]module, error) {
	byTitle := map[string][]string{}
	for _, platform := range platforms() {
		packages, err := list(ctx, dir, main, platform)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Standard || p.Module == nil || p.Module.Main {
				continue
			}
			title := p.Module.Path + " " + p.Module.Version
			found, err := p.notices()
			if err != nil {
				return nil, err
			}
			byTitle[title] = append(byTitle[title], found...)
		}
	}
	goRoot, err := runGo(ctx, dir, nil, "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	if byTitle["The Go standard library"], err = noticesIn(strings.TrimSpace(string(goRoot))); err != nil {
		return nil, err
	}
	return sorted(byTitle), nil
}

func sorted(byTitle map[string][]string) []module {
	var modules []module
	for title, files := range byTitle {
		slices.Sort(files)
		modules = append(modules, module{title, slices.Compact(files)})
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.title, b.title) })
	return modules
}

// list returns the packages that a main package imports on a platform.
func list(ctx context.Context, dir, main, platform string) ([]listed, error) {
	system, processor, _ := strings.Cut(platform, "/")
	out, err := runGo(ctx, dir, []string{"GOOS=" + system, "GOARCH=" + processor, "CGO_ENABLED=0"},
		"list", "-deps", "-json=Dir,Standard,EmbedFiles,Module", main)
	if err != nil {
		return nil, err
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		switch err := dec.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, nil
		case err != nil:
			return nil, err
		}
		packages = append(packages, p)
	}
}

func runGo(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...) //nolint:gosec // the arguments are this program's own
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return out, nil
}

// isNotice matches the names of files that must accompany the program.
var isNotice = regexp.MustCompile(`(?i)^(un)?licen[cs]e|^(copying|notice|copyright|patents)|\.licen[cs]e(\.txt|\.md)?$`)

// notices returns the notices in the package's folder, in those above it up to the module's, and
// among its embedded files.
func (p listed) notices() ([]string, error) {
	var files []string
	for dir := p.Dir; strings.HasPrefix(dir, p.Module.Dir); dir = filepath.Dir(dir) {
		found, err := noticesIn(dir)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	for _, name := range p.EmbedFiles {
		if isNotice.MatchString(filepath.Base(name)) {
			files = append(files, filepath.Join(p.Dir, name))
		}
	}
	return files, nil
}

func noticesIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	var files []string
	for _, e := range entries {
		if e.Type().IsRegular() && isNotice.MatchString(e.Name()) && filepath.Ext(e.Name()) != ".go" {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, err
}
