package resolvers_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers"
)

const acceptParts = "multipart/mixed;deferSpec=20220824, application/json"

// increment is what a part adds to the data.
type increment struct {
	Data   any
	Path   []any
	Label  string
	Errors []struct {
		Message    string
		Path       []any
		Extensions struct{ Code string }
	}
}

// part is a part of a response, or a response in one part.
type part struct {
	Data        any
	Errors      []any
	Extensions  map[string]any
	Incremental []increment
	HasNext     *bool
}

type fataler interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// parts sends a query for a client that accepts parts.
func (w *world) parts(t fataler, viewer feed.UserID, query string, variables map[string]any) []part {
	t.Helper()
	return readParts(t, query, w.sendBody(viewer, request(query, variables), "Accept", acceptParts))
}

// readParts returns the parts of a response to a query.
func readParts(t fataler, query string, rec *httptest.ResponseRecorder) []part {
	t.Helper()
	kind, attributes, err := mime.ParseMediaType(rec.Header().Get("Content-Type"))
	noError(t, err)
	if kind != "multipart/mixed" {
		return []part{decodePart(t, rec.Body)}
	}
	var parts []part
	for in := multipart.NewReader(rec.Body, attributes["boundary"]); ; {
		p, err := in.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(query, err)
		}
		parts = append(parts, decodePart(t, p))
		if last := parts[len(parts)-1]; last.HasNext == nil {
			t.Fatalf("%s: a part does not say whether there are more: %+v", query, last)
		}
	}
	for i, p := range parts {
		if *p.HasNext != (i < len(parts)-1) {
			t.Fatalf("%s: part %d of %d says %t", query, i, len(parts), *p.HasNext)
		}
	}
	return parts
}

func decodePart(t fataler, from io.Reader) (p part) {
	t.Helper()
	noError(t, json.NewDecoder(from).Decode(&p))
	return p
}

// merged returns the data of all parts. It fails if a part is for an object that is not there, or
// has a field that is already there with another value.
func merged(t fataler, query string, parts []part) (data any, failures int) {
	t.Helper()
	data = parts[0].Data
	failures = len(parts[0].Errors)
	for _, p := range parts[1:] {
		for _, in := range p.Incremental {
			failures += len(in.Errors)
			into, ok := follow(data, in.Path).(map[string]any)
			if !ok {
				t.Fatalf("%s: a part is for no object: %v in %v", query, in.Path, data)
			}
			if in.Data != nil {
				merge(t, query, into, in.Data.(map[string]any))
			}
		}
	}
	return data, failures
}

func follow(value any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			object, _ := value.(map[string]any)
			value = object[step]
		case float64:
			list, _ := value.([]any)
			if int(step) >= len(list) {
				return nil
			}
			value = list[int(step)]
		}
	}
	return value
}

func merge(t fataler, query string, into, from map[string]any) {
	t.Helper()
	for name, value := range from {
		known, given := into[name]
		if given && !cmp.Equal(known, value) {
			t.Fatalf("%s: a part changes %s from %v to %v", query, name, known, value)
		}
		into[name] = value
	}
}

func TestHomeFeed_LoadsNoSkippedAuthors(t *testing.T) {
	w := oddWorld(t, func([]feed.UserID, []*feed.User) error { return errors.New("no authors today") })
	const query = `query($yes: Boolean!) { viewer { homeFeed(first: 1) { edges { node { __typename ... @skip(if: $yes) { author { name } } } } } } }`
	for yes, want := range map[bool]int{true: 0, false: 1} {
		if _, errs := execute(t, w.handler, query, map[string]any{"yes": yes}); len(errs) != want {
			t.Errorf("with %v the errors are %v, want %d", yes, errs, want)
		}
	}
}

