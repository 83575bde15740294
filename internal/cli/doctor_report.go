package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// findingsMax limits the findings that the doctor lists, wrong and others apart. More of them call
// for a rebuild of all inboxes.
const findingsMax = 100

// doctorReport is what the doctor command prints. Ids are strings, as in the API, because JSON
// numbers do not hold all of them exactly.
type doctorReport struct {
	// Tally is that of home feeds.
	examine.Tally
	Replays examine.Tally `json:"replays"`
	*examine.Report[examine.Finding]
	Found map[examine.Kind]int `json:"found"`
	Wrong int                  `json:"wrong"`

	Pending jsonPending `json:"pending"`
	// Queues is null if the queues could not be read.
	Queues []jsonQueue `json:"queues"`
	// Workers counts the processes that serve the queues.
	Workers int `json:"workers"`
	// Beats are milliseconds since the last heartbeat, by server.
	Beats map[string]int64 `json:"heartbeatsAgo"`
	// Flags count the authors whose posts are not pushed to all followers.
	Flags []jsonFlags `json:"coverageFlags"`
	// Handles, absent users, absent posts and warnings do not count as wrong.
	Handles lookalikes `json:"lookalikeHandles"`
	absentObjects
	Warnings []warnings.Warning `json:"warnings"`

	queuesErr error
	// moreHandles reports that there are further handles that look alike, and checked has the names of
	// all checks of warnings.
	moreHandles bool
	checked     []string
}

type (
	jsonPending struct {
		Unplanned int `json:"unplanned"`
		Subtasks  int `json:"subtasks"`
		Running   int `json:"running"`
		Stuck     int `json:"stuck"`
	}
	jsonFlags struct {
		Flag    string `json:"flag"`
		Reason  string `json:"reason"`
		Authors int64  `json:"authors"`
		// Since is null if it is not known.
		Since *string `json:"since"`
	}
	jsonQueue struct {
		Name     string `json:"name"`
		Waiting  int    `json:"waiting"`
		Running  int    `json:"running"`
		Orphaned int    `json:"orphaned"`
		Archived int    `json:"archived"`
		listed   bool
		oldest   time.Duration
	}
)

func newDoctorReport() *doctorReport {
	return &doctorReport{
		Report: examine.NewReport[examine.Finding](findingsMax, findingsMax), Found: map[examine.Kind]int{}, Queues: []jsonQueue{},
		Beats: map[string]int64{}, Flags: []jsonFlags{}, Handles: lookalikes{}, Warnings: []warnings.Warning{},
	}
}

// count counts the findings by kind.
func (r *doctorReport) count() {
	for _, kind := range examine.Kinds() {
		r.Found[kind] = 0
	}
	for _, c := range r.Counts {
		r.Found[c.Kind] = c.Findings
	}
	_, r.Wrong = r.Sum(false)
}

// inspectQueues reads the task queues, which may be on another Redis than the inboxes, and
// returns how long tasks wait.
func (r *doctorReport) inspectQueues(ctx context.Context, s maintenanceSettings) (waits feed.Waits) {
	r.queuesErr = s.withQueue(ctx, func(queue *tasks.Queue) error {
		queues, err := queue.Inspect(ctx)
		if err != nil {
			return err
		}
		for _, q := range queues {
			r.Queues = append(r.Queues, jsonQueue{q.Name, app.Waiting(q), q.Active - q.Orphaned, q.Orphaned, q.Archived, q.Listed, q.Oldest})
		}
		if r.Workers, err = queue.Workers(ctx); err != nil {
			return err
		}
		waits, err = queue.Waits(ctx)
		return err
	})
	if r.queuesErr != nil {
		r.Queues = nil
	}
	return waits
}

// readStore reads the state of the database that does not belong to a viewer.
func (r *doctorReport) readStore(ctx context.Context, store *sqlstore.Store, waits feed.Waits) error {
	now := feed.Millis(time.Now())
	pending, err := store.Pending(ctx, now, waits.DueBy(now))
	if err != nil {
		return err
	}
	r.Pending = jsonPending{pending.Events, pending.Slices, pending.Running, pending.Overdue}
	flags, err := store.CountFlags(ctx)
	if err != nil {
		return err
	}
	for _, n := range flags {
		f := jsonFlags{Flag: n.Flag.String(), Reason: n.Reason.String(), Authors: n.Authors}
		if n.Since != 0 {
			f.Since = new(timeText(n.Since))
		}
		r.Flags = append(r.Flags, f)
	}
	if err := r.readBeats(ctx, store); err != nil {
		return err
	}
	if r.Handles, r.moreHandles, err = readLookalikes(ctx, store); err != nil {
		return err
	}
	_, r.absentObjects, err = readSources(ctx, store)
	return err
}

