package main

import (
	"bytes"
	"io/fs"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

// lintDockerfile checks BuildKit's rules, and that the image has only the program, run by an
// unprivileged user.
func lintDockerfile(project fs.FS, known settings, findings *[]finding) error {
	text, err := fs.ReadFile(project, "Dockerfile")
	if err != nil {
		return err
	}
	r := report{"Dockerfile", findings}
	ast, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		r.wrong("%v", err)
		return nil
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, message string, _ []parser.Range) {
		r.wrong("%s: %s", rule, message)
	}})
	stages, _, err := instructions.Parse(ast.AST, rules)
	if err != nil {
		r.wrong("%v", err)
		return nil
	}
	lintImage(stages[len(stages)-1], known, r)
	return nil
}

// lintImage checks the stage that becomes the image.
func lintImage(image instructions.Stage, known settings, r report) {
	if image.BaseName != "scratch" {
		r.wrong("the image is built on %s; the program needs nothing of it", image.BaseName)
	}
	var user string
	var entry, health bool
	for _, command := range image.Commands {
		switch c := command.(type) {
		case *instructions.UserCommand:
			user, _, _ = strings.Cut(c.User, ":")
		case *instructions.EnvCommand:
			for _, pair := range c.Env {
				known.check(pair.Key, r)
			}
		case *instructions.EntrypointCommand:
			entry = true
			if c.PrependShell {
				r.wrong("the entry point needs a shell, and there is none")
			}
		case *instructions.HealthCheckCommand:
			health = c.Health != nil && len(c.Health.Test) > 1 && c.Health.Test[0] == "CMD"
		case *instructions.RunCommand:
			r.wrong("nothing can run in an image without a shell")
		}
	}
	if user == "" || user == "0" || user == "root" {
		r.wrong("the program runs as root")
	}
	if !entry {
		r.wrong("there is no entry point")
	}
	if !health {
		r.wrong("there is no health check that does without a shell")
	}
}