// With or without failures, the parts of every document add up to the response in one part.
func TestDefer_PartsAddUpToTheWhole(t *testing.T) {
	for name, fault := range map[string]func(ids []feed.UserID, users []*feed.User) error{
		"healthy":              func([]feed.UserID, []*feed.User) error { return nil },
		"an author is missing": without(2),
		"authors fail":         func([]feed.UserID, []*feed.User) error { return errors.New("no authors today") },
	} {
		t.Run(name, func(t *testing.T) {
			w := oddWorld(t, fault)
			several := 0
			rapid.Check(t, func(t *rapid.T) {
				d := documents{t: t, schema: graph.LoadSchema(), arguments: arguments, deferring: true}
				query := d.draw(pages)
				for range 2 { // the second time the document is known
					variables := d.variables()
					whole, errs := execute(t, w.handler, query, variables)
					parts := w.parts(t, 1, query, variables)
					several += min(len(parts)-1, 1)
					got, failures := merged(t, query, parts)
					if len(errs) > 0 != (failures > 0) {
						t.Fatalf("%s\nwith %v has %d errors in parts, and in one %v", query, variables, failures, errs)
					}
					if failures > 0 {
						continue // a null stays in its part
					}
					var want any
					noError(t, json.Unmarshal([]byte(whole), &want))
					if diff := cmp.Diff(want, got); diff != "" {
						t.Fatalf("%s\nwith %v (-whole +parts):\n%s", query, variables, diff)
					}
				}
			})
			if several == 0 {
				t.Error("no response has several parts")
			}
		})
	}
}

const deferredHome = `{ viewer { homeFeed(first: 3) { nodes { id ...Author @defer(label: "author") ... @defer(label: "counters") { counters { likes } } } } } }
	fragment Author on Post { author { handle } }`

// The first part waits for nothing that is deferred, and the reads of all entries are batched.
func TestDefer_ReadsLaterAndTogether(t *testing.T) {
	w := newWorld(t)
	for id := range 3 {
		w.post(feed.PostID(id+1), 1)
	}
	w.reads.take()
	parts := w.parts(t, 1, deferredHome, nil)
	wantEqual(t, value(`{"viewer":{"homeFeed":{"nodes":[{"id":%q},{"id":%q},{"id":%q}]}}}`, postID(3), postID(2), postID(1)), parts[0].Data, "the first part")
	var labels [][]string
	for _, p := range parts[1:] {
		var ofPart []string
		for _, in := range p.Incremental {
			ofPart = append(ofPart, in.Label)
		}
		labels = append(labels, ofPart)
	}
	slices.SortFunc(labels, slices.Compare)
	wantEqual(t, [][]string{{"author", "author", "author"}, {"counters", "counters", "counters"}}, labels, "the labels of each part")
	wantEqual(t, map[string]int{"users": 1, "post counters": 1}, w.reads.take(), "bulk reads")
}

func TestDefer_NeedsAClientThatAcceptsParts(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	if got := w.must(1, deferredHome, nil); got.at(t, "viewer.homeFeed.nodes.0.author.handle") != "ann" || got.at(t, "viewer.homeFeed.nodes.0.counters.likes") == nil {
		t.Errorf("the response in one part has %v", got.Data)
	}
	mutation := `mutation { publishPost(input: {text: "x"}) { post { text ... @defer { author { handle } } } } }`
	parts := w.parts(t, 1, mutation, nil)
	if author := follow(parts[0].Data, []any{"publishPost", "post", "author", "handle"}); len(parts) != 1 || author != "ann" {
		t.Errorf("a mutation returns %+v", parts)
	}
	if parts := w.parts(t, 1, `{ viewer { user { id } } }`, nil); len(parts) != 1 || parts[0].HasNext != nil {
		t.Errorf("a query without @defer returns %+v", parts)
	}
}

func TestDefer_RefusesBadLabels(t *testing.T) {
	w := newWorld(t)
	for _, query := range []string{
		`query($l: String) { viewer { ... @defer(label: $l) { user { id } } } }`,
		`{ viewer { ... @defer(label: "a") { user { id } } ... @defer(label: "a") { user { id } } } }`,
		`{ viewer { ... @defer(label: "` + strings.Repeat("a", 129) + `") { user { id } } } }`,
		`{ viewer { user @defer { id } } }`,
	} {
		w.wantCode("GRAPHQL_VALIDATION_FAILED", 1, query, nil)
	}
}