func (r *doctorReport) readBeats(ctx context.Context, store *sqlstore.Store) error {
	pulses, err := store.StoredPulses(ctx)
	if err != nil {
		return err
	}
	version, err := store.ViewerVersion(ctx, 0)
	for _, p := range pulses {
		r.Beats[p.Server] = version.Now - p.Number
	}
	return err
}

// print prints the report for people.
func (r *doctorReport) print(out io.Writer) {
	r.printExamined(out)
	r.Write(out)
	if len(r.Findings) == 0 {
		_, _ = fmt.Fprintln(out, "found nothing:", r.compared())
	}
	r.printPending(out)
	r.Handles.print(out, r.moreHandles)
	r.printFlags(out)
	if r.AbsentUsers.Awaited+r.AbsentPosts.Awaited > 0 {
		r.absentObjects.print(out)
	}
	r.printWarnings(out)
}

func (r *doctorReport) printExamined(out io.Writer) {
	of := ""
	if r.Users.WithInbox > 0 {
		of = fmt.Sprintf(" of %d with an inbox", r.Users.WithInbox)
	}
	_, _ = fmt.Fprintf(out, "examined %d users%s in %v\n", r.Users.Examined, of, r.Duration())
	_, _ = fmt.Fprintf(out, "  inboxes: %s\n", states(r.Users))
	_, _ = fmt.Fprintf(out, "  entries: %d in inboxes, %d in home feeds\n", r.Entries.InInboxes, r.Entries.InFeeds)
	if n := r.Replays.Users.Examined; n > 0 {
		_, _ = fmt.Fprintf(out, "  replay inboxes of %d users: %s\n", n, states(r.Replays.Users))
		_, _ = fmt.Fprintf(out, "  replays: %d in inboxes, %d in live feeds\n", r.Replays.Entries.InInboxes, r.Replays.Entries.InFeeds)
	}
}

// states counts the inboxes by state.
func states(n examine.UserTally) string {
	return fmt.Sprintf("%d warm, %d cold, %d being built, %d absent, %d unreadable; %d not updated yet after a follow, mute or block",
		n.Warm, n.Cold, n.Building, n.Absent, n.Unreadable, n.Behind)
}

// compared describes what was compared if nothing was found.
func (r *doctorReport) compared() string {
	a, b := r.Users, r.Replays.Users
	if a.Examined+b.Examined == 0 {
		return "there are no inboxes yet; reads build them, and --user ID examines any user"
	}
	return fmt.Sprintf("%d entries of %d inboxes and %d entries of %d feeds agree with the database",
		r.Entries.InInboxes+r.Replays.Entries.InInboxes, a.Warm+a.Cold+a.Building+b.Warm+b.Cold+b.Building,
		r.Entries.InFeeds+r.Replays.Entries.InFeeds, a.Examined+b.Examined)
}

func (r *doctorReport) printPending(out io.Writer) {
	action := ""
	if r.Pending.Stuck > 0 {
		action = "; start workers, and check that they reach the database"
	}
	_, _ = fmt.Fprintf(out, "pending pushes: %d posts without a plan, %d slices of followers, %d of them running; %d overdue by more than a minute%s\n",
		r.Pending.Unplanned, r.Pending.Subtasks, r.Pending.Running, r.Pending.Stuck, action)
	if r.queuesErr != nil {
		_, _ = fmt.Fprintf(out, "cannot read the task queues: %v\n", r.queuesErr)
	}
	for _, q := range r.Queues {
		if !q.listed {
			_, _ = fmt.Fprintf(out, "queue %s:\tnot created yet\n", q.Name)
			continue
		}
		_, _ = fmt.Fprintf(out, "queue %s:\t%d waiting, %d running, %d orphaned, %d archived\n", q.Name, q.Waiting, q.Running, q.Orphaned, q.Archived)
	}
	for _, server := range slices.Sorted(maps.Keys(r.Beats)) {
		_, _ = fmt.Fprintf(out, "last heartbeat of the inboxes on %s: %s ago\n", server, millisText(r.Beats[server]))
	}
}

func (r *doctorReport) printFlags(out io.Writer) {
	for _, n := range r.Flags {
		since := "-"
		if n.Since != nil {
			since = *n.Since
		}
		_, _ = fmt.Fprintf(out, "%s authors:\t%d, because of the %s, since %s; tideline authors --marked lists them\n", n.Flag, n.Authors, n.Reason, since)
	}
}

func (r *doctorReport) printWarnings(out io.Writer) {
	if len(r.Warnings) == 0 {
		_, _ = fmt.Fprintf(out, "no warnings: checked %s\n", strings.Join(r.checked, ", "))
	}
	for _, w := range r.Warnings {
		_, _ = fmt.Fprintf(out, "warning: %s; %s\n", w.Message, w.Action)
	}
}
