package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// intake is a sink over a store in memory.
type intake struct {
	*ingest.Sink
	t     *testing.T
	store *sqlstore.Store
	queue *feedtest.Queue
	// backlog is what the store reports, waits how often it has waited.
	backlog, waits int
	mu             sync.Mutex // for evicted, since bodies end together
	evicted        []feed.PostID
}

func newIntake(t *testing.T) *intake {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	in := &intake{t: t, store: sqlitetest.New(t, clock), queue: &feedtest.Queue{}}
	in.Sink = &ingest.Sink{
		Store: in.store, Progress: progress{in.store, in}, Queue: in.queue, Evictor: in, Commits: in.store,
		Clock: clock, Policy: feed.DefaultPolicy(),
		Wait: func(ctx context.Context, d time.Duration) error {
			now = now.Add(d)
			in.waits++
			in.backlog /= 2
			return ctx.Err()
		},
	}
	in.Policy.Owned = feed.OwnedTypes()
	return in
}

// progress replaces the backlog.
type progress struct {
	feed.Progress
	in *intake
}

func (p progress) Backlog(context.Context, int) (int, error) {
	if p.in.backlog < 0 {
		return 0, feed.Unavailable("the database", errors.New("secret host"))
	}
	return p.in.backlog, nil
}

func (in *intake) Evict(posts []feed.PostID, _ []feed.UserID) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.evicted = append(in.evicted, posts...)
}

func userLine(id, version int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"","createdAt":"2026-01-01T00:00:00Z","version":%d}`, id, id, version)
}

func postLine(id, author, version int) string {
	return fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"t","publishedAt":"2026-01-01T00:00:00Z","version":"%d"}`,
		id, author, version)
}

