package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// expensive is a request that takes nearly all of the smallest budget, for a user who does not exist.
const expensive = `{"query":"{ user(handle: \"unknown\") { posts(first: 100) { nodes { comments(first: 90) { nodes { id } } } } } }"}`

func TestLimits_ProcessesCountTogether(t *testing.T) {
	t.Parallel()
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ROLE=api",
		"TIDELINE_RATE_LIMIT=10000", "TIDELINE_ADDRESS_RATE_LIMIT=15000", "TIDELINE_TRUSTED_PROXIES=127.0.0.1",
	}
	one, other := startServer(t, env...), startServer(t, env...)
	const there, elsewhere = "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10"
	ann, ben := "Authorization: Bearer "+harness.TokenFor(t, 1), "Authorization: Bearer "+harness.TokenFor(t, 2)
	for _, c := range []struct {
		server  *server
		headers []string
		want    int
		because string
	}{
		{one, []string{ann, there}, http.StatusOK, "the budgets of Ann and the address are full"},
		{other, []string{ann, elsewhere}, http.StatusTooManyRequests, "Ann's budget is spent at every address"},
		{other, []string{ben, there}, http.StatusTooManyRequests, "Ben has spent nothing, but the address has only 6,000 left"},
		{other, []string{there}, http.StatusTooManyRequests, "the address's budget applies to anonymous requests"},
		{one, []string{elsewhere}, http.StatusOK, "another address has its own budget"},
		{one, []string{"X-Forwarded-For: 2001:db8::1"}, http.StatusOK, "an IPv6 network has its own budget"},
		{one, []string{"X-Forwarded-For: 2001:db8::2"}, http.StatusTooManyRequests, "addresses of one IPv6 network share it"},
		{one, nil, http.StatusOK, "clients without a forwarded address share one"},
		{other, []string{ann}, http.StatusTooManyRequests, "and it is spent"},
		{other, []string{"X-Forwarded-For: unknown"}, http.StatusTooManyRequests, "an invalid address does not help"},
	} {
		got := c.server.send(t, http.MethodPost, "/graphql", expensive, c.headers...)
		if got.StatusCode != c.want {
			t.Errorf("with %v the status is %d, want %d: %s", c.headers, got.StatusCode, c.want, c.because)
		}
		if limited := got.StatusCode == http.StatusTooManyRequests; limited != (got.Header.Get("Retry-After") != "") {
			t.Errorf("with %v the status is %d and Retry-After is %s", c.headers, got.StatusCode, got.Header.Get("Retry-After"))
		}
	}
}

func TestPersisted_QueryIsKnownToAllProcesses(t *testing.T) {
	t.Parallel()
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ROLE=api",
	}
	one, other := startServer(t, env...), startServer(t, env...)
	const query = `{ viewer { user { name } } }`
	extension := fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":%q}}`, sha256Of(query))
	if got := other.send(t, http.MethodPost, "/graphql", `{"extensions":`+extension+`}`); !cmp.Equal(got.codes(t), []string{"PERSISTED_QUERY_NOT_FOUND"}) {
		t.Errorf("before the query was sent: %s", got.body)
	}
	for _, s := range []*server{one, other} {
		body := `{"extensions":` + extension + `}`
		if s == one {
			body = `{"query":"` + query + `","extensions":` + extension + `}`
		}
		if got := s.send(t, http.MethodPost, "/graphql", body); !strings.HasPrefix(got.body, `{"data":{"viewer":null}`) {
			t.Errorf("the response to %s is %s", body, got.body)
		}
	}
}

func TestPersisted_ClientsHaveQuotasOfTheirOwn(t *testing.T) {
	t.Parallel()
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ROLE=api", "TIDELINE_TRUSTED_PROXIES=127.0.0.1",
		// Disabling cost budgets does not change the quota.
		"TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0",
	}
	one, other := startServer(t, env...), startServer(t, env...)
	const there, elsewhere = "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10"
	ann := "Authorization: Bearer " + harness.TokenFor(t, 1)
	register := func(query string, headers ...string) {
		body := fmt.Sprintf(`{"query":%q,"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, query, sha256Of(query))
		if got := one.send(t, http.MethodPost, "/graphql", body, headers...); got.StatusCode != http.StatusOK || len(got.codes(t)) > 0 {
			t.Fatalf("with %v the response is %s", headers, got.body)
		}
	}
	for n := range 150 { // more than the 127 of a quota
		register(fmt.Sprintf("{a%d:__typename}", n), there)
	}
	n := 0
	// stores reports whether a text is stored. At the end a quota has room for less than one of these,
	// and refills slowly.
	stores := func(headers ...string) bool {
		query := fmt.Sprintf("{b%d:__typename%s}", n, strings.Repeat(" ", 10_000))
		n++
		register(query, headers...)
		body := fmt.Sprintf(`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, sha256Of(query))
		return len(other.send(t, http.MethodPost, "/graphql", body, headers...).codes(t)) == 0
	}
	// While Redis does not answer in time, as on a busy machine, a process counts alone.
	eventually.True(t, "a client has spent its quota", func() bool { return !stores(there) })
	eventually.True(t, "another client has one", func() bool { return stores(elsewhere) })
	eventually.True(t, "a user has one", func() bool { return stores(ann, there) })
}

func sha256Of(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestTrusted_RefusesOtherDocuments(t *testing.T) {
	t.Parallel()
	const query = `query Me { viewer { user { name } } }`
	manifest, err := json.Marshal(map[string]string{"sha256:" + sha256Of(query): query})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "trusted.json")
	if err := os.WriteFile(file, manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_TRUSTED_DOCUMENTS="+file, "TIDELINE_TRUSTED_ONLY=true")
	if got := s.send(t, http.MethodPost, "/graphql", `{"documentId":"sha256:`+sha256Of(query)+`"}`); !strings.HasPrefix(got.body, `{"data":{"viewer":null}`) {
		t.Errorf("the response to the trusted document is %s", got.body)
	}
	if got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ __typename }"}`); !cmp.Equal(got.codes(t), []string{"FORBIDDEN"}) {
		t.Errorf("the response to another document is %s", got.body)
	}
}

func TestLimits_UnusableValuesStopTheStart(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte(`{"a":"{ nothing }"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--rate-limit=9999"}, "--rate-limit must be 0, or from 10000 to 10000000, not 9999"},
		{[]string{"--address-rate-limit=10000001"}, "--address-rate-limit must be 0, or from 10000"},
		{[]string{"--operations-max=-1"}, "--operations-max must be from 0"},
		{[]string{"--trusted-proxies=proxy.example"}, `--trusted-proxies: "proxy.example" is neither an address nor a network`},
		{[]string{"--trusted-only"}, "needs --trusted-documents"},
		{[]string{"--trusted-documents=" + broken + ".not"}, "--trusted-documents: open"},
		{[]string{"--trusted-documents=" + broken}, `the document "a": `},
	} {
		code, _, stderr := harness.RunMain(t, append(c.args, "--addr=127.0.0.1:0", "--demo=false", "--data-dir="+t.TempDir())...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
	}
}
