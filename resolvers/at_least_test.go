package resolvers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// far are positions of which those of source "known" are reached.
type far struct{ err error }

func (f far) Reach(_ context.Context, need feed.AtLeast) error {
	if len(need.Sources) == 0 || need.Sources[0].Source == "known" {
		return nil
	}
	return f.err
}

func (f far) AsOf(context.Context) (positions.AsOf, error) {
	return positions.AsOf{Commit: feed.CommitPlace{Epoch: 7, Number: 9}, SourceStates: feed.SourceStates{
		Now: 3000,
		Positions: []feed.SourcePosition{
			{Source: "orders", Partition: "0", Identity: "secret", Position: "5", MovedAt: 1000, CurrentAt: 2900, Waiting: 7},
			{Source: "orders", Partition: "1", Identity: "secret", Position: "6", MovedAt: 1000, Waiting: -1},
		},
		DeadLetters: []feed.DeadLetterCount{{Source: "orders", Letters: 3}},
	}}, f.err
}

func TestAsOf_IsForServicesAndAdministrators(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Positions = far{} })
	const want = `"asOf":{"token":"AQsAAAAAAAAABwAAAAAAAAAJ","positions":[{"source":"orders","partition":"0","position":"5",` +
		`"movedAt":"1970-01-01T00:00:01Z","lagMs":100,"lagMessages":7},{"source":"orders","partition":"1","position":"6",` +
		`"movedAt":"1970-01-01T00:00:01Z","lagMs":null,"lagMessages":null}],"deadLetters":[{"source":"orders","count":3}]}`
	for name, c := range map[string]struct {
		service, admin, value string
		codes                 []string
		shown                 bool
	}{
		"a service":        {"content", "", "1", nil, true},
		"an administrator": {"", "yes", "1", nil, true},
		"a user":           {"", "", "1", []string{"FORBIDDEN"}, false},
		"no request":       {"content", "", "0", nil, false},
	} {
		for _, document := range []string{"{ viewer { user { name } } }", `mutation { followUser(input: {userId: "` + userID(2) + `"}) { user { name } } }`} {
			got := w.sendBody(1, request(document, nil), transport.AsOfHeader, c.value, "X-Service", c.service, "X-Admin", c.admin)
			diff := cmp.Diff(c.codes, decoded(t, got).codes())
			if diff != "" || strings.Contains(got.Body.String(), want) != c.shown || !c.shown && strings.Contains(got.Body.String(), "asOf") {
				t.Errorf("%s: %s", name, got.Body)
			}
		}
	}
}

// askAtLeast sends a document of a service that acts for viewer 1 with a position and, if it is not empty, a mode.
func (w *world) askAtLeast(document, position, mode string) *httptest.ResponseRecorder {
	return w.sendBody(1, request(document, nil), "X-Service", "content", "Accept", mediaResponse, transport.AtLeastHeader, position, transport.AtLeastModeHeader, mode)
}

func TestAtLeast_RefusesWhatIsNotReached(t *testing.T) {
	stale := feed.Errorf(feed.CodeStale, "not yet")
	w := newWorld(t, func(d *resolvers.Deps) { d.Positions = far{stale} })
	const query = "{ viewer { homeFeed { nodes { text } } } }"
	for name, c := range map[string]struct {
		document, position, mode string
		status                   int
		codes                    []string
	}{
		"reached":        {query, "known/0:1", "", 200, nil},
		"not reached":    {query, "late/0:1", "", 412, []string{"STALE"}},
		"the best":       {query, "late/0:1", "best", 200, nil},
		"another mode":   {query, "known/0:1", "worst", 400, []string{"BAD_USER_INPUT"}},
		"no position":    {query, "known", "", 400, []string{"BAD_USER_INPUT"}},
		"a stale write":  {`mutation { publishPost(input: {text: "a"}) { post { id } } }`, "late/0:1", "", 412, []string{"STALE"}},
		"a subscription": {"subscription { homeFeedEdges { cursor } }", "known/0:1", "", 406, []string{"BAD_USER_INPUT"}},
	} {
		got := w.askAtLeast(c.document, c.position, c.mode)
		wantEqual(t, c.codes, decoded(t, got).codes(), "%s: the codes", name)
		wantEqual(t, c.status, got.Code, "%s: the status", name)
	}
	wantEqual(t, []any{}, any(w.postedTexts()), "what the refused mutation published")
}

