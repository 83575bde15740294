package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
	"github.com/tideline-feeds/tideline/resolvers"
)

// epoch is the base of publication times: post n is published n seconds later.
const epoch = 1777896000000

// world is the whole API over stores in memory.
type world struct {
	t             *testing.T
	store         *sqlstore.Store
	deps          resolvers.Deps
	viewers       *timeline.Direct
	follower      *changes.Follower
	subscriptions *subscribe.Subscriptions
	reads         *reads
	log           *bytes.Buffer
	handler       http.Handler
	// now is the time at which live sessions change.
	now int64
}

// newWorld returns an API with the users Ann (1), Ben (2), Cat (3) and Dan (4). The edits
// replace services or options.
func newWorld(t *testing.T, edits ...func(*resolvers.Deps)) *world {
	clock := func() time.Time { return time.UnixMilli(epoch + 3_600_000) }
	w := &world{t: t, store: sqlitetest.New(t, clock), reads: &reads{}, log: &bytes.Buffer{}, now: epoch + 3_600_000}
	policy := feed.DefaultPolicy()
	directory := &people.Directory{
		UserStore: w.store, Primary: w.store, Fresh: true, Relations: w.store, Relater: w.store, Profiles: w.store, Requests: w.store, Policy: policy,
	}
	keeper := &people.Lists{Lists: w.store, Reader: w.store, Directory: directory, NewID: feed.NewPostIDs(clock, nil), Clock: clock, Policy: policy}
	inboxes := sqlstore.NewInboxes(w.store, policy.InboxCap)
	viewers := &timeline.Direct{Inboxes: inboxes, Relations: w.store, Outboxes: w.store, Posts: w.store, Primary: w.store}
	reads := &timeline.Timeline{
		Viewers: viewers, Inboxes: inboxes, Outboxes: w.store, Reference: w.store, Specials: w.store, Pending: w.store,
		Places: places{w.store}, Queue: noQueue{}, Policy: policy,
	}
	reader := &delta.Reader{Log: w.store, Viewers: viewers, Relations: w.store, Coverage: w.store, Outboxes: w.store, Audiences: w.store, Policy: policy}
	w.follower = &changes.Follower{Log: w.store, Cache: noEvictor{}}
	w.subscriptions = &subscribe.Subscriptions{
		Changes: reader, Viewers: viewers, Places: w.follower, Audience: w.store, Policy: policy, Async: func(do func()) { do() },
	}
	w.follower.Observe(w.subscriptions)
	w.deps = resolvers.Deps{
		Timeline:  countedTimeline{&lists.Feeds{Home: reads, Changes: reader, Lists: w.store}, w.reads},
		Directory: countedDirectory{directory, w.reads},
		Requests:  countedRequests{directory, w.reads},
		Publisher: &publish.Publisher{
			Posts: w.store, Counters: w.store, Viewers: viewers, Queue: noQueue{}, Evictor: noEvictor{},
			NewID: feed.NewPostIDs(clock, nil), Clock: clock, Policy: policy,
		},
		Follower: &people.Follower{Follows: w.store, Requests: w.store, Directory: directory, Clock: clock, Policy: policy},
		Lists:    keeper, ListKeeper: keeper,
		Relater:   &people.Relations{Relater: w.store, Directory: directory, Clock: clock},
		Moderator: &people.Moderator{Moderation: w.store, Posts: w.store, Evictor: noEvictor{}, Clock: clock, Policy: policy},
		Accounts: &people.Accounts{
			Users: w.store, Profiles: w.store, Inboxes: inboxes, Evictor: noEvictor{}, Clock: clock, Policy: policy,
		},
		ReadPositions: &delta.Positions{Store: w.store, Changes: reader},
		Subscriptions: w.subscriptions,

		Users:     countedUsers{w.store, w.reads},
		Counters:  countedCounters{w.store, w.reads},
		Relations: countedRelations{w.store, w.reads},
		Sanctions: w.store,
		Log:       slog.New(slog.NewTextHandler(w.log, nil)),
	}
	w.deps.Live, w.deps.Hosting = newLive(w.store, policy, func() time.Time { return time.UnixMilli(w.now) })
	w.subscriptions.LiveChanges = newLiveChanges(w.store, policy)
	w.deps.LiveChanges = w.subscriptions.LiveChanges
	for _, change := range edits {
		change(&w.deps)
	}
	w.viewers, w.handler = viewers, signedIn(resolvers.NewHandler(w.deps))
	for i, handle := range []string{"ann", "ben", "cat", "dan"} {
		w.user(feed.UserID(i+1), handle)
	}
	return w
}

// signedIn is a sign-in that believes the headers.
func signedIn(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.Header.Get("X-Viewer"), 10, 64)
		ctx := resolvers.WithService(r.Context(), r.Header.Get("X-Service"), feed.UserID(id))
		for header, role := range map[string]model.Role{"X-Admin": model.RoleAdmin, "X-Moderator": model.RoleModerator} {
			if r.Header.Get(header) != "" {
				ctx = resolvers.WithRole(ctx, feed.UserID(id), role)
			}
		}
		origin := resolvers.Origin{Address: r.Header.Get("X-Address"), RequestID: r.Header.Get("X-Request")}
		if origin.RequestID == "" {
			origin.RequestID = "request-1"
		}
		next.ServeHTTP(rw, r.WithContext(resolvers.WithOrigin(ctx, origin)))
	})
}

