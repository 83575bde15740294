package cli

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// mirrorCommand mirrors the tables of another system.
type mirrorCommand struct {
	Run        mirrorRunCommand        `cmd:"" default:"withargs" help:"Read a snapshot of the tables, then follow their changes until it is stopped. This is the default."`
	Init       mirrorInitCommand       `cmd:"" help:"Propose a mapping file for the tables of a source, and print it. On a terminal, it asks who may see which rows; otherwise such lines begin with DECIDE. Changes nothing."`
	Check      mirrorCheckCommand      `cmd:"" help:"Try a mapping file on rows of the source, and list what the source lacks, with the statements to run. Fails if a mirror cannot run."`
	Resnapshot mirrorResnapshotCommand `cmd:"" help:"Ask the running or next tideline mirror run to read tables again, while feeds are served."`
	Drop       mirrorDropCommand       `cmd:"" help:"Remove the slot and the publication from the source, and the state of the mirror. What it has written stays."`
}

// mirrorRunCommand runs a mirror.
type mirrorRunCommand struct {
	app.ServerSettings
	mirrorSettings
}

func (c *mirrorRunCommand) Run(ctx context.Context, o output, env environment) error {
	if err := c.mirrorSettings.Check(); err != nil {
		return err
	}
	server := app.Server{ServerSettings: c.ServerSettings, Role: app.RoleWorker, Reads: c.mirrorSettings}
	return (&serveCommand{Server: server, checks: c.MirrorChecks()}).Run(ctx, o, env)
}

// mirrorResnapshotCommand asks for a snapshot.
type mirrorResnapshotCommand struct {
	app.DatabaseSettings
	mirrorName
	Tables []string `arg:"" optional:"" name:"table" help:"Tables as the mapping file names them, such as public.users; all if there are none."`
}

func (c *mirrorResnapshotCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings, c.mirrorName); err != nil {
		return err
	}
	if err := c.CheckExists("mirror resnapshot"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		state, err := store.Mirror(ctx, c.Name)
		if err != nil {
			return err
		}
		if state.Slot == "" {
			return fmt.Errorf("there is no mirror %s in this database; tideline mirror run begins with a snapshot", c.Name)
		}
		if err := store.RequestSnapshot(ctx, c.Name, c.Tables); err != nil {
			return err
		}
		what := "all tables"
		if len(c.Tables) > 0 {
			what = strings.Join(slices.Sorted(slices.Values(c.Tables)), ", ")
		}
		_, err = fmt.Fprintf(o.out, "tideline mirror run reads %s again, with all tables that make the same types\n", what)
		return err
	})
}

// mirrorDropCommand ends a mirror.
type mirrorDropCommand struct {
	app.DatabaseSettings
	mirrorName
	mirrorSource
}

func (c *mirrorDropCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings, c.mirrorName); err != nil {
		return err
	}
	if err := c.CheckExists("mirror drop"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		if err := dropMirror(ctx, c.mirrorName, c.mirrorSource, store); err != nil {
			return err
		}
		_, err := fmt.Fprintf(o.out, "dropped the slot and the publication %s, and the state of the mirror\n", c.Names().Slot)
		return err
	})
}

// mirrorName names a mirror.
type mirrorName struct {
	Name string `env:"TIDELINE_MIRROR_NAME" default:"mirror" placeholder:"NAME" help:"Name of the source in positions, metrics and dead letters: small letters, digits and underscores. Its slot and its publication are tideline_NAME (${default})."`
}

// mirrorNames fit into the names of slots and leave room for those of snapshots.
var mirrorNames = regexp.MustCompile(`^[a-z0-9_]{1,30}$`)

// Check returns an error if the name is invalid.
func (s mirrorName) Check() error {
	if !mirrorNames.MatchString(s.Name) {
		return app.BadSetting("--name must have 1 to 30 small letters, digits and underscores, not %.40q", s.Name)
	}
	return nil
}

// Names returns those of the slot and the publication.
func (s mirrorName) Names() mirror.Names {
	return mirror.Names{Slot: "tideline_" + s.Name, Publication: "tideline_" + s.Name}
}

// mirrorSource is the database of another system.
type mirrorSource struct {
	Source string `env:"TIDELINE_MIRROR_SOURCE" required:"" placeholder:"URL" help:"The PostgreSQL database to mirror, postgres://USER@HOST/DATABASE. Set URLs with passwords in the environment."`
}

// mirrorMap is the mapping file of a mirror.
type mirrorMap struct {
	Map string `env:"TIDELINE_MIRROR_MAP" required:"" placeholder:"FILE" help:"File that says which records the rows make; tideline mirror init proposes one."`
}

// Read returns the text of the file.
func (s mirrorMap) Read() ([]byte, error) {
	text, err := os.ReadFile(s.Map)
	if err != nil {
		return nil, app.BadSetting("--map: %v", err)
	}
	return text, nil
}

// mirrorSettings configure a mirror.
type mirrorSettings struct {
	mirrorName
	mirrorSource
	mirrorMap
	SlotMaxBytes int64 `env:"TIDELINE_MIRROR_SLOT_MAX_BYTES" placeholder:"BYTES" help:"Drop the slot on purpose when the source keeps more log than this for it. The mirror then needs tideline mirror resnapshot. 0 is no limit (${default})." default:"0"`
}

