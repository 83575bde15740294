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

// By gqlgen's code, a deferred field is null in its object, although its type may not allow that.
var (
	setDeferred  = regexp.MustCompile(`// don't run the out\.Concurrently\(\) call below\n\s+(out\.Values\[i\] = )graphql\.Null`)
	returnObject = regexp.MustCompile(`(ec\.ProcessDeferredGroup\(graphql\.DeferredGroup\{\n[^}]*\}\)\n\n\treturn )out\n`)
)

// startStored matches the start of a field that may be stored in its object. By gqlgen's code, each
// field with a resolver gets a goroutine, which costs more than such a field.
var startStored = regexp.MustCompile(`(?s)(res = ec\._(\w+)_(?:text|media|customFields|editedAt|handle|name|avatarUrl|unavailable|startedAt|endedAt|replayUrl)\(ctx, field, obj\)\n` +
	`.*?)\bout\.Concurrently\(i, func`)

// change changes the code in a file to read arguments once for each operation, to return the error of
// the resolver of entities, to omit deferred fields from their objects, and to start no goroutines
// for stored fields.
func change(file string) error {
	code, err := os.ReadFile(file) //nolint:gosec // The generator has just written it.
	if err != nil {
		return err
	}
	for _, change := range []struct {
		from *regexp.Regexp
		to   string
	}{
		{readArguments, "ec.arguments(ctx, field, $1)"},
		{resolveEntities, "$1"},
		{setDeferred, "${1}deferredField{}"},
		{startStored, `${1}ec.start(ctx, out, i, "$2", func`},
		{returnObject, "${1}withoutDeferred(out, fields, len(deferLabelToView))\n"},
	} {
		if !change.from.Match(code) {
			return errors.New("gqlgen's code has changed: update changes.go")
		}
		code = change.from.ReplaceAll(code, []byte(change.to))
	}
	return os.WriteFile(file, code, 0o644) //nolint:gosec // The code is public.
}
