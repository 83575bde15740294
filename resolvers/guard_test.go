package resolvers_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

// persisted is the extension that names a document by its hash.
func persisted(hash string) map[string]any {
	return map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hash}}
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// sharedTexts is a fake of the shared store.
type sharedTexts struct {
	mu    sync.Mutex
	texts map[string]string
	err   error
}

func (s *sharedTexts) Text(_ context.Context, hash string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts[hash], s.err
}

func (s *sharedTexts) KeepText(_ context.Context, hash, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.texts[hash] = text
	}
	return s.err
}

const (
	benName  = `{ user(handle: "ben") { name } }`
	notFound = "PERSISTED_QUERY_NOT_FOUND"
)

// wantBen sends a request as user 1, which must get Ben's name or errors of these codes.
func (w *world) wantBen(body map[string]any, codes ...string) {
	w.t.Helper()
	got := decoded(w.t, w.sendBody(1, must(json.Marshal(body))))
	wantEqual(w.t, codes, got.codes(), "the codes for %.100v", body)
	if len(codes) == 0 {
		wantEqual(w.t, "BEN", got.at(w.t, "user.name"), "the name for %.100v", body)
	}
}

func TestPersisted_HashReplacesKnownText(t *testing.T) {
	shared := &sharedTexts{texts: map[string]string{}}
	w := newWorld(t, func(d *resolvers.Deps) { d.Guard.Texts = shared })
	extensions := persisted(hashOf(benName))
	rec := w.sendBody(1, must(json.Marshal(map[string]any{"extensions": extensions})))
	if got := decoded(t, rec); !cmp.Equal(got.codes(), []string{notFound}) || got.Errors[0].Message != "PersistedQueryNotFound" || rec.Code != http.StatusOK {
		t.Fatalf("before the text was sent: %d %s", rec.Code, rec.Body)
	}
	for _, body := range []map[string]any{
		{"query": benName, "extensions": extensions},
		{"extensions": extensions},
		{"documentId": "sha256:" + hashOf(benName)},
		{"documentId": hashOf(benName)},
	} {
		w.wantBen(body)
	}
	byGet := decoded(t, w.get(url.Values{"extensions": {must(json.Marshal(extensions))}}))
	wantEqual(t, "BEN", byGet.at(t, "user.name"), "the name by GET")
	other := newWorld(t, func(d *resolvers.Deps) { d.Guard.Texts = shared })
	other.wantBen(map[string]any{"extensions": extensions})
}

// Stored texts take shared memory, and any client can run them by hash.
func TestPersisted_StoresValidQueriesOnly(t *testing.T) {
	shared := &sharedTexts{texts: map[string]string{}}
	w := newWorld(t, func(d *resolvers.Deps) { d.Guard.Texts = shared })
	for _, query := range []string{
		`{ user(handle: "ben") {`, `{ nothing }`, `{ viewer { ...f } }`, `{ __schema { queryType { name } } }`, nested(16),
		benName + strings.Repeat(" ", 20_000),
	} {
		w.sendBody(1, must(json.Marshal(map[string]any{"query": query, "extensions": persisted(hashOf(query))})))
		w.wantBen(map[string]any{"extensions": persisted(hashOf(query))}, notFound)
	}
	wantEqual(t, map[string]string{}, shared.texts, "the texts that processes share")
}

func TestPersisted_RejectsWrongHash(t *testing.T) {
	w := newWorld(t)
	for _, extensions := range []map[string]any{
		persisted(hashOf("{ __typename }")), // another's hash
		{"persistedQuery": map[string]any{"version": 1}},
		{"persistedQuery": map[string]any{"version": 2, "sha256Hash": hashOf(benName)}},
		{"persistedQuery": map[string]any{"sha256Hash": hashOf(benName)}},
		{"persistedQuery": "x"},
	} {
		w.wantBen(map[string]any{"query": benName, "extensions": extensions}, badInput)
	}
}

