//go:build unix

package resolvers_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile is a request that is meant to keep the server busy.
type hostile struct {
	name string
	body string
	// code is that of the error; empty for a request within all limits.
	code string
	// accept is the header Accept, if any.
	accept string
}

// each joins what f returns for the numbers below n.
func each(n int, f func(i int) string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(f(i))
		out.WriteByte(' ')
	}
	return out.String()
}

func repeat(n int, text string) string { return strings.Repeat(text+" ", n) }

const (
	tooComplex = "QUERY_TOO_COMPLEX"
	notParsed  = "GRAPHQL_PARSE_FAILED"
	notValid   = "GRAPHQL_VALIDATION_FAILED"
	badInput   = "BAD_USER_INPUT"
	badCursor  = "BAD_CURSOR"
	// anyOutcome is for what the guard lets through.
	anyOutcome = "any"
)

// hostileRequests are all known kinds of hostile documents, in their worst sizes. The server allows
// introspection and suggestions, which takes the most time.
func hostileRequests() []hostile {
	query := func(name, code, query string) hostile {
		return hostile{name: name, body: request(query, nil), code: code}
	}
	return slices.Concat(hostileShapes(query), hostileFragments(query), hostileValues(query), hostileNames(query), boundaries(query), deferredHostile(query), argumentsHostile())
}

type queryRow func(name, code, query string) hostile

func hostileShapes(row queryRow) []hostile {
	return []hostile{
		row("fields nested 400 deep", tooComplex, nested(400)),
		row("fields nested beyond the parser's limit", notParsed, nested(1100)),
		row("inline fragments nested 450 deep", "", `{ `+repeat(450, `... {`)+` __typename `+repeat(450, `}`)+`}`),
		row("1,990 fields", tooComplex, `{ `+repeat(1990, `a`)+`}`),
		row("10,000 fields", notParsed, `{ `+repeat(10_000, `a`)+`}`),
		row("one field 990 times", tooComplex, `{ `+repeat(990, `__typename`)+`}`),
		row("one field 280 times, each with fields of its own", tooComplex, `{ viewer { `+repeat(280, `user { counters { likes } }`)+`} }`),
		row("a field under 500 names", tooComplex, `{ viewer { user { `+each(500, func(i int) string { return fmt.Sprintf("a%d: name", i) })+`} } }`),
		row("a page under 30 names", tooComplex, `{ viewer { `+each(30, func(i int) string {
			return fmt.Sprintf("a%d: homeFeed(first: 100) { nodes { author { name } comments { nodes { id } } } }", i)
		})+`} }`),
		row("pages of 100 in pages of 100", tooComplex, `{ viewer { homeFeed(first: 100) { nodes { comments(first: 100) { nodes { author { posts(first: 100) { nodes { text } } } } } } } } }`),
		row("the schema's fields under 190 names", tooComplex, `{ __schema { `+each(190, func(i int) string { return fmt.Sprintf("a%d: types { ...f }", i) })+`} } fragment f on __Type { fields { args { name } } }`),
		row("a text 200 times for each content of a page", tooComplex, `{ viewer { homeFeed(first: 100) { nodes { `+each(200, func(i int) string { return fmt.Sprintf("a%d: text", i) })+`} } } }`),
		row("100 mutations", tooComplex, `mutation { `+each(100, func(i int) string {
			return fmt.Sprintf(`a%d: likePost(input: {postId: "x"}) { userErrors { code } }`, i)
		})+`}`),
		row("280 directives", tooComplex, `{ __typename `+repeat(280, `@skip(if: false)`)+`}`),
		{name: "a batch of 1,000 operations", body: `[` + strings.TrimSuffix(strings.Repeat(request(`{__typename}`, nil)+",", 1000), ",") + `]`, code: badInput},
	}
}

