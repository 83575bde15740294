package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/app"
)

// helpCommand prints what --help does, for those who ask for it as a command.
type helpCommand struct {
	Command string `arg:"" optional:"" help:"Command to print the help of."`
}

// Run prints the help of the command or, without one, of the program.
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

// versionFlag prints what the command version does.
type versionFlag bool

// BeforeReset is called by kong when the flag is there, before anything is checked.
func (versionFlag) BeforeReset(app *kong.Kong) error {
	err := versionCommand{}.Run(output{out: app.Stdout, err: app.Stderr})
	app.Exit(0)
	return err
}

// checkCommand refuses what is not a command of the program, and suggests one.
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

// explain adds to a command line's error what to do, where the parser does not say it. An
// unknown command is an unexpected argument of serve to the parser, because serve may be
// left out.
func explain(err error, args []string, program *kong.Application) error {
	text := err.Error()
	switch {
	case strings.HasPrefix(text, "unexpected argument "+args[0]):
		return checkCommand(args[0], program)
	case strings.HasPrefix(text, "unknown flag --") && !strings.Contains(text, "did you mean"):
		return app.BadSetting("%s%s; tideline help COMMAND lists the flags of a command", text, flagElsewhere(text, program))
	}
	return err
}

// flagElsewhere says which commands have a flag that another one does not know, or which
// flag may be meant, and "" if there is none.
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