// An error makes the object null, of which a fragment was deferred: the client must not get it.
func TestDefer_DropsPartsOfNullObjects(t *testing.T) {
	w := oddWorld(t, func([]feed.UserID, []*feed.User) error { return errors.New("no authors today") })
	parts := w.parts(t, 1, `{ viewer { homeFeed(first: 2) { nodes { author { id } ... @defer { counters { likes } } } } user { ... @defer { counters { posts } } } } }`, nil)
	if len(parts[0].Errors) == 0 {
		t.Fatalf("nothing failed: %+v", parts)
	}
	for _, p := range parts[1:] {
		for _, in := range p.Incremental {
			if len(in.Path) > 2 {
				t.Errorf("a part is for %v", in.Path)
			}
		}
	}
	merged(t, "the failed page", parts)
}

// Each deferred fragment costs 1 in each object, and at most 50 are allowed.
func TestDefer_CostsWhatItSends(t *testing.T) {
	w := newWorld(t)
	for fragment, want := range map[string]float64{"...": 22, "... @defer": 32} {
		parts := w.parts(t, 1, `{ viewer { homeFeed(first: 10) { nodes { id `+fragment+` { author { id } } } } } }`, nil)
		cost, _ := parts[0].Extensions["cost"].(map[string]any)
		wantEqual(t, want, cost["requested"], "the cost of a page of ten with %s", fragment)
	}
	thousand := `{ viewer { ` + strings.Repeat(`... @defer { user { id } } `, 200) + ` } }`
	lists := `{ viewer { homeFeed(first: 100) { nodes { comments(first: 100) { nodes { ... @defer { author { id } } } } } } } }`
	for _, query := range []string{thousand, lists} {
		w.wantCode(tooComplex, 1, query, nil)
	}
}

// Labels, paths and errors count too.
func TestDefer_BoundsAllPartsTogether(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		d.Guard.Limits = guard.DefaultLimits()
		d.Guard.Limits.Cost, d.Guard.Limits.Aliases = guard.MaxCount, 1000
	})
	w.post(1, 1, func(p *feed.Post) { p.Text = strings.Repeat("x", 40<<10) })
	var query strings.Builder
	query.WriteString(`{ viewer { homeFeed(first: 1) { nodes { ... @defer { author { id } `)
	for i := range 110 {
		fmt.Fprintf(&query, `a%d: author { posts(first: 1) { nodes { text } } } `, i)
	}
	query.WriteString(`} } } } }`)
	parts := w.parts(t, 1, query.String(), nil)
	last := parts[len(parts)-1].Incremental
	if len(parts) != 2 || len(last) != 1 || last[0].Data != nil || len(last[0].Errors) != 1 || last[0].Errors[0].Extensions.Code != tooComplex {
		t.Errorf("%d parts end with %.300s", len(parts), fmt.Sprint(last))
	}
}

// An operation is reported once, with the first error of all its parts.
func TestDefer_IsOneOperation(t *testing.T) {
	w, operations, _ := traced(t)
	w.post(1, 1)
	w.parts(t, 1, deferredHome, nil)
	bad := `query Late { viewer { user { ... @defer { posts(first: 1, after: "x") { nodes { id } } } } } }`
	if parts := w.parts(t, 1, bad, nil); len(parts) != 2 || parts[1].Incremental[0].Errors[0].Extensions.Code != string(feed.CodeBadCursor) {
		t.Errorf("%+v", parts)
	}
	var codes []string
	for _, o := range *operations {
		codes = append(codes, o.Kind+" "+o.Code)
	}
	wantEqual(t, []string{"query ", "query BAD_CURSOR"}, codes, "the operations")
}
