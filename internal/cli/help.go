package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/app"
)

// helpCommand prints the same as --help.
type helpCommand struct {
	Command string `arg:"" optional:"" help:"Command to print the help of."`
}

func (c helpCommand) Run(ctx context.Context, o output, program *kong.Application) error {
	args := []string{"--help"}
	if c.Command != "" {
		if err := checkCommand(c.Command, program); err != nil {
			return err
		}
		args = []string{c.Command, "--help"}
	}
	if code := Run(ctx, args, o.out, o.err); code != 0 {
		return fmt.Errorf("help: ended with %d", code)
	}
	return nil
}

// versionFlag does the same as the command version.
type versionFlag bool

// BeforeReset is called by kong before it validates anything.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := versionCommand{}.Run(output{out: app.Stdout, err: app.Stderr})
	app.Exit(0)
	return err
}

// checkCommand returns an error with a suggestion if there is no such command.
func checkCommand(name string, program *kong.Application) error {
	var names []string
	for _, n := range program.Children {
		if n.Name == name {
			return nil
		}
		names = append(names, n.Name)
	}
	return app.BadSetting("unexpected argument %s: there is no such command%s; tideline help lists all", name, didYouMean(name, names))
}

// withRemedy adds a remedy to an error of the parser. The parser takes an unknown command for an
// argument of serve, whose name can be omitted.
func withRemedy(err error, args []string, program *kong.Application) error {
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "unexpected argument "+args[0]):
		return checkCommand(args[0], program)
	case strings.HasPrefix(text, "unknown flag --") && !strings.Contains(text, "did you mean"):
		return app.BadSetting("%s%s; tideline help COMMAND lists the flags of a command", text, flagElsewhere(text, program))
	}
	return err
}

// flagElsewhere names the commands that have a flag, or suggests another flag; empty if there is
// none.
func flagElsewhere(unknown string, program *kong.Application) string {
	name := strings.TrimPrefix(unknown, "unknown flag --")
	var commands, flags []string
	for _, command := range program.Children {
		for _, flag := range command.Flags {
			flags = append(flags, "--"+flag.Name)
			if flag.Name == name {
				commands = append(commands, command.Name)
			}
		}
	}
	if len(commands) > 0 {
		return ": it is a flag of " + strings.Join(commands, " and ")
	}
	return didYouMean("--"+name, flags)
}
