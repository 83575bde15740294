package resolvers_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

const markDocument = `mutation($cursor: String!, $token: String!, $device: String) {
	markHomeRead(input: {cursor: $cursor, syncToken: $token, device: $device, clientMutationId: "m"}) {
		readPosition { cursor syncToken at unread } userErrors { code field } clientMutationId
	}
}`

const positionDocument = `query($device: String) { viewer { readPosition(device: $device) { cursor syncToken at unread } } }`

// homeReader is viewer 1 (Ann), who follows Ben and has read the first page.
type homeReader struct {
	*world
	cursor, token string
}

func newHomeReader(t *testing.T, edits ...func(*world)) homeReader {
	r := homeReader{world: newWorld(t)}
	for _, edit := range edits {
		edit(r.world)
	}
	r.follow(1, 2)
	r.post(1, 2)
	r.readPage()
	return r
}

// readPage reads the first page, and keeps its newest cursor and token.
func (r *homeReader) readPage() {
	r.t.Helper()
	page := r.must(1, `{ viewer { homeFeed { syncToken edges { cursor } } } }`, nil)
	r.cursor, r.token = page.at(r.t, "viewer.homeFeed.edges.0.cursor").(string), page.at(r.t, "viewer.homeFeed.syncToken").(string)
}

func (r *homeReader) variables(device any) variables {
	return variables{"cursor": r.cursor, "token": r.token, "device": device}
}

// arrive publishes a post and ends its fan-out.
func (r *homeReader) arrive(id feed.PostID, author feed.UserID, changes ...func(*feed.Post)) {
	r.t.Helper()
	r.post(id, author, changes...)
	_, err := r.store.StorePlan(r.t.Context(), feed.Plan{Post: id, Author: author}, epoch)
	noError(r.t, err)
}

func TestReadPosition_TellsWhereTheViewerStopped(t *testing.T) {
	r := newHomeReader(t)
	wantEqual(t, nil, r.must(1, positionDocument, nil).at(t, "viewer.readPosition"), "the position before the first mark")
	position := func(unread any, at string) any {
		return map[string]any{"cursor": r.cursor, "syncToken": r.token, "at": at, "unread": unread}
	}
	marked := r.must(1, markDocument, r.variables(nil))
	wantEqual(t, any(map[string]any{
		"readPosition": position(0.0, "2026-05-04T13:00:00.000Z"), "userErrors": []any{}, "clientMutationId": "m",
	}), marked.at(t, "markHomeRead"), "the payload")
	r.arrive(3, 2)
	r.arrive(4, 1)
	r.arrive(5, 2, func(p *feed.Post) { p.PublishedAt = epoch })
	for _, device := range []any{nil, ""} {
		got := r.must(1, positionDocument, variables{"device": device}).at(t, "viewer.readPosition")
		wantEqual(t, position(2.0, "2026-05-04T13:00:00.000Z"), got, "the position, without the viewer's own post")
	}
	wantEqual(t, nil, r.must(1, positionDocument, variables{"device": "phone"}).at(t, "viewer.readPosition"), "that of a device")
	noError(t, r.store.Delete(t.Context(), 1, epoch+5000))
	below := r.must(1, `query($c: String!) { viewer { below: homeFeed(after: $c) { nodes { text } } above: homeFeed(before: $c, last: 9) { nodes { text } } } }`, variables{"c": r.cursor})
	wantEqual(t, []string{"text 5"}, texts(t, below.at(t, "viewer.below.nodes"), "text"), "what is below the position of a deleted post")
	wantEqual(t, []string{"text 4", "text 3"}, texts(t, below.at(t, "viewer.above.nodes"), "text"), "what is above it")

	noError(t, r.store.NewEpoch(t.Context()))
	wantEqual(t, position(nil, "2026-05-04T13:00:00.000Z"), r.must(1, positionDocument, nil).at(t, "viewer.readPosition"), "the position after a reset")
	r.readPage()
	r.must(1, markDocument, r.variables(nil))
	wantEqual(t, position(0.0, "2026-05-04T13:00:00.001Z"), r.must(1, positionDocument, nil).at(t, "viewer.readPosition"), "the position after the next mark")
}

