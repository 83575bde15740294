// Schema writes the published schema to the file that it is given, the one that the
// server answers at /schema.graphql. It is run by go generate.
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
		return errors.New("name the file to write, and nothing else")
	}
	return os.WriteFile(args[0], []byte(graph.SDL()), 0o644) //nolint:gosec // It is published: anybody may read it.
}
