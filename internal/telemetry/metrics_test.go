package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/internal/telemetry"
)

// scraped returns the lines of a scrape for a metric.
func scraped(t *testing.T, m *telemetry.Metrics, metric string) []string {
	t.Helper()
	rec := httptest.NewRecorder()
	m.Handler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	var lines []string
	for _, line := range strings.Split(rec.Body.String(), "\n") {
		if strings.HasPrefix(line, metric+"{") || strings.HasPrefix(line, metric+" ") {
			lines = append(lines, strings.TrimPrefix(line, metric))
		}
	}
	return lines
}

func wantLines(t *testing.T, m *telemetry.Metrics, metric string, want ...string) {
	t.Helper()
	if got := scraped(t, m, metric); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s is\n%s\nwant\n%s", metric, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOperationDone_CountsByKindNameOutcome(t *testing.T) {
	m := telemetry.New("v1")
	m.OperationDone(telemetry.Operation{Kind: "query", Name: "Home"})
	m.OperationDone(telemetry.Operation{Kind: "query", Name: "Home", Code: "UNAVAILABLE"})
	m.OperationDone(telemetry.Operation{Kind: "query", Name: "Unheard", Code: "BAD_CURSOR"})
	m.OperationDone(telemetry.Operation{Kind: "mutation"})
	m.OperationDone(telemetry.Operation{Code: "GRAPHQL_PARSE_FAILED"})
	wantLines(t, m, "tideline_operations_total",
		`{kind="mutation",name="anonymous",outcome="ok"} 1`,
		`{kind="none",name="anonymous",outcome="GRAPHQL_PARSE_FAILED"} 1`,
		`{kind="query",name="Home",outcome="UNAVAILABLE"} 1`,
		`{kind="query",name="Home",outcome="ok"} 1`,
		`{kind="query",name="other",outcome="BAD_CURSOR"} 1`)
}

// Clients choose the names, and each name adds several time series.
func TestOperationDone_BoundsNames(t *testing.T) {
	m := telemetry.New("v1")
	m.OperationDone(telemetry.Operation{Kind: "query", Name: strings.Repeat("x", 65)})
	for i := range 1000 {
		m.OperationDone(telemetry.Operation{Kind: "query", Name: fmt.Sprint("Name", i)})
	}
	lines := scraped(t, m, "tideline_operations_total")
	if n := len(lines); n != 101 {
		t.Errorf("a thousand names make %d series, want 100 and one for all others", n)
	}
	if all := strings.Join(lines, "\n"); !strings.Contains(all, `name="other",outcome="ok"} 901`) {
		t.Errorf("other names do not share a series:\n%s", all)
	}
}