// Commits are known to everyone who writes, positions of sources to services.
func TestAtLeast_PositionsAreForServices(t *testing.T) {
	commit := feed.CommitPlace{Epoch: 7, Number: 9}.String()
	w := newWorld(t, func(d *resolvers.Deps) { d.Positions = far{} })
	for _, c := range []struct {
		viewer                   feed.UserID
		service, admin, position string
		codes                    []string
	}{
		{0, "", "", "known/0:1", []string{"FORBIDDEN"}},
		{1, "", "", "known/0:1", []string{"FORBIDDEN"}},
		{1, "", "", commit + ", known/0:1", []string{"FORBIDDEN"}},
		{1, "", "", commit, nil},
		{0, "", "", commit, nil},
		{1, "", "yes", "known/0:1", nil},
		{0, "content", "", "known/0:1", nil},
	} {
		got := w.sendBody(c.viewer, request(`{ user(handle: "ann") { name } }`, nil), "X-Service", c.service, "X-Admin", c.admin, transport.AtLeastHeader, c.position)
		wantEqual(t, c.codes, decoded(t, got).codes(), "viewer %d, service %q, %s", c.viewer, c.service, c.position)
	}
}

func TestAtLeast_BestReportsOtherErrors(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Positions = far{feed.Unavailable("the database", nil)} })
	got := w.askAtLeast("{ viewer { user { name } } }", "late/0:1", "best")
	wantEqual(t, []string{"UNAVAILABLE"}, decoded(t, got).codes(), "the codes with status %d", got.Code)
	wantEqual(t, 503, got.Code, "the status")
}

// freshness counts fresh reads of pages and authors.
type freshness struct {
	resolvers.Timeline
	loaders.Authors
	pages, authors int
}

func (f *freshness) Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	if feed.ReadsFresh(ctx) {
		f.pages++
	}
	return f.Timeline.Page(ctx, viewer, ref, q)
}

type freshAuthors struct{ *freshness }

func (f freshAuthors) Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	if feed.ReadsFresh(ctx) {
		f.authors++
	}
	return f.freshness.Authors.Authors(ctx, viewer, ids)
}

func TestAtLeast_ReadsAreFresh(t *testing.T) {
	var f *freshness
	w := newWorld(t, func(d *resolvers.Deps) {
		f = &freshness{Timeline: d.Timeline, Authors: d.Users}
		d.Positions, d.Timeline, d.Users = far{}, f, freshAuthors{f}
	})
	w.post(1, 1)
	for _, plain := range []bool{false, true} {
		w.deps.Plain = plain
		w.handler = signedIn(resolvers.NewHandler(w.deps))
		f.pages, f.authors = 0, 0
		w.askAtLeast("{ viewer { homeFeed { nodes { text author { name } } } } }", "known/0:1", "")
		wantEqual(t, []int{1, 1}, []int{f.pages, f.authors}, "the fresh reads of pages and of authors")
	}
}

func TestAtLeast_IsNotCached(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Positions = far{} })
	r := httptest.NewRequest(http.MethodGet, "/graphql?query={user(handle:%22ann%22){name}}", nil)
	if got := w.send(r).Header(); got.Get("ETag") == "" || !strings.Contains(strings.Join(got.Values("Vary"), ","), transport.AtLeastHeader) {
		t.Errorf("without a position: %v", got)
	}
	r.Header.Set("X-Service", "content")
	r.Header.Set(transport.AtLeastHeader, "known/0:1")
	got := w.send(r).Header()
	wantEqual(t, []string{"", "no-store"}, []string{got.Get("ETag"), got.Get("Cache-Control")}, "the headers with a position")
}