func hostileFragments(row queryRow) []hostile {
	doubling := func(levels int, field string) string {
		return each(levels, func(i int) string {
			return fmt.Sprintf("fragment f%d on Post { a: %s { ...f%d } b: %s { ...f%d } }", i, field, i+1, field, i+1)
		}) + fmt.Sprintf("fragment f%d on Post { id }", levels)
	}
	return []hostile{
		row("fragments that double 30 times", tooComplex, `{ node(id: "x") { ...f0 } } `+doubling(30, "replyTo")),
		row("fragments that double 10 times", tooComplex, `{ viewer { homeFeed { nodes { ...f0 } } } } `+doubling(10, "replyTo")),
		row("fragments of the schema's description that double 30 times", tooComplex,
			`{ __schema { types { ...f0 } } } `+strings.ReplaceAll(strings.ReplaceAll(doubling(30, "ofType"), "on Post", "on __Type"), "{ id }", "{ name }")),
		row("240 fragments in a chain", tooComplex, `{ ...f0 } `+each(240, func(i int) string { return fmt.Sprintf("fragment f%d on Query { ...f%d }", i, i+1) })+`fragment f240 on Query { __typename }`),
		row("one fragment spread 900 times", tooComplex, `{ `+repeat(900, `...f`)+`} fragment f on Query { __typename }`),
		row("40 fragments that all spread each other", notParsed, `{ ...f0 } `+each(40, func(i int) string {
			return fmt.Sprintf("fragment f%d on Query { %s}", i, each(40, func(j int) string { return fmt.Sprintf("...f%d", j) }))
		})),
		row("15 fragments that all spread each other", notValid, `{ ...f0 } `+each(15, func(i int) string {
			return fmt.Sprintf("fragment f%d on Query { %s}", i, each(15, func(j int) string { return fmt.Sprintf("...f%d", j) }))
		})),
		row("a circle of 40 fragments", notValid, `{ viewer { user { ...f0 } } } `+each(40, func(i int) string { return fmt.Sprintf("fragment f%d on User { name ...f%d }", i, (i+1)%40) })),
		row("45 operations over a fragment of 900 fields", tooComplex, each(45, func(i int) string { return fmt.Sprintf("query q%d { ...f }", i) })+`fragment f on Query { `+repeat(900, `__typename`)+`}`),
	}
}

func hostileValues(row queryRow) []hostile {
	deep := func(n int) any {
		var v any = "x"
		for range n {
			v = []any{v}
		}
		return v
	}
	return []hostile{
		row("a list nested 900 deep", notValid, `{ nodes(ids: `+strings.Repeat("[", 900)+strings.Repeat("]", 900)+`) { id } }`),
		row("a list of 1,900 ids", badInput, `{ nodes(ids: [`+repeat(1900, `"x"`)+`]) { id } }`),
		{name: "a list of 40,000 ids in a variable", body: request(`query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": slices.Repeat([]string{"x"}, 40_000)}), code: badInput},
		{name: "a variable nested 9,000 deep", body: request(`query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, map[string]any{"ids": deep(9000)}), code: notValid},
		{name: "a body nested 100,000 deep", body: `{"query":"{__typename}","variables":{"a":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`, code: badInput},
		row("one input field 450 times", notValid, `mutation { publishPost(input: {`+repeat(450, `text: "x"`)+`}) { userErrors { code } } }`),
		row("one argument 30 times in each of 20 fields", tooComplex, `{ `+repeat(20, `user(`+repeat(30, `handle: "x"`)+`) { id }`)+`}`),
		row("350 variables", notValid, `query(`+each(350, func(i int) string { return fmt.Sprintf("$a%d: Int", i) })+`) { __typename }`),
		row("a page of 10^400 entries", notValid, `{ viewer { homeFeed(first: 1`+strings.Repeat("0", 400)+`) { nodes { id } } } }`),
		row("a text of 200 KB", tooComplex, `{ user(handle: "`+strings.Repeat("x", 200_000)+`") { id } }`),
		row("a comment of 200 KB", tooComplex, `{ __typename } #`+strings.Repeat("x", 200_000)),
		row("70,000 comments", tooComplex, strings.Repeat("#\n", 70_000)+`{ __typename }`),
		row("15,000 comments", notParsed, strings.Repeat("#\n", 15_000)+`{ __typename }`),
		row("a text of 60 KB that is not closed", notParsed, `{ user(handle: """`+strings.Repeat(`\"""`, 15_000)),
	}
}

func hostileNames(row queryRow) []hostile {
	long := strings.Repeat("x", 60)
	return []hostile{
		row("a name of 60 KB", tooComplex, `{ `+strings.Repeat("x", 60_000)+` }`),
		row("900 fields that are not there", notValid, `{ viewer { `+each(900, func(i int) string { return fmt.Sprintf("use%d", i) })+`} }`),
		row("900 long names of fields that are not there", notValid, `{ viewer { `+each(900, func(i int) string { return fmt.Sprintf("%s%d", long, i) })+`} }`),
		row("400 arguments that are not there", notValid, `{ user(`+each(400, func(i int) string { return fmt.Sprintf("handl%d: 1", i) })+`) { id } }`),
		row("900 enum values that are not there", notValid, `{ user(handle: "x") { posts(kinds: [`+each(900, func(i int) string { return fmt.Sprintf("POS%d", i) })+`]) { nodes { id } } } }`),
		row("45 types that are not there", notValid, `{ viewer { `+each(45, func(i int) string { return fmt.Sprintf("...f%d", i) })+`} } `+each(45, func(i int) string { return fmt.Sprintf("fragment f%d on Pos%d { id }", i, i) })),
	}
}

