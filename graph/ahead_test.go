package graph

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tideline-feeds/tideline/feed"
)

// planOf plans the first field of the viewer that a document selects.
func planOf(t *testing.T, document string) *plan {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(LoadSchema(), document, rules.NewDefaultRules())
	if errs != nil {
		t.Fatal(errs)
	}
	oc := &graphql.OperationContext{Doc: doc, Operation: doc.Operations[0]}
	viewer, _ := doc.Operations[0].SelectionSet[0].(*ast.Field)
	return newPlan(oc, graphql.CollectFields(oc, viewer.SelectionSet, []string{"Viewer"})[0])
}

// The runs that are looked at ahead are those that a page writes of its contents and authors,
// wherever they stand; a page that writes none has none.
func TestWhatIsLookedAtAheadIsWhatAPageWrites(t *testing.T) {
	p := planOf(t, `{ viewer { homeFeed { pageInfo { hasNextPage } edges { cursor node { counters { likes } id text author { id handle } } } } } }`)
	if p.ahead.post == nil || !strings.Contains(p.ahead.post.name, `"text"`) {
		t.Errorf("of contents it is %+v", p.ahead.post)
	}
	if p.ahead.author == nil || !strings.Contains(p.ahead.author.name, `"handle"`) {
		t.Errorf("of authors it is %+v", p.ahead.author)
	}
	for _, document := range []string{
		`{ viewer { homeFeed { pageInfo { hasNextPage } } } }`,
		`{ viewer { homeFeed { edges { cursor node { counters { likes } } } } } }`,
		`{ viewer { mutedUsers { edges { node { id handle } } } } }`,
	} {
		if p := planOf(t, document); p.ahead != (ahead{}) {
			t.Errorf("%s: %+v", document, p.ahead)
		}
	}
}

// Every line of every text is looked at, of pages larger than what is looked at together too.
func TestAllTextsOfAPageAreLookedAtAhead(t *testing.T) {
	k := NewKept(1 << 20)
	a := ahead{post: textRun("text"), author: textRun("handle")}
	var edges []FeedEdge
	var want byte
	for i := range 3 * aheadMost {
		p := &feed.Post{ID: feed.ContentID(i + 1), Author: feed.UserID(i + 1000)}
		edges = append(edges, FeedEdge{Node: p})
		// One in three is not kept, and another one's author is not.
		if i%3 != 0 {
			k.keep(a.post, int64(p.ID), p, []byte(strings.Repeat("\x01", 2*lineBytes+1)))
			want += 3
		}
		if i%3 != 1 {
			k.keep(a.author, int64(p.Author), p, []byte("\x07"))
			want += 7
		}
	}
	if got := k.touch(a, edges); got != want {
		t.Errorf("the sum of what was looked at is %d, want %d", got, want)
	}
	if got := k.touch(ahead{}, edges); got != 0 {
		t.Errorf("of a page that writes nothing of its own %d was looked at", got)
	}
}
