package bench_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

func TestWrites_StoredRatiosMatchFigures(t *testing.T) {
	var stored bench.Writes
	read(t, "writes.json", &stored)
	again := stored
	again.Compare(bench.WriteGoals())
	same(t, "the rows", stored.Rows, again.Rows)
}

// A sample counts for the innermost function with a purpose.
func TestParts_DivideWarmPage(t *testing.T) {
	const module = "github.com/tideline-feeds/tideline"
	parts := bench.Parts(sampled(map[string]int64{
		"net/http.serve " + module + "/resolvers.page " + module + "/graph/pagejson.append runtime.mallocgc":          40,
		"net/http.serve " + module + "/feed/timeline.(*Timeline).Page " + module + "/feed.Judge runtime.mallocgc":     10,
		module + "/feed/timeline.(*Timeline).Page " + module + "/feed/redisstore.read github.com/redis/go-redis.read": 20,
		module + "/internal/edge/guard.measure":                              5,
		module + "/feed/timeline.(*Timeline).Page " + module + "/feed.Merge": 15,
		"runtime.gcBgMarkWorker":                                             10,
	}), 200, 7)
	want := []bench.Part{{What: "GraphQL", Micros: 80}, {What: "exactness", Micros: 37}, {What: "visibility", Micros: 20}, {What: "limits", Micros: 10}, {What: "HTTP and stores", Micros: 40}, {What: "other", Micros: 20}}
	same(t, "the parts", parts, want)
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
		check(t, err)
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
