// Command lint checks the files by which tideline is deployed, as far as that can be done
// without an engine for containers and without a cluster: that each tool would read them
// as they are meant, and that what they say of the program is true.
//
//	go run . ../..
//
// It reads the Dockerfile, compose.yaml and deploy/kubernetes below the folder it is
// given, and docs/commands.md for the settings there are. It prints what is wrong, one
// finding a line, and ends with 1 when anything is.
package main

import (
	"fmt"
	"os"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// run is the command without the process.
func run(args []string) int {
	if len(args) != 1 {
		fmt.Fprintln(os.Stderr, "lint needs the project's folder")
		return 2
	}
	findings, err := lint(os.DirFS(args[0]))
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		return 1
	}
	for _, f := range findings {
		fmt.Println(f)
	}
	if len(findings) > 0 {
		return 1
	}
	return 0
}