func TestTrace_CountsAndCallsNext(t *testing.T) {
	m := telemetry.New("v1")
	calls := map[string]int{}
	silent, next := m.Trace(feed.Trace{}), m.Trace(feed.Trace{
		PageRead:           func(feed.UserID, feed.Reading) { calls["page"]++ },
		InboxBuilt:         func(feed.UserID, int) { calls["built"]++ },
		InboxRemoved:       func(feed.UserID) { calls["removed"]++ },
		InboxesRolledBack:  func(string, int64, int) { calls["rolled back"]++ },
		InboxesDropped:     func(string, string) { calls["dropped"]++ },
		Shed:               func(feed.PostID) { calls["shed"]++ },
		SlicePushed:        func(feed.SliceRef, int) { calls["pushed"]++ },
		FannedOut:          func(feed.PostID, time.Duration) { calls["lag"]++ },
		Swept:              func(int, int) { calls["swept"]++ },
		EnqueueFailed:      func(error) { calls["failed"]++ },
		VersionRead:        func() { calls["version"]++ },
		Announced:          func(feed.PostID, error) { calls["announced"]++ },
		SubscriptionsEnded: func(int, error) { calls["ended"]++ },
		Ingested:           func(string, feed.Ingested) { calls["ingested"]++ },
	})
	for _, trace := range []feed.Trace{silent, next} {
		trace.PageRead(1, feed.Reading{Source: feed.SourceInbox, Found: feed.FoundWarm})
		trace.PageRead(1, feed.Reading{Source: feed.SourceInbox, Found: feed.FoundCold, Pulled: 3})
		trace.InboxBuilt(1, 20)
		trace.InboxRemoved(1)
		trace.InboxesRolledBack("s", 1, 2)
		trace.InboxesDropped("s", "why")
		trace.Shed(1)
		trace.SlicePushed(feed.SliceRef{}, 250)
		trace.FannedOut(1, time.Second)
		trace.Swept(2, 3)
		trace.EnqueueFailed(errors.New("away"))
		trace.VersionRead()
		trace.Announced(1, nil)
		trace.Announced(2, errors.New("away"))
		trace.SubscriptionsEnded(5, errors.New("lost"))
		trace.SubscriptionsEnded(1, subscribe.ErrReset)
		trace.ReportIngested("shop", feed.Ingested{Counts: feed.OutcomeCounts{
			{Outcome: feed.OutcomeBad}: 2, {Type: feed.RecordPost, Outcome: feed.OutcomeStored}: 3,
		}})
		trace.ReportIngested(strings.Repeat("x", 65), feed.Ingested{Counts: feed.OutcomeCounts{{Outcome: feed.OutcomeBad}: 4}})
	}
	if len(calls) != 14 || calls["page"] != 2 || calls["swept"] != 1 {
		t.Errorf("the next trace got %v", calls)
	}
	wantLines(t, m, "tideline_feed_reads_total", `{inbox="cold",source="pull"} 2`, `{inbox="warm",source="inbox"} 2`)
	wantLines(t, m, "tideline_ingested_records_total", `{outcome="bad",source="other",type="none"} 8`,
		`{outcome="bad",source="shop",type="none"} 4`, `{outcome="stored",source="shop",type="post"} 6`)
	wantLines(t, m, "tideline_swept_total", `{what="event"} 4`, `{what="slice"} 6`)
	wantLines(t, m, "tideline_announcements_total", `{outcome="failed"} 2`, `{outcome="ok"} 2`)
	wantLines(t, m, "tideline_subscriptions_ended_total", `{reason="missed"} 10`, `{reason="reset"} 2`)
	wantLines(t, m, "tideline_stamps_total", `{journal="known"} 0`, `{journal="unknown"} 2`)
	wantLines(t, m, "tideline_viewer_notes_total", `{note="found"} 0`, `{note="none"} 0`)
	for metric, want := range map[string]string{
		"viewer_notes_failed_total": "0", "stamp_looks_failed_total": "0",
		"inboxes_built_total": "2", "inboxes_removed_total": "2", "inboxes_rolled_back_total": "2", "inboxes_dropped_total": "2",
		"fanouts_shed_total": "2", "slices_pushed_total": "2", "deliveries_total": "500", "enqueue_failures_total": "2",
		"fanout_lag_seconds_sum": "2", "feed_pulled_authors_sum": "6",
	} {
		wantLines(t, m, "tideline_"+metric, " "+want)
	}
}

// New hooks of the domain must reach the next trace.
func TestTrace_SetsEveryHook(t *testing.T) {
	trace := reflect.ValueOf(telemetry.New("v1").Trace(feed.Trace{}))
	for i := range trace.NumField() {
		if trace.Field(i).IsNil() {
			t.Errorf("the hook %s is neither counted nor passed on", trace.Type().Field(i).Name)
		}
	}
}

func TestScrape_ReportsFailedSources(t *testing.T) {
	m := telemetry.New("v1")
	m.Watch(telemetry.Sources{
		Queues: func(context.Context) ([]telemetry.QueueState, error) { return nil, errors.New("away") },
		Pending: func(ctx context.Context) (feed.Pending, error) {
			if _, bounded := ctx.Deadline(); !bounded {
				t.Error("the scrape has no timeout")
			}
			return feed.Pending{Events: 1, Slices: 4, Running: 2, Overdue: 3}, nil
		},
		Generation: func(context.Context) (int64, error) { return 0, errors.New("away") },
	})
	wantLines(t, m, "tideline_source_up", `{source="generation"} 0`, `{source="pending"} 1`, `{source="queues"} 0`)
	wantLines(t, m, "tideline_pending", `{what="events"} 1`, `{what="overdue"} 3`, `{what="running"} 2`, `{what="slices"} 4`)
	wantLines(t, m, "tideline_generation")
}

func TestScrape_ReadsWaitingChanges(t *testing.T) {
	m := telemetry.New("v1")
	m.Watch(telemetry.Sources{Changes: func(context.Context) (feed.WaitingChanges, error) {
		return feed.WaitingChanges{Changes: 7, Oldest: 2500 * time.Millisecond}, nil
	}})
	wantLines(t, m, "tideline_changes_waiting", ` 7`)
	wantLines(t, m, "tideline_changes_waiting_seconds", ` 2.5`)
	wantLines(t, m, "tideline_source_up", `{source="changes"} 1`)
}

