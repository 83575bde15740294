// Command schemagen generates the Go code of the GraphQL schema: gqlgen's, by gqlgen.yml, and the
// encoders of package graph/pagejson:
//
//	schemagen FOLDER
//
// FOLDER is one of the program's module. The generator has a module of its own, so that the
// program's lists only what the program imports.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: schemagen FOLDER")
	}
	// gqlgen loads packages from the working directory.
	if err := os.Chdir(args[0]); err != nil {
		return err
	}
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return err
	}
	cfg.SkipValidation = true // the code compiles once it is changed
	if err := api.Generate(cfg, api.AddPlugin(encoders{})); err != nil {
		return err
	}
	return change(cfg.Exec.Filename)
}