func (in *intake) lines(text ...string) ingest.Summary {
	in.t.Helper()
	sum, err := in.Lines(in.t.Context(), strings.NewReader(strings.Join(text, "\n")), "shop", ingest.Limits{})
	check(in.t, err)
	return sum
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

func TestLines_AppliesGoodLinesAndKeepsBadOnes(t *testing.T) {
	in := newIntake(t)
	follow := `{"type":"follow","follower":"2","followee":"1","createdAt":"2026-01-01T00:00:00Z","version":1}`
	sum := in.lines(userLine(1, 1), "", "{broken", postLine(5, 1, 1), follow, `{"type":"user","id":"9"}`, userLine(1, 1),
		`{"type":"follow","follower":"2","followee":"1","deletedAt":"2026-01-01T00:00:00Z","version":2}`,
		`{"type":"seen","user":"1","at":"2026-01-01T00:00:00Z"}`)
	same(t, "the counts", []int{sum.Stored, sum.Updated, sum.Unchanged, sum.BadCount}, []int{3, 1, 2, 2})
	same(t, "the bad lines", []int{sum.Bad[0].Line, sum.Bad[1].Line}, []int{3, 6})
	letters, err := in.store.DeadLetters(t.Context(), "shop", 0, 10)
	if err != nil || len(letters) != 2 || string(letters[0].Text) != "{broken" && string(letters[1].Text) != "{broken" || letters[0].Reason == "" {
		t.Errorf("the dead letters are %+v, %v", letters, err)
	}
	same(t, "evicted posts", in.evicted, []feed.PostID{5})
	same(t, "tasks", in.queue.Len(), 1)
}

func TestLines_RejectsTypesThatNoSourceOwns(t *testing.T) {
	in := newIntake(t)
	in.Policy.Owned = feed.RecordTypes{feed.RecordPost}
	sum := in.lines(userLine(1, 1), postLine(5, 1, 1))
	same(t, "stored", sum.Stored, 1)
	same(t, "the bad lines", sum.Bad, []ingest.BadLine{{Line: 1, Reason: "no source owns the type user; add it to --source-owns"}})
}

func TestLines_ReportEachBatchToTrace(t *testing.T) {
	in := newIntake(t)
	in.Policy.Owned = feed.RecordTypes{feed.RecordPost}
	got := map[string]feed.OutcomeCounts{}
	in.Trace.Ingested = func(source string, done feed.Ingested) { got[source] = done.Counts }
	in.lines(postLine(5, 1, 2), postLine(5, 1, 1), userLine(1, 1), "x")
	same(t, "the counts", got, map[string]feed.OutcomeCounts{"shop": {
		{Type: feed.RecordPost, Outcome: feed.OutcomeStored}: 1, {Type: feed.RecordPost, Outcome: feed.OutcomeOutdated}: 1,
		{Outcome: feed.OutcomeBad}: 2,
	}})
}

func TestLines_CountDeadLettersBySource(t *testing.T) {
	in := newIntake(t)
	in.lines(`{"type":"user","id":"1","source":"crm"}`, `{"type":"user","id":"2","source":"crm"}`, "x")
	for source, want := range map[string]int{"crm": 2, "shop": 1} {
		letters, err := in.store.DeadLetters(t.Context(), source, 0, 10)
		if err != nil || len(letters) != want {
			t.Errorf("%s has %d dead letters, want %d (%v)", source, len(letters), want, err)
		}
	}
}

// endless is a line without an end.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(b), e.left)
	// The race detector watches each byte of a loop.
	for filled := 0; filled < n; {
		filled += copy(b[filled:n], "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
	}
	e.left -= n
	return n, nil
}

func TestLines_SurvivesALineOf100Megabytes(t *testing.T) {
	in := newIntake(t)
	sum, err := in.Lines(t.Context(), io.MultiReader(&endless{100 << 20}, strings.NewReader("\n"+userLine(1, 1))), "shop", ingest.Limits{})
	check(t, err)
	same(t, "the counts", []int{sum.Stored, sum.BadCount}, []int{1, 1})
	letters, _ := in.store.DeadLetters(t.Context(), "", 0, 10)
	if len(letters[0].Text) > 2000 {
		t.Errorf("the dead letter has %d bytes", len(letters[0].Text))
	}
}

func TestHandler_EndsAnEndlessLine(t *testing.T) {
	in := newIntake(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	body := io.MultiReader(strings.NewReader(userLine(1, 1)+"\n"), &endless{math.MaxInt})
	answer := in.post(body, func(h *ingest.Handler) { h.BodyMax = 64 << 20 })
	runtime.ReadMemStats(&after)
	same(t, "the status", answer.Code, http.StatusRequestEntityTooLarge)
	// A line is held up to its maximum of 4 MiB, in buffers that double.
	if n := after.TotalAlloc - before.TotalAlloc; n > 48<<20 {
		t.Errorf("allocated %d bytes", n)
	}
}

func TestLines_SlowsDownWhileFanoutsAreBehind(t *testing.T) {
	in := newIntake(t)
	in.backlog = 4 * in.Policy.BacklogMax
	same(t, "stored", in.lines(userLine(1, 1)).Stored, 1)
	same(t, "waits", in.waits, 3)
}

func TestLines_KeepAtMostAThousandBadLines(t *testing.T) {
	in := newIntake(t)
	sum := in.lines(strings.Repeat("x\n", 999) + userLine(1, 1) + "\n" + strings.Repeat("x\n", 7000))
	same(t, "the counts", []int{sum.Stored, sum.BadCount, len(sum.Bad)}, []int{1, 7999, 1000})
	states, err := in.store.SourceStates(t.Context())
	check(t, err)
	same(t, "letters and counted lines", []int{states.DeadLetters[0].Letters, states.DeadLetters[0].Counted}, []int{1000, 6999})
}

func TestLines_ShortenReasons(t *testing.T) {
	in := newIntake(t)
	sum := in.lines(`{"type":"user","id":"1","` + strings.Repeat("x", 1<<20) + `":1}`)
	if len(sum.Bad) != 1 || len(sum.Bad[0].Reason) > 600 {
		t.Errorf("the reason has %d bytes", len(sum.Bad[0].Reason))
	}
}

func TestLines_LimitNamesOfSources(t *testing.T) {
	in := newIntake(t)
	lines := []string{`{"type":"user","id":"1","source":"` + strings.Repeat("x", 65) + `"}`, `{"type":"user","id":"1","source":"a\u0000"}`}
	for i := range 40 {
		lines = append(lines, fmt.Sprintf(`{"type":"user","id":"1","source":"s%d"}`, i%20))
	}
	sum := in.lines(lines...)
	states, err := in.store.SourceStates(t.Context())
	check(t, err)
	same(t, "bad lines and sources", []int{sum.BadCount, len(states.DeadLetters)}, []int{42, 17})
}

func TestLines_PayForLinesAndBytes(t *testing.T) {
	in := newIntake(t)
	var costs []int
	limits := ingest.Limits{Charge: func(_ context.Context, cost int) time.Duration {
		costs = append(costs, cost)
		return time.Duration(len(costs)%2) * time.Second // every other call succeeds
	}}
	sum, err := in.Lines(t.Context(), strings.NewReader(strings.Repeat("x\n", 6000)+strings.Repeat("y", 1<<20)+"\nz"), "shop", limits)
	check(t, err)
	same(t, "bad lines and waits", []int{sum.BadCount, in.waits}, []int{6002, 2})
	same(t, "the costs", costs, []int{5004, 5004, 2026, 2026})
}

// packed returns gzip of a text.
func packed(text string) *bytes.Buffer {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = io.WriteString(z, text)
	_ = z.Close()
	return &out
}

func TestHandler_BoundsDecompressedBodies(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		status int
		want   string
	}{
		"many lines":       {strings.Repeat("x\n", 50_001), 413, `"badCount":45000,`},
		"one line":         {strings.Repeat("x", 200_000), 413, "too large, as sent or decompressed"},
		"blank lines":      {strings.Repeat(" \r\n", 10_001), 413, "blank lines"},
		"some blank lines": {strings.Repeat("\n", 10_000) + userLine(1, 1), 200, `"stored":1,`},
	} {
		body := packed(c.text)
		if body.Len() > 2000 {
			t.Fatalf("%s: the body has %d bytes", name, body.Len())
		}
		w := newIntake(t).post(body, func(h *ingest.Handler) { h.BodyMax = 100_000 })
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: status %d: %.300s", name, w.Code, w.Body)
		}
	}
}

