package app

import (
	"context"
	"log/slog"
	"os"
	"regexp"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// MirrorName names a mirror.
type MirrorName struct {
	Name string `env:"TIDELINE_MIRROR_NAME" default:"mirror" placeholder:"NAME" help:"Name of the source in positions, metrics and dead letters: small letters, digits and underscores. Its slot and its publication are tideline_NAME (${default})."`
}

// mirrorNames fit into the names of slots and leave room for those of snapshots.
var mirrorNames = regexp.MustCompile(`^[a-z0-9_]{1,30}$`)

// Check returns an error if the name is invalid.
func (s MirrorName) Check() error {
	if !mirrorNames.MatchString(s.Name) {
		return BadSetting("--name must have 1 to 30 small letters, digits and underscores, not %.40q", s.Name)
	}
	return nil
}

// Names returns those of the slot and the publication.
func (s MirrorName) Names() mirror.Names {
	return mirror.Names{Slot: "tideline_" + s.Name, Publication: "tideline_" + s.Name}
}

// MirrorSource is the database of another system.
type MirrorSource struct {
	Source string `env:"TIDELINE_MIRROR_SOURCE" required:"" placeholder:"URL" help:"The PostgreSQL database to mirror, postgres://USER@HOST/DATABASE. Set URLs with passwords in the environment."`
}

// MirrorMap is the mapping file of a mirror.
type MirrorMap struct {
	Map string `env:"TIDELINE_MIRROR_MAP" required:"" placeholder:"FILE" help:"File that says which records the rows make; tideline mirror init proposes one."`
}

// Read returns the text of the file.
func (s MirrorMap) Read() ([]byte, error) {
	text, err := os.ReadFile(s.Map)
	if err != nil {
		return nil, BadSetting("--map: %v", err)
	}
	return text, nil
}

// MirrorSettings configure a mirror.
type MirrorSettings struct {
	MirrorName
	MirrorSource
	MirrorMap
	SlotMaxBytes int64 `env:"TIDELINE_MIRROR_SLOT_MAX_BYTES" placeholder:"BYTES" help:"Drop the slot on purpose when the source keeps more log than this for it. The mirror then needs tideline mirror resnapshot. 0 is no limit (${default})." default:"0"`
}

// Check returns an error that names the first invalid setting.
func (s MirrorSettings) Check() error {
	if err := s.MirrorName.Check(); err != nil {
		return err
	}
	if s.SlotMaxBytes < 0 {
		return BadSetting("--slot-max-bytes must not be negative")
	}
	_, err := s.Read()
	return err
}

func (s MirrorSettings) label() string { return "mirror" }

// consume mirrors the source until ctx ends.
func (s MirrorSettings) consume(ctx context.Context, a *services, st *stores, log *slog.Logger) error {
	file, err := s.Read()
	if err != nil {
		return err
	}
	source := &mirror.Source{
		URL: s.Source, Name: s.Name, Names: s.Names(), File: file, Owned: a.sink.Policy.Owned, TextIDs: st.sql.TextIDs(), Format: a.sink.Format,
		Store: st.sql, Holds: st.sql, Loads: st.sql, Clock: time.Now, Log: log,
	}
	c := &ingest.Consumer{
		Sink: a.sink, Bus: source, Source: s.Name, Leaders: st.sql, Holder: a.maintenance.Holder, Log: log, Lag: a.metrics.SourceLag,
	}
	group, ctx := errgroup.WithContext(ctx)
	reading, stop := context.WithCancel(ctx)
	group.Go(func() error {
		defer stop()
		return c.Run(ctx)
	})
	group.Go(func() error {
		w := slotWatch{
			MirrorSettings: s, source: source, metrics: a.metrics, log: log,
			leadership: inbox.Leadership{Leaders: st.sql, Name: "slot of " + s.Name, Holder: a.maintenance.Holder, For: 3 * slotEvery},
		}
		tasks.Every(reading, slotEvery, "look at the slot of the mirror", log, w.look)
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
	MirrorSettings
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
func (s MirrorSettings) MirrorChecks() []warnings.Check {
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

// DropMirror removes the slot and the publication from a source, and then the state of the mirror. A
// process that runs the mirror stops.
func DropMirror(ctx context.Context, name MirrorName, from MirrorSource, store feed.Mirrors) error {
	source := &mirror.Source{URL: from.Source, Name: name.Name, Names: name.Names()}
	if err := source.Drop(ctx); err != nil {
		return err
	}
	return store.DropMirror(ctx, name.Name)
}