func TestReadPosition_IsOfOneViewer(t *testing.T) {
	r := newHomeReader(t)
	r.must(1, markDocument, r.variables("phone"))
	asService := func(viewer feed.UserID, document string, v variables) result {
		return decoded(t, r.sendBody(viewer, request(document, v), "X-Service", "mail"))
	}
	for name, got := range map[string]any{
		"another viewer":                r.must(2, positionDocument, variables{"device": "phone"}).at(t, "viewer.readPosition"),
		"the anonymous viewer":          r.must(0, positionDocument, variables{"device": "phone"}).at(t, "viewer"),
		"a service without a user":      asService(0, positionDocument, variables{"device": "phone"}).at(t, "viewer"),
		"a service for another user":    asService(2, positionDocument, variables{"device": "phone"}).at(t, "viewer.readPosition"),
		"the viewer on another device":  r.must(1, positionDocument, variables{"device": "laptop"}).at(t, "viewer.readPosition"),
		"the viewer without one's name": r.must(1, positionDocument, nil).at(t, "viewer.readPosition"),
	} {
		wantEqual(t, nil, got, "what %s gets", name)
	}
	got := asService(1, positionDocument, variables{"device": "phone"}).at(t, "viewer.readPosition.cursor")
	wantEqual(t, any(r.cursor), got, "what a service for the viewer gets")
	wantEqual(t, any([]any{}), asService(1, markDocument, r.variables("watch")).at(t, "markHomeRead.userErrors"), "the refusals of a service's mark for the viewer")
	wantEqual(t, any(r.cursor), r.must(1, positionDocument, variables{"device": "watch"}).at(t, "viewer.readPosition.cursor"), "the position that it stored")
	wantEqual(t, []string{"UNAUTHENTICATED"}, asService(0, markDocument, r.variables(nil)).codes(), "a mark of a service without a user")
	r.wantCode("UNAUTHENTICATED", 0, markDocument, r.variables(nil))
}

func TestMarkHomeRead_RefusesOtherPlaces(t *testing.T) {
	r := newHomeReader(t)
	filtered := r.must(1, `{ viewer { homeFeed(filter: {kinds: [POST]}) { syncToken } } user(handle: "ben") { posts { edges { cursor } } } }`, nil)
	outbox, other := filtered.at(t, "user.posts.edges.0.cursor"), filtered.at(t, "viewer.homeFeed.syncToken")
	for name, c := range map[string]struct {
		viewer        feed.UserID
		cursor, token any
	}{
		"a token of a filter":    {1, r.cursor, other},
		"another viewer's token": {2, r.cursor, r.token},
		"a cursor as token":      {1, r.cursor, r.cursor},
		"a long token":           {1, r.cursor, strings.Repeat("A", 300)},
		"a cursor of an outbox":  {1, outbox, r.token},
		"no cursor":              {1, "", r.token},
	} {
		got := r.ask(c.viewer, markDocument, variables{"cursor": c.cursor, "token": c.token})
		wantEqual(t, []string{"BAD_CURSOR"}, got.codes(), "the error for %s", name)
	}
	for device, want := range map[string]string{strings.Repeat("x", 65): "TOO_LONG", " ": "INVALID", "a\x00b": "INVALID"} {
		got := r.must(1, markDocument, r.variables(device)).at(t, "markHomeRead")
		wantEqual(t, value(`{"readPosition": null, "userErrors": [{"code": %q, "field": ["device"]}], "clientMutationId": "m"}`, want), got, "the payload for %q", device)
		r.wantCode("BAD_USER_INPUT", 1, positionDocument, variables{"device": device})
	}
	wantEqual(t, nil, r.must(1, positionDocument, nil).at(t, "viewer.readPosition"), "the position after refusals")
}