// keepPosts reads each post once. Tests of the cost of a response do not measure that of reading.
func (w *world) keepPosts() {
	w.viewers.Posts = &keptPosts{from: w.viewers.Posts, kept: map[feed.PostID]*feed.Post{}}
}

type keptPosts struct {
	from feed.Posts
	mu   sync.Mutex
	kept map[feed.PostID]*feed.Post
}

func (k *keptPosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	posts := make([]*feed.Post, len(ids))
	for i, id := range ids {
		if k.kept[id] == nil {
			read, err := k.from.Posts(ctx, []feed.PostID{id})
			if err != nil {
				return nil, err
			}
			k.kept[id] = read[0]
		}
		posts[i] = k.kept[id]
	}
	return posts, nil
}

// places is the end of a change log, because nothing is cached.
type places struct{ feed.ChangeLog }

func (p places) Place(ctx context.Context) (feed.ChangePlace, error) { return p.LastChange(ctx) }

type noEvictor struct{}

func (noEvictor) Evict([]feed.PostID, []feed.UserID) {}
func (noEvictor) Purge()                             {}

func (w *world) user(id feed.UserID, handle string) {
	w.t.Helper()
	u := &feed.User{ID: id, Handle: handle, Name: strings.ToUpper(handle), CreatedAt: epoch}
	_, err := w.store.EnsureUser(context.Background(), u)
	noError(w.t, err)
}

func (w *world) follow(follower, followee feed.UserID) {
	w.t.Helper()
	noError(w.t, w.store.Follow(context.Background(), follower, followee, epoch, 100, feed.FollowChoice{}))
}

// post stores a post of an author, with changes.
func (w *world) post(id feed.PostID, author feed.UserID, changes ...func(*feed.Post)) {
	w.t.Helper()
	p := &feed.Post{
		ID: id, Author: author, Kind: feed.KindPost, Text: fmt.Sprintf("text %d", id),
		PublishedAt: epoch + int64(id)*1000,
	}
	for _, change := range changes {
		change(p)
	}
	_, err := w.store.Publish(context.Background(), p, feed.Idempotency{}, feed.FirstDispatch{})
	noError(w.t, err)
}

func replyTo(id feed.PostID) func(*feed.Post) {
	return func(p *feed.Post) { p.Kind, p.ReplyTo = feed.KindComment, id }
}

func repostOf(id feed.PostID) func(*feed.Post) {
	return func(p *feed.Post) { p.Kind, p.RepostOf = feed.KindRepost, id }
}

// mutate makes a change of viewer, which must not be refused.
func (w *world) mutate(viewer feed.UserID, mutation, input string) {
	w.t.Helper()
	got := w.must(viewer, `mutation { `+mutation+`(input: {`+input+`}) { userErrors { code message } } }`, nil)
	wantEqual(w.t, []any{}, got.at(w.t, mutation+".userErrors"), "the refusals of %s", mutation)
}

// relate makes user mute, hide from, or block target.
func (w *world) relate(kind feed.RelationKind, user, target feed.UserID) {
	w.t.Helper()
	noError(w.t, w.store.Relate(context.Background(), feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: epoch}))
}

// result is a response, decoded.
type result struct {
	Data   map[string]any
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct{ Code, RequestID string }
	}
}

// codes returns the codes of the errors, in their order.
func (r result) codes() []string {
	var codes []string
	for _, e := range r.Errors {
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// at returns the value at a path of field names and indexes.
func (r result) at(t *testing.T, path string) any {
	t.Helper()
	var v any = r.Data
	for _, step := range strings.Split(path, ".") {
		switch inner := v.(type) {
		case map[string]any:
			v = inner[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(inner) {
				t.Fatalf("there is no value at %s in %v", path, r.Data)
			}
			v = inner[i]
		default:
			t.Fatalf("there is no value at %s in %v", path, r.Data)
		}
	}
	return v
}

// ask sends a document with variables as viewer; 0 is anonymous.
func (w *world) ask(viewer feed.UserID, query string, variables map[string]any) result {
	w.t.Helper()
	return decoded(w.t, w.sendBody(viewer, request(query, variables)))
}

// wantCode sends a document as viewer, which must fail with one error of a code.
func (w *world) wantCode(code string, viewer feed.UserID, query string, variables map[string]any) {
	w.t.Helper()
	if got := w.ask(viewer, query, variables); !cmp.Equal(got.codes(), []string{code}) {
		w.t.Errorf("%.100s by viewer %d returns %+v, want %s", query, viewer, got, code)
	}
}

// request renders a request.
func request(query string, variables map[string]any) string {
	return must(json.Marshal(map[string]any{"query": query, "variables": variables}))
}

func must(b []byte, err error) string {
	if err != nil {
		panic(err)
	}
	return string(b)
}

// bodyRequest returns a request of viewer. headers are names and values in turn; an empty value
// leaves the header out.
func bodyRequest(ctx context.Context, viewer feed.UserID, body string, headers ...string) *http.Request {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/graphql", strings.NewReader(body))
	for i, headers := 0, append([]string{"Content-Type", "application/json", "X-Viewer", viewer.String()}, headers...); i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		}
	}
	return r
}

// sendBody sends the same to the handler.
func (w *world) sendBody(viewer feed.UserID, body string, headers ...string) *httptest.ResponseRecorder {
	return w.send(bodyRequest(context.Background(), viewer, body, headers...))
}

// get sends a request with parameters as viewer 1.
func (w *world) get(parameters url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "/graphql?"+parameters.Encode(), nil)
	r.Header.Set("X-Viewer", "1")
	return w.send(r)
}