// boundaries are requests that cost as much as the limits allow.
func boundaries(row queryRow) []hostile {
	operations := strings.Replace(request(each(10, func(i int) string { return fmt.Sprintf("query q%d { viewer { user { ...f } } }", i) })+
		`fragment f on User { `+repeat(125, `name`)+`}`, nil), "{", `{"operationName":"q7",`, 1)
	return []hostile{
		row("at the limit: one field 440 times", "", `{ viewer { user { `+repeat(440, `name`)+`} } }`),
		row("at the limit: one field 310 times with fields of its own", "", `{ viewer { `+repeat(310, `user { name }`)+`} }`),
		row("at the limit: fragments of equal fields", "", `{ viewer { user { `+each(40, func(i int) string { return fmt.Sprintf("...f%d", i) })+`} } } `+
			each(40, func(i int) string { return fmt.Sprintf("fragment f%d on User { %s}", i, repeat(9, `name`)) })),
		row("at the limit: 45 fragments in a chain", "", `{ node(id: "x") { ...f0 } } `+each(45, func(i int) string {
			const values = "__typename id databaseId kind text media publishedAt editedAt viewerHasLiked viewerHasFavorited"
			return fmt.Sprintf("fragment f%d on Post { ...f%d %s %s }", i, i+1, values, values)
		})+`fragment f45 on Post { id }`),
		{name: "at the limit: 10 operations over one fragment", body: operations},
		row("at the limit: the whole description of the schema", "", introspectionQuery),
		row("at the limit: types of fields of types", "", `{ __schema { types { fields { type { ofType { ofType { ofType { fields { args { name type { name ofType { ofType { name } } } } type { kind name } } } } } fields { args { name } } } } } } }`),
		row("at the limit: the schema's fields under 8 names", "", `{ __schema { `+each(8, func(i int) string {
			return fmt.Sprintf("a%d: types { ...f }", i)
		})+`} } fragment f on __Type { fields { args { name } } }`),
	}
}

// deferredHostile are requests for a response in parts.
func deferredHostile(row queryRow) []hostile {
	labels := func(n int, selection string) string {
		return each(n, func(i int) string {
			return fmt.Sprintf(`... @defer(label: "%d%s") { %s }`, i, strings.Repeat("x", 120), selection)
		})
	}
	rows := []hostile{
		row("140 deferred fragments", tooComplex, `{ viewer { `+labels(140, `user { id }`)+`} }`),
		row("deferred fragments nested 300 deep", tooComplex, `{ viewer { `+repeat(300, `... @defer {`)+`user { id } `+repeat(300, `}`)+`} }`),
		row("a deferred fragment in pages of 100 in pages of 100", tooComplex, `{ viewer { homeFeed(first: 100) { nodes { comments(first: 100) { nodes { ... @defer { author { id } } } } } } } }`),
		row("at the limit: 40 deferred fragments of one object", "", `{ viewer { `+labels(40, `user { counters { posts } }`)+`} }`),
		row("at the limit: deferred fragments nested 40 deep", "", `{ viewer { `+repeat(40, `... @defer {`)+`user { id } `+repeat(40, `}`)+`} }`),
		row("at the limit: 10 parts of each post of a page of 100", "", `{ viewer { homeFeed(first: 100) { nodes { `+labels(10, `author { name }`)+`} } } }`),
	}
	for i := range rows {
		rows[i].accept = acceptParts
	}
	return rows
}

// introspectionQuery is the one that tools send.
const introspectionQuery = `query IntrospectionQuery { __schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType } directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason } inputFields { ...InputValue } interfaces { ...TypeRef } enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`