// A wrong text in the shared store costs a client one more request.
func TestPersisted_ChecksTextsOfSharedStore(t *testing.T) {
	hash := hashOf(benName)
	for _, shared := range []*sharedTexts{{texts: map[string]string{hash: "{ __typename }"}}, {err: errors.New("no response")}} {
		w := newWorld(t, func(d *resolvers.Deps) { d.Guard.Texts = shared })
		w.wantBen(map[string]any{"extensions": persisted(hash)}, notFound)
		w.wantBen(map[string]any{"query": benName, "extensions": persisted(hash)})
		w.wantBen(map[string]any{"extensions": persisted(hash)})
	}
}

// trusting is a change to a world that trusts one document, under a name and its hash.
func trusting(t *testing.T, only bool) func(*resolvers.Deps) {
	t.Helper()
	text := must(json.Marshal(map[string]string{"ben": benName, "sha256:" + hashOf(benName): benName}))
	trusted, err := guard.ReadManifest(strings.NewReader(text), graph.LoadSchema(), guard.DefaultLimits())
	noError(t, err)
	return func(d *resolvers.Deps) { d.Guard.Trusted, d.Guard.TrustedOnly = trusted, only }
}

func TestTrusted_DocumentsRunById(t *testing.T) {
	for _, only := range []bool{false, true} {
		w := newWorld(t, trusting(t, only))
		for _, body := range []map[string]any{
			{"documentId": "ben"},
			{"documentId": hashOf(benName)},
			{"documentId": "sha256:" + hashOf(benName)},
			{"extensions": persisted(hashOf(benName))},
			{"query": benName, "extensions": persisted(hashOf(benName))},
			{"query": benName, "documentId": "ben"},
			{"query": benName},
		} {
			w.wantBen(body)
		}
	}
}

func TestTrusted_OnlyRefusesOthers(t *testing.T) {
	const other = `{ user(handle: "cat") { name } }`
	w := newWorld(t, trusting(t, true))
	for code, bodies := range map[string][]map[string]any{
		"FORBIDDEN": {
			{"query": other},
			{"query": other, "extensions": persisted(hashOf(other))},
			{"query": benName + " "},
			{"query": other, "documentId": "ben"},
			{"query": "{ __typename }"},
			{"query": "{"},
		},
		notFound: {{"documentId": "cat"}, {"extensions": persisted(hashOf(other))}},
	} {
		for _, body := range bodies {
			w.wantBen(body, code)
		}
	}
}

// rated gives viewers a budget of 100 a minute, by a clock that does not advance.
func rated(d *resolvers.Deps) {
	d.Guard.Now = func() time.Time { return time.UnixMilli(epoch) }
	d.Guard.Rates = []guard.Rate{{Name: "viewer", Quota: 100, Window: time.Minute, Key: func(ctx context.Context) string {
		if viewer := resolvers.ViewerFrom(ctx); viewer != 0 {
			return viewer.String()
		}
		return ""
	}}}
}

func TestRateLimit_SaysWhenToRetry(t *testing.T) {
	hits := map[string]int{}
	w := newWorld(t, rated, func(d *resolvers.Deps) { d.Trace.LimitHit = func(limit string) { hits[limit]++ } })
	const page = `{"query":"{ viewer { homeFeed { nodes { author { name } } } } }"}`
	for _, left := range []string{"58", "16"} {
		rec := w.sendBody(1, page)
		if got := rec.Header().Get("RateLimit"); rec.Code != http.StatusOK || !strings.HasPrefix(got, `"viewer";r=`+left+`;`) {
			t.Errorf("status %d, RateLimit: %s; want %s left", rec.Code, got, left)
		}
	}
	for _, accept := range []string{"application/json", "application/graphql-response+json"} {
		rec := w.sendBody(1, page, "Accept", accept)
		got := decoded(t, rec)
		if rec.Code != http.StatusTooManyRequests || !cmp.Equal(got.codes(), []string{"RATE_LIMITED"}) || strings.Contains(rec.Body.String(), `"data"`) {
			t.Errorf("the response with 16 of 42 left is %d %s", rec.Code, rec.Body)
		}
		if rec.Header().Get("Retry-After") != "16" || rec.Header().Get("RateLimit-Policy") != `"viewer";q=100;w=60` {
			t.Errorf("the headers are %v", rec.Header())
		}
	}
	wantEqual(t, map[string]int{"viewer": 2}, hits, "the limits that were hit")
	w.must(2, benName, nil)
	w.must(0, benName, nil)
	wantEqual(t, "BEN", w.must(1, benName, nil).at(t, "user.name"), "the result with the rest of the budget")
}