func TestHandler_TakesTwoBodiesPerService(t *testing.T) {
	in := newIntake(t)
	var h *ingest.Handler
	in.post(strings.NewReader(""), func(made *ingest.Handler) { h = made })
	gone, leave := context.WithCancel(t.Context())
	leave()
	send := func(ctx context.Context, service string, body io.Reader) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodPost, "/ingest", body)
		r.Header.Set("Service", service)
		h.ServeHTTP(w, r)
		return w
	}
	h.Name = func(r *http.Request) string { return r.Header.Get("Service") }
	var open []*io.PipeWriter
	var ended sync.WaitGroup
	for range 2 {
		body, writer := io.Pipe()
		open = append(open, writer)
		ended.Go(func() { send(t.Context(), "shop", body) })
		_, _ = io.WriteString(writer, "x\n") // returns once the body is read
	}
	if w := send(gone, "shop", strings.NewReader("")); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("a third body that cannot wait: status %d: %s", w.Code, w.Body)
	}
	same(t, "another service", send(t.Context(), "crm", strings.NewReader("")).Code, http.StatusOK)
	ended.Go(func() {
		same(t, "a third body that waits", send(t.Context(), "shop", strings.NewReader("")).Code, http.StatusOK)
	})
	for _, w := range open {
		_ = w.Close()
	}
	ended.Wait()
}

func (in *intake) post(body io.Reader, change func(*ingest.Handler)) *httptest.ResponseRecorder {
	h := &ingest.Handler{
		Sink: in.Sink, Name: func(*http.Request) string { return "shop" }, Log: slog.New(slog.DiscardHandler),
		Refuse: func(w http.ResponseWriter, _ *http.Request, status int, code feed.Code, message string) {
			http.Error(w, string(code)+": "+message, status)
		},
	}
	if change != nil {
		change(h)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(in.t.Context(), http.MethodPost, "/ingest", body))
	return w
}

func TestHandler_AnswersWithCounts(t *testing.T) {
	in := newIntake(t)
	w := in.post(packed(userLine(1, 1)+"\n{"), nil)
	var sum ingest.Summary
	if err := json.Unmarshal(w.Body.Bytes(), &sum); err != nil || w.Code != http.StatusOK {
		t.Fatalf("status %d, %v", w.Code, err)
	}
	same(t, "the counts", []int{sum.Stored, sum.BadCount}, []int{1, 1})
}

func TestHandler_SaysWhatToDoAfterAnError(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(*intake)
		change  func(*ingest.Handler)
		body    io.Reader
		status  int
		want    string
	}{
		"a backlog": {func(in *intake) { in.backlog = in.Policy.BacklogMax }, nil, strings.NewReader(""), 429, "RATE_LIMITED"},
		"a spent budget": {
			func(*intake) {}, func(h *ingest.Handler) {
				h.Charge = func(context.Context, int) time.Duration { return 1500 * time.Millisecond }
			}, strings.NewReader(""), 429, "RATE_LIMITED",
		},
		"no database": {func(in *intake) { in.backlog = -1 }, nil, strings.NewReader(""), 503, "UNAVAILABLE"},
		"too large": {
			func(*intake) {}, func(h *ingest.Handler) { h.BodyMax = 100 }, strings.NewReader(userLine(1, 1) + "\n" + userLine(2, 1)), 413, "too large",
		},
		"a cut":      {func(*intake) {}, nil, io.MultiReader(strings.NewReader(userLine(1, 1)), &failing{}), 400, "ended early"},
		"not a text": {func(*intake) {}, nil, strings.NewReader("PK\x03\x04"), 400, "neither text nor gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			in := newIntake(t)
			c.prepare(in)
			w := in.post(c.body, c.change)
			if w.Code != c.status || !strings.Contains(w.Body.String(), c.want) || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			if (w.Code == 429) != (w.Header().Get("Retry-After") != "") {
				t.Errorf("Retry-After is %q", w.Header().Get("Retry-After"))
			}
		})
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("secret connection reset") }
