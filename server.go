// Tideline serves "following" feeds over GraphQL.
package main

import (
	"os"

	"github.com/tideline-feeds/tideline/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
