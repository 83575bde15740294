package main

import (
	"errors"
	"os"
	"regexp"
)

// readArguments is how the code of gqlgen reads the arguments of a field, each time that the
// field runs.
var readArguments = regexp.MustCompile(`(ec\.field_\w+_args)\(ctx, field\.ArgumentMap\(ec\.Variables\)\)`)

// keepArguments has the code in a file read them once for each operation.
func keepArguments(file string) error {
	code, err := os.ReadFile(file) //nolint:gosec // The generator has just written it.
	if err != nil {
		return err
	}
	if !readArguments.Match(code) {
		return errors.New("the generated code does not read arguments as it used to; see arguments.go")
	}
	return os.WriteFile(file, readArguments.ReplaceAll(code, []byte("ec.arguments(ctx, field, $1)")), 0o644) //nolint:gosec // It is published: anybody may read it.
}
