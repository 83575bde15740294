// Command schemagen makes the Go code of the GraphQL schema: what gqlgen makes of
// gqlgen.yml, and the encoders of package graph, which write what pages are made of
// straight from the domain's structs. It is run in a folder of the module by go generate.
package main

import (
	"fmt"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

func run() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return err
	}
	if err := api.Generate(cfg, api.AddPlugin(encoders{})); err != nil {
		return err
	}
	return keepArguments(cfg.Exec.Filename)
}
