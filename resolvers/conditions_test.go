package resolvers_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A nullable variable with a default may be used where null is not allowed, and still be null. The
// guard must find it before the executor panics.
func TestConditions_NullIsRefusedBeforeExecution(t *testing.T) {
	w := newWorld(t)
	w.post(1, 2)
	null := map[string]any{"b": nil, "id": postID(1)}
	const like = `mutation($id: ID!, $b: Boolean = true) { likePost(input: {postId: $id}) {`
	for _, query := range []string{
		`query($b: Boolean = true) { viewer @include(if: $b) { user { id } } }`,
		`query($b: Boolean = null) { viewer @skip(if: $b) { user { id } } }`,
		`query($b: Boolean = true) { viewer { user { id name @skip(if: false) @include(if: $b) } } }`,
		`query($b: Boolean = true) { viewer { ...v @include(if: $b) } } fragment v on Viewer { user { id } }`,
		`query($b: Boolean = true) { viewer { ...v ...v } } fragment v on Viewer { user { ...u } } fragment u on User { id @skip(if: $b) }`,
		`query($b: Boolean = true) { viewer { homeFeed { nodes { id @skip(if: $b) } } } }`,
		like + ` post { id @include(if: $b) } } }`,
		like + ` userErrors { code } } again: likePost(input: {postId: $id}) @include(if: $b) { userErrors { code } } }`,
		`subscription($b: Boolean = true) { homeFeedEdges { cursor @include(if: $b) } }`,
	} {
		got := w.ask(1, query, null)
		if !cmp.Equal(got.codes(), []string{"GRAPHQL_VALIDATION_FAILED"}) || !strings.Contains(got.Errors[0].Message, "$b") || got.Data != nil {
			t.Errorf("%s returns %+v", query, got)
		}
	}
	if got := w.must(1, `query($id: ID!) { node(id: $id) { ... on Post { viewerHasLiked } } }`, null).at(t, "node.viewerHasLiked"); got != false {
		t.Error("a refused mutation liked the post")
	}
}
