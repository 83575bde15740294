package guard_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/resolvers/sdl"
)

// pricedDocuments have every field with a printed cost. They avoid what the directives cannot say:
// aliases, short pages, entries without objects, and long arguments.
var pricedDocuments = []string{
	`{ viewer { homeFeed { nodes { text author { name } counters { likes } } pageInfo { hasNextPage } newCount(since: "") slots { id after } } } }`,
	`{ viewer { user { handle } homeFeed(first: 7) { edges { cursor node { repostOf { author { name } } } } } } }`,
	`{ viewer { homeFeed(last: 100) { nodes { id comments(first: 6) { edges { node { author { id } } } } } } } }`,
	`{ viewer { mutedUsers { nodes { id } } hiddenFromUsers(first: 5) { edges { node { id } } } blockedUsers(first: 100) { nodes { counters { posts } } } } }`,
	`{ viewer { followRequests { nodes { id } } sentFollowRequests(first: 5) { edges { node { id } } } } }`,
	`{ viewer { liveFeed(first: 8) { edges { state node { host { id } } } nodes { id } snapshotAt } } }`,
	`{ viewer { homeChanges(since: "", first: 6) { changes { kind edge { node { author { name } } } } syncToken } } }`,
	`{ viewer { readPosition { cursor syncToken at unread } } }`,
	`mutation { markHomeRead(input: {cursor: "", syncToken: ""}) { readPosition { unread } userErrors { code } } }`,
	`{ viewer { liveChanges(since: "", first: 6) { changes { kind edge { state node { host { name } } } } syncToken } } }`,
	`{ user(handle: "a") { followers { nodes { id } } following(first: 9) { edges { node { id } } } posts { nodes { id } } liveSessions { nodes { id } } } }`,
	`{ viewer { lists { name } with: lists(member: "a") { id } } user(handle: "a") { lists { members(first: 6) { nodes { id } } feed(first: 7) { nodes { id } } } } }`,
	`{ users(query: "a") { nodes { id } pageInfo { endCursor } } user(databaseId: "1") { id } post(databaseId: "1") { replyTo { id } } liveSession(databaseId: "1") { id } }`,
	`{ nodes(ids: [` + strings.Repeat(`"a",`, 100) + `]) { ... on Post { author { id } } } node(id: "a") { id } }`,
	`{ posts(databaseIds: [` + strings.Repeat(`"a",`, 100) + `]) { counters { likes } } }`,
	`{ moderatedPost(databaseId: "1") { moderation { reason } } moderatedUser(databaseId: "1") { id } moderationLog(first: 6) { edges { node { by } } nodes { by } } }`,
	`{ fanout(contentId: "1") { openSlices { waits } } slowestFanouts { seconds } }`,
	`mutation { publishPost(input: {text: ""}) { post { id } feedEdge { node { id } } userErrors { code } } }`,
	`subscription { homeChanges(since: "") { changes { edge { node { id } } } } }`,
	`subscription { liveChanges(since: "") { changes { edge { node { id } } } } }`,
	`subscription { homeFeedEdges { cursor node { author { id } } } }`,
}

// The costs in the printed schema, added up as the specification of the directives says, are those
// that the guard charges.
func TestCostOf_IsWhatTheGuardCharges(t *testing.T) {
	p := printedCosts{seen: map[string]bool{}}
	var err error
	if p.schema, err = gqlparser.LoadSchema(&ast.Source{Name: "sdl", Input: sdl.WithCosts()}); err != nil {
		t.Fatalf("the schema does not parse: %v", err)
	}
	schema, documents := graph.LoadSchema(), slices.Clone(pricedDocuments)
	for _, f := range p.schema.Mutation.Fields {
		documents = append(documents, `mutation { `+f.Name+`(input: {}) { userErrors { code } } }`)
	}
	for _, text := range documents {
		doc, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		want := guard.MeasureDocument(schema, doc, "", nil).Cost
		if got := p.operation(doc.Operations[0]); got != want {
			t.Errorf("by the printed costs, %.150s costs %d; the guard charges %d", text, got, want)
		}
	}
	for _, d := range p.schema.Types {
		for _, f := range d.Fields {
			if len(f.Directives) > 0 && !p.seen[d.Name+"."+f.Name] {
				t.Errorf("no document has %s.%s, which has a printed cost", d.Name, f.Name)
			}
		}
	}
}

// printedCosts adds up costs by directives alone.
type printedCosts struct {
	schema *ast.Schema
	// seen are the fields of all documents.
	seen map[string]bool
}

func (p *printedCosts) operation(op *ast.OperationDefinition) int {
	root := map[ast.Operation]*ast.Definition{ast.Query: p.schema.Query, ast.Mutation: p.schema.Mutation, ast.Subscription: p.schema.Subscription}
	return p.set(root[op.Operation], op.SelectionSet, nil)
}

// set returns the cost of a selection; sized has the lengths of fields that the parent gives.
func (p *printedCosts) set(parent *ast.Definition, set ast.SelectionSet, sized map[string]int) int {
	sum := 0
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			sum += p.field(parent, sel, sized)
		case *ast.InlineFragment:
			sum += p.set(p.schema.Types[sel.TypeCondition], sel.SelectionSet, sized)
		}
	}
	return sum
}

func (p *printedCosts) field(parent *ast.Definition, f *ast.Field, sized map[string]int) int {
	def := parent.Fields.ForName(f.Name)
	typ := p.schema.Types[def.Type.Name()]
	p.seen[parent.Name+"."+f.Name] = true
	weight, n := 0, 1
	if typ.IsCompositeType() {
		weight = 1
	}
	if d := def.Directives.ForName("cost"); d != nil {
		weight = number(d.Arguments.ForName("weight").Value.Raw)
	}
	if length, given := sized[f.Name]; given {
		n = length
	}
	var below map[string]int
	if d := def.Directives.ForName("listSize"); d != nil {
		size := listSize(d, f)
		if fields := d.Arguments.ForName("sizedFields"); fields == nil {
			n = size
		} else {
			below = map[string]int{}
			for _, name := range fields.Value.Children {
				below[name.Value.Raw] = size
			}
		}
	}
	return n * (weight + p.set(typ, f.SelectionSet, below))
}

// listSize returns the greatest slicing argument, or else the assumed size.
func listSize(d *ast.Directive, f *ast.Field) int {
	size, given := 0, false
	if names := d.Arguments.ForName("slicingArguments"); names != nil {
		for _, name := range names.Value.Children {
			if a := f.Arguments.ForName(name.Value.Raw); a != nil {
				size, given = max(size, number(a.Value.Raw)), true
			}
		}
	}
	if !given {
		return number(d.Arguments.ForName("assumedSize").Value.Raw)
	}
	return size
}

func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err)
	}
	return n
}
