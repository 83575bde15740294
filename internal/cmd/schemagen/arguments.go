package main

import (
	"errors"
	"os"
	"regexp"
)

// readArguments matches how gqlgen's code reads the arguments of a field each time that the field
// runs.
var readArguments = regexp.MustCompile(`(ec\.field_\w+_args)\(ctx, field\.ArgumentMap\(ec\.Variables\)\)`)

// keepArguments changes the code in a file to read arguments once for each operation.
func keepArguments(file string) error {
	code, err := os.ReadFile(file) //nolint:gosec // The generator has just written it.
	if err != nil {
		return err
	}
	if !readArguments.Match(code) {
		return errors.New("gqlgen's code has changed: update readArguments in arguments.go")
	}
	return os.WriteFile(file, readArguments.ReplaceAll(code, []byte("ec.arguments(ctx, field, $1)")), 0o644) //nolint:gosec // The code is public.
}