// Refusing requests takes time too.
func TestRateLimit_ChargesRefusedRequests(t *testing.T) {
	for _, query := range []string{"{", nested(16), "{ __schema { queryType { name } } }"} {
		w := newWorld(t, rated)
		for i := range 10 {
			if got := w.ask(1, query, nil); len(got.codes()) != 1 || got.codes()[0] == "RATE_LIMITED" {
				t.Fatalf("refusal %d of %s: %+v", i, query, got)
			}
		}
		w.wantCode("RATE_LIMITED", 1, query, nil)
	}
}

// cost returns extensions.cost.
func cost(t *testing.T, rec *httptest.ResponseRecorder) map[string]int {
	t.Helper()
	var body struct{ Extensions struct{ Cost map[string]int } }
	noError(t, json.Unmarshal(rec.Body.Bytes(), &body))
	return body.Extensions.Cost
}

func TestCost_IsInTheResponse(t *testing.T) {
	const page = `{"query":"{ viewer { homeFeed(first: 3) { nodes { author { name } } } } }"}`
	wantEqual(t, map[string]int{"requested": 8, "limit": 10_000}, cost(t, newWorld(t).sendBody(1, page)), "the cost")
	wantEqual(t, map[string]int{"requested": 8, "limit": 10_000, "remaining": 92}, cost(t, newWorld(t, rated).sendBody(1, page)),
		"with a rate limit")
}

// What the server does not read is charged too.
func TestCost_CountsTheWholeRequest(t *testing.T) {
	w := newWorld(t, rated)
	junk := strings.Repeat("x", 10<<10)
	left := 100
	for what, send := range map[string]func() *httptest.ResponseRecorder{
		"an extension": func() *httptest.ResponseRecorder {
			return w.sendBody(1, `{"query":"{__typename}","extensions":{"x":"`+junk+`"}}`)
		},
		"a parameter": func() *httptest.ResponseRecorder {
			return w.sendBody(1, `{"query":"{__typename}","variables":{"x":"`+junk+`"}}`)
		},
		"a comment": func() *httptest.ResponseRecorder { return w.sendBody(1, `{"query":"{__typename} #`+junk+`"}`) },
		"a header":  func() *httptest.ResponseRecorder { return w.sendBody(1, `{"query":"{__typename}"}`, "X-Junk", junk) },
	} {
		left -= 11
		wantEqual(t, map[string]int{"requested": 1, "limit": 10_000, "remaining": left}, cost(t, send()), "the cost of 10 KiB in %s", what)
	}
}

// stuckTimeline reads nothing until it is let go.
type stuckTimeline struct {
	resolvers.Timeline
	entered chan struct{}
	letGo   chan struct{}
}

func (s stuckTimeline) Page(context.Context, feed.UserID, feed.FeedRef, feed.PageQuery) (*feed.Page, error) {
	s.entered <- struct{}{}
	<-s.letGo
	return &feed.Page{}, nil
}

func TestSlots_BusyServerRefusesOperations(t *testing.T) {
	var hit []string
	stuck := stuckTimeline{entered: make(chan struct{}), letGo: make(chan struct{})}
	w := newWorld(t, func(d *resolvers.Deps) {
		stuck.Timeline = d.Timeline
		d.Timeline = stuck
		d.Guard.OperationsMax = 2
		d.Trace.LimitHit = func(limit string) { hit = append(hit, limit) }
	})
	const page = `{ viewer { homeFeed { nodes { id } } } }`
	var running sync.WaitGroup
	for range 2 {
		running.Go(func() {
			if got := w.ask(1, page, nil); len(got.Errors) > 0 {
				t.Errorf("an operation with a slot returned %+v", got.Errors)
			}
		})
		<-stuck.entered
	}
	rec := w.sendBody(1, `{"query":"{ user(handle: \"ben\") { name } }"}`)
	if got := decoded(t, rec); rec.Code != http.StatusServiceUnavailable || !cmp.Equal(got.codes(), []string{"UNAVAILABLE"}) {
		t.Errorf("the response to a third operation is %d %s", rec.Code, rec.Body)
	}
	if rec.Header().Get("Retry-After") != "1" || strings.Contains(rec.Body.String(), `"data"`) {
		t.Errorf("the response is %s with the header %v", rec.Body, rec.Header())
	}
	wantEqual(t, []string{guard.LimitOperations}, hit, "the limits that were hit")
	close(stuck.letGo)
	running.Wait()
	w.must(1, benName, nil)
}

