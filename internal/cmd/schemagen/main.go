// Command schemagen generates the Go code of the GraphQL schema: gqlgen's, by gqlgen.yml, and the
// encoders of package graph/pagejson. go generate runs it in a folder of the module.
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
