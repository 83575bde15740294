package bench_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

func exampleOfWrites() *bench.Writes {
	w := &bench.Writes{Report: bench.Report{Commit: "abc1234", Command: "a command", Date: "today", Machine: "two cores", Figures: map[string][]float64{
		"publish-16": {6000, 6800, 7000}, "publish-16 sql": {800, 800, 700}, "publish-16 peer": {10_000, 10_000, 10_000},
		"import": {7.5e6}, "copy": {1.5e6}, "idle": {44_000}, "memory": {42},
	}}, Parts: []bench.Part{{What: "GraphQL", Micros: 20.25}, {What: "other", Micros: 30}}}
	w.Compare(bench.WriteGoals())
	return w
}

func TestWrites_TableShowsFiguresAndMissedGoals(t *testing.T) {
	want := "`a command` at commit abc1234, today, on two cores:\n\n" + `| what | Tideline | other | ratio | goal |
| --- | --- | --- | --- | --- |
| publish to 15 followers / its three statements | 6.80 ms | 800 µs | **8.50** | ≤ 2.50 |
| publish to 15 followers / Mercurius with BullMQ | 6.80 ms | 10.0 ms | 0.680 | ≤ 0.700 |
| import / COPY of the same rows | 7.50 s | 1.50 s | **5.00** | ≤ 1.50 |
| one second of an idle API and worker | **44.0 ms** |  |  | ≤ 15.0 ms |
| memory of an idle API process | 42.0 MB |  |  | ≤ 45.0 MB |

Parts of a warm page, saturated: GraphQL 20.2 µs, other 30.0 µs.
`
	if diff := cmp.Diff(want, exampleOfWrites().Markdown()); diff != "" {
		t.Errorf("the text differs (-want +got):\n%s", diff)
	}
}

func TestWrites_TextHasEveryFigure(t *testing.T) {
	var out strings.Builder
	if err := exampleOfWrites().Table(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"publish to 15 followers / its three statements   ≤ 2.50   8.50", "\npublish-16 peer  10000    10000    10000\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the text lacks %q:\n%s", want, out.String())
		}
	}
}

func TestWrites_StoredRatiosMatchFigures(t *testing.T) {
	var stored bench.Writes
	read(t, "writes.json", &stored)
	again := stored
	again.Compare(bench.WriteGoals())
	if diff := cmp.Diff(again.Rows, stored.Rows); diff != "" {
		t.Errorf("the rows differ (-want +got):\n%s", diff)
	}
}

func TestReadsElsewhere_OmitInboxes(t *testing.T) {
	const other = `tideline_feed_reads_total{inbox="none",source="sql"} 2` + "\n"
	if got := readsElsewhere(`tideline_feed_reads_total{inbox="cold",source="inbox"} 5` + "\n" + other + "tideline_subscribers 1\n"); got != other {
		t.Errorf("the reads are %q, want %q", got, other)
	}
}

func TestWriteGoals_AreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range bench.WriteGoals() {
		if seen[g.ID] || g.ID == "" || g.What == "" || g.Over == "" || g.Goal <= 0 || !g.AtMost || g.Unit == "" {
			t.Errorf("%+v", g)
		}
		seen[g.ID] = true
	}
}

// A sample counts for the innermost function with a purpose.
func TestParts_DivideWarmPage(t *testing.T) {
	const module = "github.com/tideline-feeds/tideline"
	parts := bench.Parts(sampled(map[string]int64{
		"net/http.serve " + module + "/resolvers.page " + module + "/graph/pagejson.append runtime.mallocgc":          40,
		"net/http.serve " + module + "/feed/timeline.(*Timeline).Page " + module + "/feed.Judge runtime.mallocgc":     10,
		module + "/feed/timeline.(*Timeline).Page " + module + "/feed/redisstore.read github.com/redis/go-redis.read": 20,
		module + "/resolvers/guard.measure":                                  5,
		module + "/feed/timeline.(*Timeline).Page " + module + "/feed.Merge": 15,
		"runtime.gcBgMarkWorker":                                             10,
	}), 200, 7)
	want := []bench.Part{{What: "GraphQL", Micros: 80}, {What: "exactness", Micros: 37}, {What: "visibility", Micros: 20}, {What: "limits", Micros: 10}, {What: "HTTP and stores", Micros: 40}, {What: "other", Micros: 20}}
	if diff := cmp.Diff(want, parts); diff != "" {
		t.Errorf("the parts differ (-want +got):\n%s", diff)
	}
}

