package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/doctor"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// examined are the findings in one kind of feeds.
type examined struct {
	doctor.Report
	// inboxes is the total number of inboxes; 0 if not counted.
	inboxes int
}

// doctorReport are the findings of the doctor command.
type doctorReport struct {
	home, replays examined

	took    time.Duration
	pending feed.Pending
	// beats are the times since the last heartbeat, by server.
	beats map[string]time.Duration
	// queues and workers are set if queuesErr is nil.
	queues    []tasks.QueueState
	queuesErr error
	workers   int
	handles   lookalikes
	flags     []feed.FlagCount
	sources   feed.SourceReport
	// ids are those of users and posts that the report names.
	ids feed.PublicIDs
	// checked are the names of all checks, and warnings those that hold. Warnings do not make the
	// command fail.
	checked  []string
	warnings []warnings.Warning
}

func (r *examined) examine(ctx context.Context, d *doctor.Doctor, viewers []feed.UserID) error {
	found, err := d.Examine(ctx, viewers)
	r.Add(found)
	return err
}

// all combines the findings in both kinds of feeds.
func (r *doctorReport) all() *doctor.Report {
	var all doctor.Report
	all.Add(r.home.Report)
	all.Add(r.replays.Report)
	return &all
}

// readStore reads the state of the database that does not belong to a viewer.
func (r *doctorReport) readStore(ctx context.Context, store *sqlstore.Store, waits feed.Waits) error {
	var err error
	now := feed.Millis(time.Now())
	if r.pending, err = store.Pending(ctx, now, waits.DueBy(now)); err != nil {
		return err
	}
	if r.handles.groups, r.handles.more, err = store.Lookalikes(ctx, lookalikesMax); err != nil {
		return err
	}
	if r.flags, err = store.CountFlags(ctx); err != nil {
		return err
	}
	if r.sources, err = store.ReportSources(ctx); err != nil {
		return err
	}
	noted, err := store.StoredPulses(ctx)
	if err != nil {
		return err
	}
	version, err := store.ViewerVersion(ctx, 0)
	if err != nil {
		return err
	}
	r.beats = map[string]time.Duration{}
	for _, p := range noted {
		r.beats[p.Server] = time.Duration(version.Now-p.Number) * time.Millisecond
	}
	return r.readIDs(ctx, store)
}

// readIDs reads the ids of users and posts that the report names.
func (r *doctorReport) readIDs(ctx context.Context, store *sqlstore.Store) (err error) {
	named := namedIn(&r.sources)
	all := r.all()
	for _, f := range slices.Concat(all.Wrong, all.Explained) {
		named.Users, named.Posts = append(named.Users, f.Viewer), append(named.Posts, f.Post)
	}
	for _, o := range slices.Concat(r.handles.groups...) {
		named.Users = append(named.Users, o.User)
	}
	r.ids, err = read(ctx, store, named)
	return err
}

// print prints the report for people.
func (r *doctorReport) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.printExamined(out)
	r.printFound(out)
	r.printPending(out)
	r.handles.print(out, r.ids)
	r.printFlags(out)
	if r.sources.Absent.Awaited+r.sources.Posts.Awaited > 0 {
		printAwaited(out, r.sources, r.ids)
	}
	r.printWarnings(out)
	return out.Flush()
}

func (r *doctorReport) printExamined(out io.Writer) {
	of := ""
	if r.home.inboxes > 0 {
		of = fmt.Sprintf(" of %d with an inbox", r.home.inboxes)
	}
	_, _ = fmt.Fprintf(out, "examined %d users%s in %v\n", r.home.Viewers, of, r.took.Round(time.Millisecond))
	_, _ = fmt.Fprintf(out, "  inboxes: %s\n", states(r.home.Report))
	_, _ = fmt.Fprintf(out, "  entries: %d in inboxes, %d in home feeds\n", r.home.Entries, r.home.Shown)
	if r.replays.Viewers > 0 {
		_, _ = fmt.Fprintf(out, "  replay inboxes of %d users: %s\n", r.replays.Viewers, states(r.replays.Report))
		_, _ = fmt.Fprintf(out, "  replays: %d in inboxes, %d in live feeds\n", r.replays.Entries, r.replays.Shown)
	}
}

// states counts the inboxes by state.
func states(r doctor.Report) string {
	return fmt.Sprintf("%d warm, %d cold, %d being built, %d absent, %d unreadable; %d not updated yet after a follow, mute or block",
		r.Warm, r.Cold, r.Building, r.Absent, r.Unreadable, r.Behind)
}