// Check returns an error that names the first invalid setting.
func (s mirrorSettings) Check() error {
	if err := s.mirrorName.Check(); err != nil {
		return err
	}
	if s.SlotMaxBytes < 0 {
		return app.BadSetting("--slot-max-bytes must not be negative")
	}
	_, err := s.Read()
	return err
}

func (s mirrorSettings) Label() string { return "mirror" }

// Consume mirrors the source until ctx ends.
func (s mirrorSettings) Consume(ctx context.Context, in app.Intake) error {
	file, err := s.Read()
	if err != nil {
		return err
	}
	source := &mirror.Source{
		URL: s.Source, Name: s.Name, Names: s.Names(), File: file, Owned: in.Sink.Policy.Owned, TextIDs: in.Store.TextIDs(), Format: in.Sink.Format,
		Store: in.Store, Holds: in.Store, Loads: in.Store, Clock: time.Now, Log: in.Log,
	}
	c := &ingest.Consumer{
		Sink: in.Sink, Bus: source, Source: s.Name, Leaders: in.Store, Holder: in.Holder, Log: in.Log, Lag: in.Metrics.SourceLag,
	}
	group, ctx := errgroup.WithContext(ctx)
	reading, stop := context.WithCancel(ctx)
	group.Go(func() error {
		defer stop()
		return c.Run(ctx)
	})
	group.Go(func() error {
		w := slotWatch{
			mirrorSettings: s, source: source, metrics: in.Metrics, log: in.Log,
			leadership: inbox.Leadership{Leaders: in.Store, Name: "slot of " + s.Name, Holder: in.Holder, For: 3 * slotEvery},
		}
		tasks.Every(reading, slotEvery, "look at the slot of the mirror", in.Log, w.look)
		return nil
	})
	return group.Wait()
}

// slotEvery is how often the state of the slot is read.
const slotEvery = 5 * time.Second

// slotOf is the slot of a mirror.
type slotOf interface {
	SlotState(ctx context.Context) (mirror.Slot, error)
	DropSlot(ctx context.Context) error
}

// slotMetrics are those of the slots of mirrors.
type slotMetrics interface {
	MirrorSlot(source, state string, retained int64)
	ForgetMirrorSlot(source string)
}

// slotWatch reports the state of a slot, and drops one that is too large. Of several processes, one
// does.
type slotWatch struct {
	mirrorSettings
	source     slotOf
	leadership inbox.Leadership
	metrics    slotMetrics
	log        *slog.Logger
}

func (w *slotWatch) look(ctx context.Context) error {
	leads := false
	err := w.leadership.Do(ctx, func(ctx context.Context) error {
		leads = true
		return w.lookAt(ctx)
	})
	if !leads || err != nil {
		w.metrics.ForgetMirrorSlot(w.Name)
	}
	return err
}

func (w *slotWatch) lookAt(ctx context.Context) error {
	slot, err := w.source.SlotState(ctx)
	if err != nil {
		return err
	}
	w.metrics.MirrorSlot(w.Name, slot.State(), slot.Retained)
	if !slot.Exists || w.SlotMaxBytes == 0 || slot.Retained <= w.SlotMaxBytes {
		return nil
	}
	if err := w.source.DropSlot(ctx); err != nil {
		return err
	}
	w.log.ErrorContext(ctx, "dropped the slot of the mirror, because the source kept too much log for it", "source", w.Name, "slot", w.Names().Slot,
		"bytes", slot.Retained, "limit", w.SlotMaxBytes)
	return nil
}

// slotWarnBytes is the size of a kept log from which on a warning holds without a limit.
const slotWarnBytes = 4 << 30

// MirrorChecks returns the check of the slot.
func (s mirrorSettings) MirrorChecks() []warnings.Check {
	source := &mirror.Source{URL: s.Source, Name: s.Name, Names: s.Names()}
	limit := int64(slotWarnBytes)
	if s.SlotMaxBytes > 0 {
		limit = s.SlotMaxBytes / 2
	}
	return []warnings.Check{slotCheck(source, s.Names().Slot, limit)}
}

// slotCheck warns of a slot that is threatened, that keeps more than a limit in bytes, or that is gone.
// Before the first snapshot there is none.
func slotCheck(source slotOf, name string, limit int64) warnings.Check {
	existed := false
	return warnings.Check{
		Name:   "mirror_slot",
		Action: "the mirror is behind: see tideline ingest status, and whether fan-outs are behind; set max_slot_wal_keep_size in the source, so that its disk does not fill",
		Evaluate: func(ctx context.Context) (string, error) {
			slot, err := source.SlotState(ctx)
			existed = existed || slot.Exists
			if err != nil || !existed {
				return "", err
			}
			return slot.Warning(name, limit), nil
		},
	}
}

// dropMirror removes the slot and the publication from a source, and then the state of the mirror. A
// process that runs the mirror stops.
func dropMirror(ctx context.Context, name mirrorName, from mirrorSource, store feed.Mirrors) error {
	source := &mirror.Source{URL: from.Source, Name: name.Name, Names: name.Names()}
	if err := source.Drop(ctx); err != nil {
		return err
	}
	return store.DropMirror(ctx, name.Name)
}
