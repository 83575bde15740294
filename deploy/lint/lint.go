package main

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// The port numbers that every file has to agree on: where the program answers requests,
// and where it answers operators.
const (
	publicPort = 8080
	adminPort  = 9090
)

// isProbePath says whether the program answers probes at a path.
func isProbePath(path string) bool { return path == "/healthz" || path == "/readyz" }

// finding is something wrong: where, and what.
type finding struct {
	where, what string
}

func (f finding) String() string { return f.where + ": " + f.what }

// report collects findings about one thing.
type report struct {
	where    string
	findings *[]finding
}

// wrong adds a finding.
func (r report) wrong(format string, args ...any) {
	*r.findings = append(*r.findings, finding{r.where, fmt.Sprintf(format, args...)})
}

// at returns a report on a part of the thing.
func (r report) at(part string) report { return report{r.where + ", " + part, r.findings} }

// settings are the names in the environment that the program knows.
type settings map[string]bool

// settingRow finds the name in a row of docs/commands.md.
var settingRow = regexp.MustCompile("(?m)^\\| `--[^`]*` \\| `(TIDELINE_[A-Z_]+)` \\|")

// readSettings reads the names from the reference of commands, which the program writes.
func readSettings(project fs.FS) (settings, error) {
	text, err := fs.ReadFile(project, "docs/commands.md")
	if err != nil {
		return nil, err
	}
	known := settings{}
	for _, row := range settingRow.FindAllSubmatch(text, -1) {
		known[string(row[1])] = true
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("docs/commands.md names no setting")
	}
	return known, nil
}

// check reports a name that begins like a setting and is none.
func (s settings) check(name string, r report) {
	if strings.HasPrefix(name, "TIDELINE_") && !s[name] {
		r.wrong("%s is no setting of the program", name)
	}
}

// lint checks all files of the project, and returns what is wrong in the order of files.
func lint(project fs.FS) ([]finding, error) {
	known, err := readSettings(project)
	if err != nil {
		return nil, err
	}
	var findings []finding
	for _, check := range []func(fs.FS, settings, *[]finding) error{lintDockerfile, lintCompose, lintKubernetes} {
		if err := check(project, known, &findings); err != nil {
			return nil, err
		}
	}
	return slices.Compact(findings), nil
}