func (r *doctorReport) printFound(out io.Writer) {
	all := r.all()
	if len(all.Found) == 0 {
		_, _ = fmt.Fprintln(out, "found nothing:", r.compared())
		return
	}
	_, _ = fmt.Fprintln(out, "found")
	for _, kind := range doctor.Kinds() {
		if n := all.Found[kind]; n > 0 {
			e := kind.Explain()
			_, _ = fmt.Fprintf(out, "  %s\t%s\t%d\t%s: %s%s\n", severity(e.Wrong), kind, n, e.What, e.Why, action(e))
		}
	}
	for _, findings := range [][]doctor.Finding{all.Wrong, all.Explained} {
		for _, f := range findings {
			_, _ = fmt.Fprintf(out, "  %s\t%s\tuser %s\t%s%s\n", severity(f.Kind.Explain().Wrong), f.Kind, r.ids.User(f.Viewer), r.about(f), explained(f))
		}
	}
	if more := leftOut(all); more > 0 {
		_, _ = fmt.Fprintf(out, "  and %d more\n", more)
	}
}

// compared describes what was compared if nothing was found.
func (r *doctorReport) compared() string {
	all := r.all()
	if all.Viewers == 0 {
		return "there are no inboxes yet; reads build them, and --user ID examines any user"
	}
	return fmt.Sprintf("%d entries of %d inboxes and %d entries of %d feeds agree with the database",
		all.Entries, all.Warm+all.Cold+all.Building, all.Shown, all.Viewers)
}

func severity(wrong bool) string {
	if wrong {
		return "ERROR"
	}
	return "normal"
}

// action returns the end of a sentence.
func action(e doctor.Explanation) string {
	if e.Action == "" {
		return ""
	}
	return "; " + e.Action
}

// about describes the subject of a finding.
func (r *doctorReport) about(f doctor.Finding) string {
	if f.Post == 0 {
		return "the inbox"
	}
	return r.ids.Name(f.Post)
}

// explained returns the end of a sentence: why the feed has the post, or lacks it.
func explained(f doctor.Finding) string {
	if f.Explained == "" {
		return ""
	}
	return ": " + f.Explained.Words()
}

// leftOut counts the findings that are not listed.
func leftOut(r *doctor.Report) int {
	n := -len(r.Wrong) - len(r.Explained)
	for _, count := range r.Found {
		n += count
	}
	return n
}

func (r *doctorReport) printPending(out io.Writer) {
	_, _ = fmt.Fprintf(out, "pending pushes: %d posts without a plan, %d slices of followers, %d of them running; %d overdue by more than a minute%s\n",
		r.pending.Events, r.pending.Slices, r.pending.Running, r.pending.Overdue, overdueAction(r.pending.Overdue))
	if r.queuesErr != nil {
		_, _ = fmt.Fprintf(out, "cannot read the task queues: %v\n", r.queuesErr)
	}
	for _, q := range r.queues {
		if !q.Listed {
			_, _ = fmt.Fprintf(out, "queue %s:\tnot created yet\n", q.Name)
			continue
		}
		_, _ = fmt.Fprintf(out, "queue %s:\t%d waiting, %d running, %d orphaned, %d archived\n",
			q.Name, app.Waiting(q), q.Active-q.Orphaned, q.Orphaned, q.Archived)
	}
	for _, server := range slices.Sorted(maps.Keys(r.beats)) {
		_, _ = fmt.Fprintf(out, "last heartbeat of the inboxes on %s: %v ago\n", server, r.beats[server])
	}
}

func (r *doctorReport) printFlags(out io.Writer) {
	for _, n := range r.flags {
		_, _ = fmt.Fprintf(out, "%s authors:\t%d, because of the %s, since %s; tideline authors --marked lists them\n",
			n.Flag, n.Authors, n.Reason, sinceText(n.Since))
	}
}

// overdueAction returns the end of a sentence.
func overdueAction(overdue int) string {
	if overdue == 0 {
		return ""
	}
	return "; start workers, and check that they reach the database"
}

func (r *doctorReport) printWarnings(out io.Writer) {
	if len(r.warnings) == 0 {
		_, _ = fmt.Fprintf(out, "no warnings: checked %s\n", strings.Join(r.checked, ", "))
	}
	for _, w := range r.warnings {
		_, _ = fmt.Fprintf(out, "warning: %s; %s\n", w.Message, w.Action)
	}
}
