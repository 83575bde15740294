package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// ingestCommand reads a source, shows what arrived from sources, and handles what could not be
// applied.
type ingestCommand struct {
	Run    ingestRunCommand          `cmd:"" default:"withargs" help:"Read change records from a message bus until it is stopped. This is the default."`
	Status ingestStatusCommand       `cmd:"" help:"Print the positions of sources, count dead letters, and name the users and posts that have been awaited the longest."`
	Dead   ingestDeadCommand         `cmd:"" help:"List, show, drop or retry dead letters: lines of sources that could not be applied."`
	Reset  ingestResetVersionCommand `cmd:"" name:"reset-version" help:"Forget the version of an object, so that its next record is applied whatever its version is. Use it after a source has sent a version that is too high."`
}

// ingestRunCommand reads a message bus.
type ingestRunCommand struct {
	app.ServerSettings
	busSettings
}

func (c *ingestRunCommand) Run(ctx context.Context, o output, env environment) error {
	if err := c.busSettings.Check(); err != nil {
		return err
	}
	server := app.Server{ServerSettings: c.ServerSettings, Role: app.RoleWorker, Reads: c.busSettings}
	return (&serveCommand{Server: server}).Run(ctx, o, env)
}

// ingestStatusCommand prints the state of all sources.
type ingestStatusCommand struct {
	app.DatabaseSettings
	JSON bool `name:"json" help:"Print the state as JSON."`
}

func (c *ingestStatusCommand) Run(ctx context.Context, o output) error {
	if err := checkDatabase(c.DatabaseSettings, "ingest status"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		r, absent, err := readSources(ctx, store)
		if err != nil {
			return err
		}
		return o.print(c.JSON, jsonOfSources(r, absent), func(out io.Writer) { printSources(out, r, absent) })
	})
}

// checkDatabase refuses invalid settings and a missing database.
func checkDatabase(s app.DatabaseSettings, command string) error {
	if err := s.Check(); err != nil {
		return err
	}
	return s.CheckExists(command)
}

func printSources(out io.Writer, r feed.SourceReport, absent absentObjects) {
	if len(r.Positions) == 0 {
		_, _ = fmt.Fprintln(out, "no positions")
	} else {
		_, _ = fmt.Fprintln(out, "source\tpartition\tposition\tidentity\tmoved\tlag\twaiting")
	}
	for i := range r.Positions {
		p := &r.Positions[i]
		_, _ = fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n",
			printable(p.Source), printable(p.Partition), printable(p.Position), printable(p.Identity), timeText(p.MovedAt), lagText(p.Lag(r.Now)))
	}
	if len(r.DeadLetters) == 0 {
		_, _ = fmt.Fprintln(out, "no dead letters")
	}
	for _, d := range r.DeadLetters {
		if d.Letters > 0 {
			_, _ = fmt.Fprintf(out, "dead letters of %s: %d, of them overtaken %d, oldest %s\n",
				printable(d.Source), d.Letters, d.Overtaken, timeText(d.OldestAt))
		}
		if d.Counted > 0 {
			_, _ = fmt.Fprintf(out, "%s is incomplete: %d further bad lines were only counted; once everything was sent again, run: tideline ingest dead --source=%s --resent\n",
				printable(d.Source), d.Counted, printable(d.Source))
		}
	}
	absent.print(out)
}

// printable returns a text of a source for one column of one line.
func printable(text string) string {
	if quoted := strconv.Quote(text); text == "" || strings.ContainsRune(text, ' ') || quoted != `"`+text+`"` {
		return quoted
	}
	return text
}

// lagText returns the lag for two columns.
func lagText(lag feed.SourceLag) string {
	behind, waiting := "unknown", "unknown"
	if lag.Millis >= 0 {
		behind = (time.Duration(lag.Millis) * time.Millisecond).String()
	}
	if lag.Messages >= 0 {
		waiting = strconv.FormatInt(lag.Messages, 10)
	}
	return behind + "\t" + waiting
}

type (
	jsonSources struct {
		Positions   []jsonPosition    `json:"positions"`
		DeadLetters []jsonLetterCount `json:"deadLetters"`
		absentObjects
	}
	jsonPosition struct {
		Source    string `json:"source"`
		Partition string `json:"partition"`
		Position  string `json:"position"`
		Identity  string `json:"identity"`
		MovedAt   string `json:"movedAt"`
		// LagMs and LagMessages are null if the source cannot tell them.
		LagMs       *int64 `json:"lagMs"`
		LagMessages *int64 `json:"lagMessages"`
	}
	jsonLetterCount struct {
		Source    string `json:"source"`
		Letters   int    `json:"letters"`
		Overtaken int    `json:"overtaken"`
		OldestAt  string `json:"oldestAt"`
		// Counted lines were not kept. With any, the source is incomplete.
		Counted int `json:"counted"`
	}
)

func jsonOfSources(r feed.SourceReport, absent absentObjects) jsonSources {
	out := jsonSources{[]jsonPosition{}, []jsonLetterCount{}, absent}
	for i := range r.Positions {
		p := &r.Positions[i]
		millis, messages := p.Lag(r.Now).Known()
		out.Positions = append(out.Positions, jsonPosition{p.Source, p.Partition, p.Position, p.Identity, timeText(p.MovedAt), millis, messages})
	}
	for _, d := range r.DeadLetters {
		out.DeadLetters = append(out.DeadLetters, jsonLetterCount{d.Source, d.Letters, d.Overtaken, timeText(d.OldestAt), d.Counted})
	}
	return out
}
