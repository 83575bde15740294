package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/records"
)

// importCommand reads records into the database. It needs no Redis: the generation
// that rises with every batch makes every inbox be rebuilt. What --live publishes, a
// server finds in the database.
type importCommand struct {
	databaseSettings
	Files  []string `arg:"" optional:"" help:"Files of records, one JSON object a line; - is standard input."`
	Graph  string   `placeholder:"FILE" help:"An edge list, two numbers a line with a comma between, to make users and mutual follows of; - is standard input."`
	Strict bool     `help:"Stop at the first bad line instead of naming it and going on."`
	liveSettings
}

// check refuses an import of nothing, or of what is not there.
func (c *importCommand) check() error {
	if len(c.Files) == 0 && c.Graph == "" {
		return badSetting("import needs a file of records, - for standard input, or --graph FILE")
	}
	for _, name := range append(c.Files, c.Graph) {
		if name == "" || name == "-" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return badSetting("import: %v", err)
		}
		if info.IsDir() {
			return badSetting("import: %s is a directory, not a file of records", name)
		}
	}
	return checkAll(c.databaseSettings, c.liveSettings)
}

// Run imports the edge list and then the files, in the order given.
func (c *importCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, c.databaseSettings, o, func(store *sqlstore.Store) error {
		to, stop := c.sink(store)
		defer stop()
		return c.importAll(ctx, o, to, c.grown(store))
	})
}

func (c *importCommand) importAll(ctx context.Context, o output, to records.Sink, grown func(context.Context) error) error {
	if c.Graph != "" {
		if err := c.importFile(ctx, o, c.Graph, to, grown, records.ImportGraph); err != nil {
			return err
		}
	}
	for _, file := range c.Files {
		if err := c.importFile(ctx, o, file, to, grown, records.Import); err != nil {
			return err
		}
	}
	return nil
}

// importer is records.Import or records.ImportGraph.
type importer func(context.Context, io.Reader, records.Sink, records.Options) (records.Summary, error)

// refusedShown is how many bad lines of one file are named; more would only hide
// the first ones.
const refusedShown = 100

func (c *importCommand) importFile(
	ctx context.Context, o output, name string, to records.Sink, grown func(context.Context) error, read importer,
) error {
	in, size, err := openInput(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	bar := newBytes(o.err, name, size)
	warn := func(err error) {
		_ = bar.Clear()
		_, _ = fmt.Fprintf(o.err, "%s: the database could not look at how much it holds, so the import may be slower and so may the first reads: %v\n", name, err)
	}
	began, refused := time.Now(), 0
	sum, err := read(ctx, io.TeeReader(in, bar), to, records.Options{BatchSize: c.batchSize(), Strict: c.Strict, Grown: orWarn(grown, warn), Refused: func(line int, reason string) {
		if refused++; refused <= refusedShown {
			_ = bar.Clear()
			_, _ = fmt.Fprintf(o.err, "%s:%d: %s\n", name, line, reason)
		}
	}})
	_ = bar.Finish()
	if more := refused - refusedShown; more > 0 {
		_, _ = fmt.Fprintf(o.err, "%s: and %d more bad lines\n", name, more)
	}
	_, _ = fmt.Fprintf(o.out, "%s: %d lines, %d %s, %d known, %d bad, in %v\n",
		name, sum.Lines, sum.Stored, c.done(), sum.Known, sum.Refused, time.Since(began).Round(time.Millisecond))
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted near line %d; run the same import again to go on", name, sum.Lines)
	case err != nil:
		return fmt.Errorf("%s: near line %d: %w", name, sum.Lines, err)
	}
	return nil
}

// orWarn returns what an import calls when it has stored much, and which warns when it
// fails: what is stored is stored, and the rest can be. Only the end of a context ends
// the import.
func orWarn(grown func(context.Context) error, warn func(error)) func(context.Context) error {
	if grown == nil {
		return nil
	}
	return func(ctx context.Context) error {
		if err := grown(ctx); err != nil && ctx.Err() == nil {
			warn(err)
		}
		return ctx.Err()
	}
}

// openInput opens a file, or standard input for "-", whose size is -1: not known.
func openInput(name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		return io.NopCloser(bufio.NewReader(os.Stdin)), -1, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// migrateCommand migrates the database and says what it did.
type migrateCommand struct{ databaseSettings }

// Run migrates.
func (c *migrateCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, c.databaseSettings, o, func(*sqlstore.Store) error {
		_, err := fmt.Fprintln(o.out, "the database is up to date")
		return err
	})
}

// tokenCommand prints a token.
type tokenCommand struct {
	databaseSettings
	tokenSettings
	User  string        `required:"" placeholder:"ID" help:"Decimal id of the user. One who is not stored is made at his first request."`
	Admin bool          `help:"Let the holder open the task queues."`
	TTL   time.Duration `default:"1h" placeholder:"DURATION" help:"How long the token holds (${default})."`
}

// Run prints a token, and nothing else, on one line.
func (c *tokenCommand) Run(o output) error {
	if err := checkAll(c.databaseSettings, c.tokenSettings); err != nil {
		return err
	}
	user, err := feed.ParseUserID(c.User)
	if err != nil {
		return badSetting("--user: %.40q is not a user id; it is a whole number from 1 on", c.User)
	}
	if c.TTL < time.Second {
		return badSetting("--ttl must be at least 1s, not %v", c.TTL)
	}
	secret, err := c.secret(c.databaseSettings)
	if err != nil {
		return err
	}
	token, err := gateway.NewTokens(secret, time.Now).Sign(gateway.Claims{User: user, Admin: c.Admin}, c.TTL)
	if err != nil {
		return err
	}
	if err := c.warnOfUnusedSecret(o.err); err != nil {
		return err
	}
	_, err = fmt.Fprintln(o.out, token)
	return err
}

// warnOfUnusedSecret warns if the token is signed with the secret of a data directory that
// no server uses: every server would refuse it.
func (c *tokenCommand) warnOfUnusedSecret(w io.Writer) error {
	if c.JWTSecret != "" {
		return nil
	}
	held, err := c.secretHeld()
	if err != nil || held {
		return err
	}
	_, err = fmt.Fprintf(w, "tideline: warning: no server on this machine uses the secret in %s, so servers refuse this token "+
		"unless one is started there; otherwise name the --data-dir or the --jwt-secret of the server\n", c.DataDir)
	return err
}

// versionCommand prints the version.
type versionCommand struct{}

// Run prints the version and the Go release the program was built with.
func (versionCommand) Run(o output) error {
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintf(o.out, "tideline %s (%s)\n", version(), strings.TrimSpace(info.GoVersion))
	return err
}

// version returns what the module was built as: a release, or (devel).
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
