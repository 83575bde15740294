package main

import (
	"errors"
	"os"
	"regexp"
)

// readArguments matches how gqlgen's code reads the arguments of a field each time that the field
// runs.
var readArguments = regexp.MustCompile(`(ec\.field_\w+_args)\(ctx, field\.ArgumentMap\(ec\.Variables\)\)`)

// resolveEntities matches the call of the resolver of entities, for which gqlgen knows no error.
var resolveEntities = regexp.MustCompile(`(ec\.__resolve_entities\(.*\)), nil`)

// change changes the code in a file to read arguments once for each operation, and to return the error
// of the resolver of entities.
func change(file string) error {
	code, err := os.ReadFile(file) //nolint:gosec // The generator has just written it.
	if err != nil {
		return err
	}
	if !readArguments.Match(code) || !resolveEntities.Match(code) {
		return errors.New("gqlgen's code has changed: update changes.go")
	}
	code = readArguments.ReplaceAll(code, []byte("ec.arguments(ctx, field, $1)"))
	return os.WriteFile(file, resolveEntities.ReplaceAll(code, []byte("$1")), 0o644) //nolint:gosec // The code is public.
}