// value returns a value as a result has it, of JSON.
func value(format string, args ...any) any {
	var v any
	if err := json.Unmarshal(fmt.Appendf(nil, format, args...), &v); err != nil {
		panic(err)
	}
	return v
}

// noError ends a test that cannot go on.
func noError(t fataler, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantEqual compares what a test got; the format says what it is.
func wantEqual(t *testing.T, want, got any, format string, args ...any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", fmt.Sprintf(format, args...), diff)
	}
}

// must does the same and fails the test on errors.
func (w *world) must(viewer feed.UserID, query string, variables map[string]any) result {
	w.t.Helper()
	got := w.ask(viewer, query, variables)
	if len(got.Errors) > 0 {
		w.t.Fatalf("%s\nreturned errors: %+v", query, got.Errors)
	}
	return got
}

func (w *world) send(r *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	w.handler.ServeHTTP(rec, r)
	return rec
}

func decoded(t *testing.T, rec *httptest.ResponseRecorder) result {
	t.Helper()
	var got result
	if err := json.Unmarshal(rec.Body.Bytes(), &got); err != nil {
		t.Fatalf("the response is not JSON: %v\n%s", err, rec.Body)
	}
	for _, e := range got.Errors {
		if entry, known := apierror.Find(feed.Code(e.Extensions.Code)); !known || !entry.InErrors {
			t.Errorf("the catalogue of errors lacks the code %q", e.Extensions.Code)
		}
		if e.Extensions.RequestID == "" {
			t.Errorf("the error %+v lacks the id of its request", e)
		}
	}
	return got
}

// texts returns one field of every element of a list.
func texts(t *testing.T, list any, field string) []string {
	t.Helper()
	var out []string
	for _, e := range list.([]any) {
		out = append(out, e.(map[string]any)[field].(string))
	}
	return out
}

func postID(id feed.PostID) string { return model.PostGlobalID(feed.PublicPostID{Number: int64(id)}) }

func userID(id feed.UserID) string { return model.UserGlobalID(feed.PublicUserID{Number: int64(id)}) }

// reads counts bulk reads by kind.
type reads struct {
	mu    sync.Mutex
	count map[string]int
}

func (r *reads) note(kind string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.count == nil {
		r.count = map[string]int{}
	}
	r.count[kind]++
}

// take returns the counts since it was last called.
func (r *reads) take() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	count := r.count
	r.count = nil
	return count
}

type countedTimeline struct {
	resolvers.Timeline
	reads *reads
}

func (c countedTimeline) Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error) {
	c.reads.note("posts")
	return c.Timeline.Posts(ctx, viewer, ids)
}

func (c countedTimeline) Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	c.reads.note("pages")
	return c.Timeline.Pages(ctx, viewer, requests)
}

type countedDirectory struct {
	resolvers.Directory
	reads *reads
}

func (c countedDirectory) Users(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	c.reads.note("profiles")
	return c.Directory.Users(ctx, viewer, ids)
}

type countedUsers struct {
	*sqlstore.Store
	reads *reads
}

func (c countedUsers) Authors(ctx context.Context, _ feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	c.reads.note("users")
	return c.Users(ctx, ids)
}

type countedCounters struct {
	feed.Counters
	reads *reads
}

func (c countedCounters) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	c.reads.note("post counters")
	return c.Counters.PostCounters(ctx, ids)
}

func (c countedCounters) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	c.reads.note("user counters")
	return c.Counters.UserCounters(ctx, ids)
}

func (c countedCounters) Reactions(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	c.reads.note("reactions")
	return c.Counters.Reactions(ctx, viewer, ids)
}

type countedRelations struct {
	feed.Relations
	reads *reads
}

func (c countedRelations) Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	c.reads.note("edges")
	return c.Relations.Edges(ctx, viewer, others)
}

type countedRequests struct {
	*people.Directory
	reads *reads
}

func (c countedRequests) FollowRequested(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]bool, error) {
	c.reads.note("requests")
	return c.Directory.FollowRequested(ctx, viewer, others)
}

// TestMain fails if an operation leaves a goroutine behind.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// Databases stay open for further tests.
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"), goleak.IgnoreTopFunction("github.com/tideline-feeds/tideline/internal/testenv/sqlitetest.openAll"))
}