func TestScrape_ReadsStateOfSources(t *testing.T) {
	m := telemetry.New("v1")
	m.Watch(telemetry.Sources{Ingest: func(context.Context) (feed.SourceReport, error) {
		return feed.SourceReport{
			SourceStates: feed.SourceStates{
				Now: 5000,
				Positions: []feed.SourcePosition{
					{Source: "shop", Partition: "0", MovedAt: 1500, CurrentAt: 4800, Waiting: 9},
					{Source: "shop", Partition: "1", MovedAt: 5000, Waiting: -1},
				},
				DeadLetters: []feed.DeadLetterCount{{Source: "shop", Letters: 3, Overtaken: 1, Counted: 7}},
			},
			Absent: feed.AbsentUsers{Awaited: 2, TakenBack: 1},
		}, nil
	}})
	wantLines(t, m, "tideline_position_age_seconds", `{partition="0",source="shop"} 3.5`, `{partition="1",source="shop"} 0`)
	wantLines(t, m, "tideline_position_lag_seconds", `{partition="0",source="shop"} 0.2`)
	wantLines(t, m, "tideline_position_lag_messages", `{partition="0",source="shop"} 9`)
	wantLines(t, m, "tideline_dead_letters", `{source="shop"} 3`)
	wantLines(t, m, "tideline_dead_letters_not_kept", `{source="shop"} 7`)
	wantLines(t, m, "tideline_absent_users", `{what="awaited"} 2`, `{what="taken_back"} 1`)
	wantLines(t, m, "tideline_source_up", `{source="ingest"} 1`)
}

// Services choose their names, so they must not choose how many series there are.
func TestMetrics_SourcesAreBounded(t *testing.T) {
	m := telemetry.New("v1")
	trace := m.Trace(feed.Trace{})
	var letters []feed.DeadLetterCount
	for i := range 300 {
		name := fmt.Sprint("service-", i)
		trace.ReportIngested(name, feed.Ingested{Counts: feed.OutcomeCounts{{Outcome: feed.OutcomeBad}: 1}})
		trace.ReportIngested("good-"+name, feed.Ingested{Counts: feed.OutcomeCounts{{Type: feed.RecordPost, Outcome: feed.OutcomeStored}: 1}})
		letters = append(letters, feed.DeadLetterCount{Source: name, Letters: i + 1})
	}
	m.Watch(telemetry.Sources{Ingest: func(context.Context) (feed.SourceReport, error) {
		return feed.SourceReport{SourceStates: feed.SourceStates{DeadLetters: letters}}, nil
	}})
	for metric, want := range map[string]int{"tideline_ingested_records_total": 22, "tideline_dead_letters": 21} {
		if n := len(scraped(t, m, metric)); n != want {
			t.Errorf("%s has %d series, want %d", metric, n, want)
		}
	}
}

func TestScrape_CountsFlaggedAuthors(t *testing.T) {
	m := telemetry.New("v1")
	m.Watch(telemetry.Sources{Flags: func(context.Context) ([]feed.FlagCount, error) {
		return []feed.FlagCount{
			{Flag: feed.FlagSelective, Reason: feed.FlagThreshold, Authors: 4, Since: 7000},
			{Flag: feed.FlagUnpushed, Reason: feed.FlagBacklog, Authors: 2},
		}, nil
	}})
	wantLines(t, m, "tideline_flagged_authors", `{flag="selective",reason="threshold"} 4`, `{flag="unpushed",reason="backlog"} 2`)
	wantLines(t, m, "tideline_flagged_since_seconds", `{flag="selective",reason="threshold"} 7`, `{flag="unpushed",reason="backlog"} 0`)
}

func TestScrape_ReadsCachesAndQueues(t *testing.T) {
	m := telemetry.New("v1")
	hits := uint64(0)
	m.Watch(telemetry.Sources{
		Caches: map[string]func() telemetry.CacheStats{"posts": func() telemetry.CacheStats {
			hits++
			return telemetry.CacheStats{Hits: hits, Misses: 2, Passed: 3, Evictions: 4, Entries: 5, Bytes: 6}
		}},
		Queues: func(context.Context) ([]telemetry.QueueState, error) {
			return []telemetry.QueueState{{Name: "push", Tasks: map[string]int{"pending": 7}, Oldest: 1500 * time.Millisecond}}, nil
		},
	})
	wantLines(t, m, "tideline_cache_reads_total",
		`{cache="posts",result="hit"} 1`, `{cache="posts",result="miss"} 2`, `{cache="posts",result="passed"} 3`)
	wantLines(t, m, "tideline_cache_bytes", `{cache="posts"} 6`)
	wantLines(t, m, "tideline_queue_tasks", `{queue="push",state="pending"} 7`)
	wantLines(t, m, "tideline_queue_age_seconds", `{queue="push"} 1.5`)
	if hits != 4 {
		t.Errorf("four scrapes read the cache %d times", hits)
	}
}

