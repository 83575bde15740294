package app

import (
	"context"
	"fmt"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// awaitedWarnAfter exceeds the delay of any healthy source.
const awaitedWarnAfter = 24 * time.Hour

// loadWarnAfter exceeds the time between two batches of a load.
const loadWarnAfter = time.Minute

// SourceChecks returns the checks for dead letters, for users who do not arrive and for bulk loads
// that were killed. They count rows.
func SourceChecks(store feed.SourceReporter) []warnings.Check {
	check := func(name, action string, message func(*feed.SourceReport) string) warnings.Check {
		return warnings.Check{Name: name, Action: action, Evaluate: func(ctx context.Context) (string, error) {
			r, err := store.ReportSources(ctx)
			if err != nil {
				return "", err
			}
			return message(&r), nil
		}}
	}
	return []warnings.Check{
		check("dead_letters", "list them with tideline ingest dead; retry them once the cause is gone, or drop them", deadLettersMessage),
		check("awaited_users", "tideline ingest status names the oldest; send the records of these users, or delete what refers to them; until then, they and their posts are not shown",
			awaitedMessage),
		check("bulk_load", "run the import again, or tideline rebuild; after ten minutes a server ends the load", loadMessage),
	}
}

// deadLettersMessage is empty if there are none.
func deadLettersMessage(r *feed.SourceReport) string {
	letters, overtaken, counted := 0, 0, 0
	for _, d := range r.DeadLetters {
		letters += d.Letters
		overtaken += d.Overtaken
		counted += d.Counted
	}
	text := ""
	if letters+counted > 0 {
		text = fmt.Sprintf("%d lines of %d sources could not be applied; later records overtook %d of them", letters+counted, len(r.DeadLetters), overtaken)
	}
	if counted > 0 {
		text += fmt.Sprintf("; %d were only counted, so what is stored is incomplete until their sources send everything again", counted)
	}
	return text
}

// loadMessage is empty unless a bulk load seems to have been killed.
func loadMessage(r *feed.SourceReport) string {
	idle := time.Duration(r.Now-r.Load.LastAt) * time.Millisecond
	if r.Load.Since == 0 || idle < loadWarnAfter {
		return ""
	}
	return fmt.Sprintf("a bulk load did not end; its last batch was %v ago, and no inbox is used until it ends", idle.Truncate(time.Second))
}

// awaitedMessage is empty unless a user has been awaited for long.
func awaitedMessage(r *feed.SourceReport) string {
	if len(r.Absent.Oldest) == 0 {
		return ""
	}
	waited := time.Duration(r.Now-r.Absent.Oldest[0].Since) * time.Millisecond
	if waited < awaitedWarnAfter {
		return ""
	}
	return fmt.Sprintf("records name %d users who have not arrived; the oldest has been awaited for %v",
		r.Absent.Awaited, waited.Truncate(time.Hour))
}