// make hostile measures the time.
func TestHostile_RefusedByTheRightLimit(t *testing.T) {
	w := hostileWorld(t)
	for _, h := range hostileRequests() {
		rec := w.sendBody(1, h.body, "Accept", h.accept)
		if strings.HasPrefix(rec.Header().Get("Content-Type"), "multipart/") {
			if _, failures := merged(t, h.name, readParts(t, h.name, rec)); h.code != "" || failures > 0 {
				t.Errorf("%s: the response has parts with %d errors, want %q", h.name, failures, h.code)
			}
			continue
		}
		got := decoded(t, rec)
		switch codes := got.codes(); {
		case h.code == anyOutcome:
			if got.Data == nil && slices.Contains(codes, tooComplex) {
				t.Errorf("%s: the request exceeds a limit: %.200s", h.name, fmt.Sprint(got.Errors))
			}
		case h.code == "" && len(codes) > 0:
			t.Errorf("%s: the request is refused: %.200s", h.name, fmt.Sprint(got.Errors))
		case h.code != "" && (len(codes) == 0 || codes[0] != h.code):
			t.Errorf("%s: the errors are %.200s, want %s", h.name, fmt.Sprint(got.Errors), h.code)
		}
	}
}

// cpu returns the processor time that this process has used.
func cpu(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	noError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuMax and allocatedMax limit the CPU time and the memory in bytes of a hostile request.
const (
	cpuMax       = 50 * time.Millisecond
	allocatedMax = 32 << 20
)

// TestHostileTable measures each request and writes the table to the file in HOSTILE. It fails if a
// request is too expensive. Without HOSTILE it only checks that the documentation has a row for
// each.
func TestHostileTable(t *testing.T) {
	file := os.Getenv("HOSTILE")
	if file == "" {
		const documented = "../docs/benchmarks/hostile-requests.md"
		table, err := os.ReadFile(documented)
		noError(t, err)
		for _, h := range hostileRequests() {
			if !strings.Contains(string(table), "| "+h.name+" |") {
				t.Errorf("%s has no row for %q; renew it by make hostile", documented, h.name)
			}
		}
		for _, h := range idleRows() {
			if !strings.Contains(string(table), "| "+h.name) {
				t.Errorf("%s has no row for %q; renew it by make hostile", documented, h.name)
			}
		}
		return
	}
	idle := measureIdle(t)
	w := hostileWorld(t)
	var rows strings.Builder
	for _, h := range hostileRequests() {
		took, allocated := measured(t, w, h)
		if took > cpuMax || allocated > allocatedMax {
			t.Errorf("%s takes %v and allocates %d bytes", h.name, took, allocated)
		}
		outcome := h.code
		if outcome == "" || outcome == anyOutcome {
			outcome = "accepted"
		}
		fmt.Fprintf(&rows, "| %s | %d | %s | %.1f | %.1f |\n", h.name, len(h.body), outcome, took.Seconds()*1000, float64(allocated)/(1<<20))
	}
	text := fmt.Sprintf(hostileDocument, runtime.Version(), runtime.GOARCH, cpuMax.Milliseconds(), allocatedMax>>20) + rows.String() + idle
	noError(t, os.WriteFile(file, []byte(text), 0o644))
}

// measured returns the median CPU time of a request, and the largest allocation of one, including
// the garbage collection.
func measured(t *testing.T, w *world, h hostile) (took time.Duration, allocated uint64) {
	t.Helper()
	const times, requests = 5, 10
	var rounds []time.Duration
	for round := range times {
		runtime.GC()
		before, bytes := cpu(t), allocatedBytes()
		for i := range requests {
			// A changed text makes it a new document, which is not cached.
			fresh := strings.Replace(h.body, `"query":"`, fmt.Sprintf(`"query":"#%d-%d\n`, round, i), 1)
			w.sendBody(1, fresh, "Accept", h.accept)
		}
		allocated = max(allocated, (allocatedBytes()-bytes)/requests)
		runtime.GC()
		rounds = append(rounds, (cpu(t)-before)/requests)
	}
	slices.Sort(rounds)
	return rounds[times/2], allocated
}

// allocatedBytes returns how many bytes this process has allocated.
func allocatedBytes() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

const hostileDocument = `# Hostile requests

What it costs the server to refuse requests that are known to keep GraphQL servers busy, each in its worst size. The last rows keep within all limits and use them fully: every field with arguments runs as often as allowed, with the longest values. Introspection and suggestions are on.

CPU is the time of the whole request, garbage collection included. MiB is everything that the request allocates. Measured with %s on %s by ` + "`make hostile`" + `, which fails above %d ms or %d MiB. Tests of every change check which limit each request meets.

| request | bytes | outcome | CPU ms | MiB |
| --- | ---: | --- | ---: | ---: |
`