func TestMetrics_CountSubscribersConnectionsLimits(t *testing.T) {
	m := telemetry.New("v1")
	m.Connections(func() int { return 9 })
	m.Unsent(func() int { return 5 })
	end := m.SubscriptionBegan()
	m.SubscriptionBegan()
	end()
	m.EventSent()
	m.LimitHit("viewer")
	m.Loaded("posts", 20)
	wantLines(t, m, "tideline_connections", " 9")
	wantLines(t, m, "tideline_unsent_bytes", " 5")
	wantLines(t, m, "tideline_subscribers", " 1")
	wantLines(t, m, "tideline_subscription_events_total", " 1")
	wantLines(t, m, "tideline_loader_batch_keys_sum", `{loader="posts"} 20`)
	wantLines(t, m, "tideline_limits_hit_total", `{limit="address"} 0`, `{limit="connections"} 0`, `{limit="document"} 0`,
		`{limit="operations"} 0`, `{limit="service"} 0`, `{limit="unsent"} 0`, `{limit="viewer"} 1`)
}

func TestMetrics_CountWorkByOutcome(t *testing.T) {
	m := telemetry.New("v1")
	m.TaskDone("build", time.Second, nil)
	m.TaskDone("build", time.Second, errors.New("no"))
	wantLines(t, m, "tideline_tasks_total", `{outcome="failed",type="build"} 1`, `{outcome="ok",type="build"} 1`)

	failure := errors.New("no")
	for _, err := range []error{nil, failure, nil} {
		do := m.Periodic("sweep", func(context.Context) error { return err })
		if got := do(t.Context()); !errors.Is(got, err) {
			t.Errorf("the job returned %v, the counted one %v", err, got)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	_ = m.Periodic("sweep", func(context.Context) error { return failure })(stopped)
	wantLines(t, m, "tideline_periodic_total", `{outcome="failed",work="sweep"} 1`, `{outcome="ok",work="sweep"} 2`)
	if lines := scraped(t, m, "tideline_periodic_last_success_timestamp_seconds"); len(lines) != 1 {
		t.Errorf("the last success is %v", lines)
	}
}

type requestKey struct{}

func TestLogContext_AddsMissingAttributes(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(telemetry.LogContext(slog.NewTextHandler(&out, nil), func(ctx context.Context) []slog.Attr {
		id, _ := ctx.Value(requestKey{}).(string)
		return []slog.Attr{slog.String("requestId", id)}
	}))
	ctx := context.WithValue(t.Context(), requestKey{}, "one")
	for line, write := range map[string]func(){
		`msg=a requestId=one`:        func() { log.InfoContext(ctx, "a") },
		`msg=b x=1 requestId=one`:    func() { log.With("x", 1).InfoContext(ctx, "b") },
		`msg=c requestId=two`:        func() { log.InfoContext(ctx, "c", "requestId", "two") },
		`msg=d g.y=2 g.requestId=on`: func() { log.WithGroup("g").InfoContext(ctx, "d", "y", 2) },
	} {
		out.Reset()
		write()
		if got := out.String(); !strings.Contains(got, line) || strings.Count(got, "requestId") != 1 {
			t.Errorf("the line is %s, want it to say %s", got, line)
		}
	}
}

func TestOutages_LogBeginAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(telemetry.Outages(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})))
		down := fmt.Errorf("sweep: %w", feed.Unavailable("the database", errors.New("refused")))
		for range 120 {
			log.With("periodic", "sweep").Error("periodic work failed", "error", down)
			log.With("queue", "push").Warn("a task failed", "try", 1, "error", feed.Unavailable("the database", errors.New("reset")))
			time.Sleep(time.Second)
		}
		log.Error("a fault", "error", errors.New("boom"))
		log.Warn("no writes", "error", feed.CannotServe("the database", "is full", errors.New("53100")))
		log.Info("known", "error", down)
		time.Sleep(time.Minute)
		log.Error("periodic work failed", "error", down)
		want := `level=ERROR msg="periodic work failed" periodic=sweep error="sweep: UNAVAILABLE: the database cannot be reached: refused" outage="the database cannot be reached"
level=ERROR msg="a fault" error=boom
level=WARN msg="no writes" error="UNAVAILABLE: the database is full: 53100" outage="the database is full"
level=INFO msg=known error="sweep: UNAVAILABLE: the database cannot be reached: refused"
level=INFO msg="an outage ended" outage="the database cannot be reached" lasted=1m59s lines=240
level=INFO msg="an outage ended" outage="the database is full" lasted=0s lines=1
level=ERROR msg="periodic work failed" error="sweep: UNAVAILABLE: the database cannot be reached: refused" outage="the database cannot be reached"
`
		if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(out.String(), "\n")); diff != "" {
			t.Error(diff)
		}
	})
}
