// Schema writes the published schema, which the server returns at /schema.graphql, to a file. go
// generate runs it.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/tideline-feeds/tideline/graph"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: schema FILE")
	}
	return os.WriteFile(args[0], []byte(graph.SDL()), 0o644) //nolint:gosec // The schema is public.
}