// failingBudgets are shared budgets whose server does not respond.
type failingBudgets struct{}

func (failingBudgets) Spend(context.Context, string, int, int, time.Duration) (int, time.Duration, error) {
	return 0, 0, errors.New("no response")
}

// newPersistedWorld returns a server whose clients are viewers, and its clock.
func newPersistedWorld(t *testing.T, texts guard.Texts, budgets guard.Budgets) (*world, *time.Time) {
	t.Helper()
	now := time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Texts, d.Guard.Budgets = texts, budgets
		d.Guard.Now = func() time.Time { return now }
		d.Guard.Holder = func(ctx context.Context) string { return resolvers.ViewerFrom(ctx).String() }
	})
	return w, &now
}

// register sends a query with its hash as a viewer.
func (w *world) register(viewer feed.UserID, query string) {
	w.t.Helper()
	body := must(json.Marshal(map[string]any{"query": query, "extensions": persisted(hashOf(query))}))
	wantEqual(w.t, []string(nil), decoded(w.t, w.sendBody(viewer, body)).codes(), "the codes for %.40s", query)
}

// isStored reports whether the server runs a query by its hash alone.
func (w *world) isStored(query string) bool {
	w.t.Helper()
	got := decoded(w.t, w.sendBody(1, must(json.Marshal(map[string]any{"extensions": persisted(hashOf(query))}))))
	return len(got.Errors) == 0
}

// tinyQuery returns the n-th of many different short queries.
func tinyQuery(n int) string { return fmt.Sprintf("{a%d:__typename}", n) }

func TestPersisted_OneClientEvictsNoOther(t *testing.T) {
	for name, budgets := range map[string]guard.Budgets{"budgets of the process": nil, "shared budgets that fail": failingBudgets{}} {
		t.Run(name, func(t *testing.T) {
			w, _ := newPersistedWorld(t, nil, budgets)
			w.register(2, benName)
			for n := range 1100 { // the process keeps 1,000
				w.register(1, tinyQuery(n))
			}
			if !w.isStored(benName) {
				t.Error("the query of another client is evicted")
			}
		})
	}
}

func TestPersisted_QuotaBoundsTheSharedStore(t *testing.T) {
	for name, c := range map[string]struct {
		query func(n int) string
		most  int
	}{
		"tiny texts": {tinyQuery, 126},
		"long texts": {func(n int) string { return tinyQuery(n) + strings.Repeat(" ", 16_000) }, 14},
	} {
		t.Run(name, func(t *testing.T) {
			shared := &sharedTexts{texts: map[string]string{}}
			w, now := newPersistedWorld(t, shared, nil)
			for n := range 200 {
				w.register(1, c.query(n))
			}
			wantEqual(t, c.most, len(shared.texts), "the number of stored texts")
			w.register(2, benName)
			if !w.isStored(benName) {
				t.Error("the query of a client with quota left is not stored")
			}
			*now = now.Add(24 * time.Hour)
			w.register(1, c.query(200))
			if !w.isStored(c.query(200)) {
				t.Error("the query is not stored a day later")
			}
		})
	}
}

func TestPersisted_KnownTextCostsNoQuota(t *testing.T) {
	w, _ := newPersistedWorld(t, nil, nil)
	for range 200 {
		w.register(1, benName)
	}
	w.register(1, tinyQuery(1))
	if !w.isStored(tinyQuery(1)) {
		t.Error("repeating a stored query spends the quota")
	}
}