func TestRoles_AreDisjoint(t *testing.T) {
	crowd := writesSize.Crowd().Users()
	r := rolesOf(crowd, writesRounds)
	if len(r.known) != knownViewers || len(r.unknown) != writesRounds*unknownViewers || len(r.writers) < 1000 {
		t.Errorf("there are %d known viewers, %d unknown ones and %d writers", len(r.known), len(r.unknown), len(r.writers))
	}
	seen := map[int64]bool{}
	for _, list := range [][]int64{r.known, r.unknown, r.due, r.absent, r.strangers, r.writers} {
		for _, id := range list {
			if seen[id] {
				t.Fatalf("user %d has two roles", id)
			}
			seen[id] = true
		}
	}
	if len(seen) != len(crowd) {
		t.Errorf("%d of %d users have a role", len(seen), len(crowd))
	}
}

func TestMix_OnlyWritersWrite(t *testing.T) {
	r := rolesOf(writesSize.Crowd().Users(), writesRounds)
	m := &mix{
		size: writesSize, server: page.Server{Addr: "127.0.0.1:1", Secret: secret}, rand: rand.New(rand.NewPCG(1, 2)),
		known: r.known, strangers: r.strangers, writers: r.writers, wires: map[int64][]byte{},
	}
	writers := setOf(r.writers)
	bearer := regexp.MustCompile(`Bearer [^.]+\.([^.]+)\.`)
	for range writesRounds {
		operations, err := m.operations(mixedHundreds)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range operations {
			if o.kind == kindPage {
				continue
			}
			claims, err := base64.RawURLEncoding.DecodeString(string(bearer.FindSubmatch(o.wire)[1]))
			var token struct {
				Sub int64 `json:"sub,string"`
			}
			if err := errors.Join(err, json.Unmarshal(claims, &token)); err != nil || !writers[token.Sub] {
				t.Errorf("user %d, no writer, sends a %s (error %v)", token.Sub, o.kind, err)
			}
		}
	}
}

func TestCheckAccepted_RejectsRefusals(t *testing.T) {
	for body, good := range map[string]bool{
		`{"data":{"likePost":{"userErrors":[]}}}`:                            true,
		`{"data":{"likePost":{"userErrors":[{"code":"NOT_FOUND"}]}}}`:        false,
		`{"errors":[{"message":"x"}],"data":{"likePost":{"userErrors":[]}}}`: false,
		`{"data":null}`: false,
	} {
		if err := checkAccepted([]byte(body)); (err == nil) != good {
			t.Errorf("the response %s gives the error %v", body, err)
		}
	}
}

func TestLatencies_ParseLogOfPgbench(t *testing.T) {
	got, err := latencies("0 1 560 0 1764180000 1\n0 2 612 0 1764180000 2\n")
	if diff := cmp.Diff([]float64{560, 612}, got); diff != "" || err != nil {
		t.Errorf("the latencies differ (error %v, -want +got):\n%s", err, diff)
	}
	for _, broken := range []string{"0 1\n", "0 1 x 0 1 1\n"} {
		if _, err := latencies(broken); err == nil {
			t.Errorf("the log %q has no error", broken)
		}
	}
}

func TestScheduled_IsTimeOnProcessor(t *testing.T) {
	if got, err := scheduled("228659 112547 2\n"); got != 228659 || err != nil {
		t.Errorf("the time is %v (error %v), want 228659 ns", got, err)
	}
}

func TestCheckRest_ComparesPosts(t *testing.T) {
	want := []world.Post{{ID: 8, Author: 7, TS: 25, Text: "a text"}}
	const body = `{"posts":[{"post":{"id":"8","text":"a text","publishedAt":"1970-01-01T00:00:00.025Z","author":{"id":"7","handle":"user7"}},"counters":{"likes":1}}]}`
	if err := checkRest([]byte(body), want); err != nil {
		t.Error(err)
	}
	for change, other := range map[string]string{`"8"`: `"9"`, `a text`: `another`, `.025`: `.026`, `user7`: `user8`, `"likes":1`: `"likes":2`} {
		if err := checkRest([]byte(strings.Replace(body, change, other, 1)), want); err == nil {
			t.Errorf("a page with another %s passes", change)
		}
	}
}
