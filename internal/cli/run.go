// Package cli is the command line of the program, with one file per command. run.go parses
// arguments, environment.go checks the environment, and maintenance.go is shared by commands that
// work while servers run.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/internal/app"
)

// Main runs the program with its arguments, without the program name, until the command ends or
// the process gets SIGINT or SIGTERM. It returns the exit code; see [Run].
func Main(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	return Run(ctx, args, stdout, stderr)
}

type commands struct {
	Serve   serveCommand   `cmd:"" default:"withargs" help:"Serve the API and do the background work. This is the default command."`
	Worker  workerCommand  `cmd:"" help:"Do the background work only, as serve --role=worker."`
	Import  importCommand  `cmd:"" help:"Import users, follows, posts, reactions and live sessions from files of JSON lines."`
	Export  exportCommand  `cmd:"" help:"Export everything as JSON lines that import reads."`
	Ingest  ingestCommand  `cmd:"" help:"Read change records from a message bus. Show what arrived from sources, and handle what could not be applied."`
	Mirror  mirrorCommand  `cmd:"" help:"Mirror the tables of another system from its PostgreSQL database."`
	Migrate migrateCommand `cmd:"" help:"Migrate the database to this version. Other commands do so as well."`
	Shadow  shadowCommand  `cmd:"" help:"Compare the feeds of another system with those of Tideline, and explain each difference. Changes nothing. Fails if too many differ."`
	Doctor  doctorCommand  `cmd:"" help:"Compare feeds and inboxes with the database while servers run. Fails if anything is wrong."`
	Inbox   inboxCommand   `cmd:"" help:"Print a user's inbox, or why a post is, or is not, in their home feed."`
	Fanout  fanoutCommand  `cmd:"" help:"Print how far the fan-out of a post is, or the slowest fan-outs of the last hour."`
	Rebuild rebuildCommand `cmd:"" help:"Drop inboxes and rebuild them from the database while servers run."`
	Authors authorsCommand `cmd:"" help:"List the authors whose posts are not pushed to all followers: tideline authors --marked."`
	Epoch   epochCommand   `cmd:"" help:"Draw a new epoch of the change log after a restore, while servers run: tideline epoch new."`
	Schema  schemaCommand  `cmd:"" help:"Print the GraphQL schema with costs, or with --federation that of the subgraph."`
	Token   tokenCommand   `cmd:"" help:"Print a token that signs in as a user, or of a service."`
	Health  healthCommand  `cmd:"" help:"Ask a server whether it is ready. Fails if it is not."`
	Version versionCommand `cmd:"" help:"Print the version."`
	Help    helpCommand    `cmd:"" help:"Print the help of a command, or of the program."`

	ShowVersion versionFlag `name:"version" short:"v" help:"Print the version."`
}

// output is where commands write: results to out, progress and logs to err.
type output struct{ out, err io.Writer }

// Run runs one command until it ends or ctx does. It returns the exit code: 0 for success, 1 for
// a failure, 2 for an invalid command line or setting. It prints errors on one line.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	exited, code := false, 0
	parser, err := newParser(stdout, stderr, func(c int) { exited, code = true, c })
	if err != nil {
		return fail(stderr, 2, err)
	}
	command, err := parser.Parse(args)
	if exited { // the help or the version was asked for
		return code
	}
	if err != nil {
		return fail(stderr, 2, withRemedy(err, args, parser.Model))
	}
	command.BindTo(ctx, (*context.Context)(nil))
	env := readEnvironment(os.Environ(), parser.Model, command.Selected())
	if !reportsWarnings(command.Selected().Name) {
		env.print(stderr)
	}
	command.Bind(env, parser.Model)
	err = command.Run(output{out: stdout, err: stderr})
	var bad *app.SettingError
	switch {
	case errors.As(err, &bad):
		return fail(stderr, 2, err)
	case err != nil:
		return fail(stderr, 1, err)
	}
	return 0
}

func newParser(stdout, stderr io.Writer, exit func(code int)) (*kong.Kong, error) {
	return kong.New(&commands{},
		kong.Name("tideline"),
		kong.Description("GraphQL gateway for exact following feeds, over SQL and Redis. A flag with a name in brackets can also be set as an environment variable of that name."),
		kong.Writers(stdout, stderr),
		kong.Exit(exit),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
}

func fail(stderr io.Writer, code int, err error) int {
	_, _ = fmt.Fprintln(stderr, "tideline:", err)
	return code
}
