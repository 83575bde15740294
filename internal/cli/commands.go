package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
)

// migrateCommand migrates the database.
type migrateCommand struct{ app.DatabaseSettings }

func (c *migrateCommand) Run(ctx context.Context, o output) error {
	if err := c.Check(); err != nil {
		return err
	}
	if err := app.Migrate(ctx, c.DatabaseSettings, slog.New(slog.NewTextHandler(o.err, nil))); err != nil {
		return err
	}
	_, err := fmt.Fprintln(o.out, "the database is up to date")
	return err
}

// tokenCommand prints a token.
type tokenCommand struct {
	app.DatabaseSettings
	app.TokenSettings
	User      string        `xor:"who" placeholder:"ID" help:"Id of the user: a decimal number, or with --ids=text any text. A user who is not stored is created at their first request."`
	Service   string        `xor:"who,role" placeholder:"NAME" help:"Name of a service, instead of a user. It can act for any user."`
	Admin     bool          `xor:"role" help:"Make the holder an administrator, who can open metrics and task queues, and is a moderator."`
	Moderator bool          `xor:"role" help:"Make the holder a moderator, who can take down posts and suspend users."`
	TTL       time.Duration `default:"1h" placeholder:"DURATION" help:"How long the token is valid (${default})."`
}

// Run prints only the token, on one line.
func (c *tokenCommand) Run(o output) error {
	if err := app.CheckAll(c.DatabaseSettings, c.TokenSettings); err != nil {
		return err
	}
	claims, err := c.claims()
	if err != nil {
		return err
	}
	if c.TTL < time.Second {
		return app.BadSetting("--ttl must be at least 1s, not %v", c.TTL)
	}
	secret, err := c.Secret(c.DatabaseSettings)
	if err != nil {
		return err
	}
	token, err := gateway.NewTokens(secret, time.Now).Sign(claims, c.TTL)
	if err != nil {
		return err
	}
	if err := c.warnOfUnusedSecret(o.err); err != nil {
		return err
	}
	_, err = fmt.Fprintln(o.out, token)
	return err
}

func (c *tokenCommand) claims() (gateway.Claims, error) {
	switch {
	case c.User == "" && c.Service == "":
		return gateway.Claims{}, app.BadSetting("token needs --user=ID or --service=NAME")
	case c.Service != "":
		if err := gateway.CheckService(c.Service); err != nil {
			return gateway.Claims{}, app.BadSetting("--service: %v", err)
		}
		return gateway.Claims{Service: c.Service}, nil
	}
	if c.IDs == string(feed.TextIDs) {
		id := feed.ExternalID(c.User)
		if err := id.Check(); err != nil {
			return gateway.Claims{}, app.BadSetting("--user: %s", feed.Reason(err))
		}
		return gateway.Claims{Subject: id, Admin: c.Admin, Moderator: c.Moderator}, nil
	}
	user, err := feed.ParseUserID(c.User)
	if err != nil {
		return gateway.Claims{}, app.BadSetting("--user: %.40q is not a user id; ids are whole numbers from 1, or with --ids=text any text", c.User)
	}
	return gateway.Claims{User: user, Admin: c.Admin, Moderator: c.Moderator}, nil
}

// warnOfUnusedSecret warns if the token is signed with a generated secret that no server uses,
// because servers would refuse it.
func (c *tokenCommand) warnOfUnusedSecret(w io.Writer) error {
	if c.JWTSecret != "" {
		return nil
	}
	held, err := c.SecretHeld()
	if err != nil || held {
		return err
	}
	_, err = fmt.Fprintf(w, "tideline: warning: no server on this machine uses the secret in %s, so servers refuse this token "+
		"unless one starts there; otherwise set the --data-dir or the --jwt-secret of the server\n", c.DataDir)
	return err
}

// versionCommand prints the version.
type versionCommand struct {
	Licenses bool `help:"Print the licences of the program and of its dependencies instead."`
}

// Run prints the version and the Go release of the build, or the licences.
func (c versionCommand) Run(o output) error {
	if c.Licenses {
		return printLicences(o.out)
	}
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintf(o.out, "tideline %s (%s)\n", app.Version(), strings.TrimSpace(info.GoVersion))
	return err
}
