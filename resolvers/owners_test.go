package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// someInputs are valid values of the required input fields.
func someInputs() map[string]string {
	return map[string]string{
		"userId": fmt.Sprintf("%q", userID(2)), "postId": fmt.Sprintf("%q", postID(1)), "liveSessionId": `"x"`,
		"text": `"a"`, "title": `"a"`, "confirmHandle": `"ann"`, "scheduledAt": `"2030-01-01T00:00:00Z"`,
	}
}

func TestMutations_RefusedWhereSourceOwnsAll(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Owned = feed.OwnedTypes() })
	schema := graph.LoadSchema()
	refused := map[feed.RecordType]int{}
	for _, m := range schema.Mutation.Fields {
		if strings.HasPrefix(m.Name, "__") {
			continue
		}
		input := `clientMutationId: "m"`
		for _, f := range schema.Types[m.Arguments[0].Type.Name()].Fields {
			if f.Type.NonNull {
				input += ", " + f.Name + ": " + someInputs()[f.Name]
			}
		}
		got := w.must(1, fmt.Sprintf("mutation { %s(input: {%s}) { userErrors { code message field } clientMutationId } }", m.Name, input), nil)
		message, _ := got.at(t, m.Name+".userErrors.0.message").(string)
		wantEqual(t, value(`{"userErrors":[{"code":"FORBIDDEN","message":%q,"field":null}],"clientMutationId":"m"}`, message), got.at(t, m.Name), "%s", m.Name)
		for _, r := range feed.OwnedTypes() {
			if message == fmt.Sprintf("a source owns records of type %s; change them there", r) {
				refused[r]++
			}
		}
	}
	for _, r := range feed.OwnedTypes() {
		if refused[r] == 0 {
			t.Errorf("no mutation is refused for records of type %s", r)
		}
	}
}

func TestMutations_OfOwnTypesWorkBesideSource(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Owned = feed.RecordTypes{feed.RecordPost} })
	got := w.must(1, fmt.Sprintf(`mutation { a: followUser(input: {userId: %q}) { userErrors { code } }
		b: publishPost(input: {text: "a"}) { post { id } userErrors { code } } c: updateProfile(input: {name: "Anna"}) { user { name } } }`, userID(2)), nil)
	want := value(`{"a":{"userErrors":[]},"b":{"post":null,"userErrors":[{"code":"FORBIDDEN"}]},"c":{"user":{"name":"Anna"}}}`)
	wantEqual(t, want, any(got.Data), "the payloads")
}

func TestViewer_AbsentSeesFeedWithoutProfile(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) {
		accounts, ok := d.Accounts.(*people.Accounts)
		if !ok {
			t.Fatal("the accounts are replaced")
		}
		accounts.Policy.Owned = feed.RecordTypes{feed.RecordUser}
		d.Owned = feed.RecordTypes{feed.RecordUser, feed.RecordFollow}
	})
	follow := feed.Record{Follow: &feed.FollowRecord{Follower: 77, Followee: 2, CreatedAt: epoch}}
	owned := feed.Batch{Records: []feed.Record{follow}, Owned: feed.RecordTypes{feed.RecordUser, feed.RecordFollow}, Ordered: true}
	_, err := w.store.Apply(t.Context(), owned)
	noError(t, err)
	w.post(1, 2)
	const query = `{ viewer { user { id handle name avatarUrl counters { posts } } homeFeed(first: 5) { edges { node { id } } } } }`
	want := value(`{"user":{"id":%q,"handle":"","name":"","avatarUrl":null,"counters":{"posts":0}},"homeFeed":{"edges":[{"node":{"id":%q}}]}}`, userID(77), postID(1))
	wantEqual(t, want, w.must(77, query, nil).at(t, "viewer"), "an absent viewer")
}
