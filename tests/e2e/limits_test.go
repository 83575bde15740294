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

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// dear is a request that takes nearly all of the smallest budget, for a user who is not
// there.
const dear = `{"query":"{ user(handle: \"nobody\") { posts(first: 100) { nodes { comments(first: 90) { nodes { id } } } } } }"}`

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
		{one, []string{ann, there}, http.StatusOK, "her budget is full, and the address's"},
		{other, []string{ann, elsewhere}, http.StatusTooManyRequests, "hers is spent, wherever she is"},
		{other, []string{ben, there}, http.StatusTooManyRequests, "the address has 6,000 left, though he has not spent any"},
		{other, []string{there}, http.StatusTooManyRequests, "and so for nobody in particular"},
		{one, []string{elsewhere}, http.StatusOK, "another address has its own"},
		{one, []string{"X-Forwarded-For: 2001:db8::1"}, http.StatusOK, "so has one of IPv6"},
		{one, []string{"X-Forwarded-For: 2001:db8::2"}, http.StatusTooManyRequests, "which it shares with its neighbours"},
		{one, nil, http.StatusOK, "all who are not told apart have one"},
		{other, []string{ann}, http.StatusTooManyRequests, "and share it"},
		{other, []string{"X-Forwarded-For: unknown"}, http.StatusTooManyRequests, "whatever they say"},
	} {
		got := c.server.send(t, http.MethodPost, "/graphql", dear, c.headers...)
		if got.StatusCode != c.want {
			t.Errorf("with %v it answers %d, want %d: %s", c.headers, got.StatusCode, c.want, c.because)
		}
		if limited := got.StatusCode == http.StatusTooManyRequests; limited != (got.Header.Get("Retry-After") != "") {
			t.Errorf("with %v it answers %d and Retry-After: %s", c.headers, got.StatusCode, got.Header.Get("Retry-After"))
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
		t.Errorf("before it was sent: %s", got.body)
	}
	for _, s := range []*server{one, other} {
		body := `{"extensions":` + extension + `}`
		if s == one {
			body = `{"query":"` + query + `","extensions":` + extension + `}`
		}
		if got := s.send(t, http.MethodPost, "/graphql", body); !strings.HasPrefix(got.body, `{"data":{"viewer":null}`) {
			t.Errorf("%s answers %s", body, got.body)
		}
	}
}

func TestPersisted_ClientsHaveQuotasOfTheirOwn(t *testing.T) {
	t.Parallel()
	env := []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_ROLE=api", "TIDELINE_TRUSTED_PROXIES=127.0.0.1",
		// Budgets of cost that are switched off leave the quota as it is.
		"TIDELINE_RATE_LIMIT=0", "TIDELINE_ADDRESS_RATE_LIMIT=0",
	}
	one, other := startServer(t, env...), startServer(t, env...)
	const there, elsewhere = "X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 203.0.113.10"
	ann := "Authorization: Bearer " + harness.TokenFor(t, 1)
	register := func(query string, headers ...string) {
		body := fmt.Sprintf(`{"query":%q,"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, query, sha256Of(query))
		if got := one.send(t, http.MethodPost, "/graphql", body, headers...); got.StatusCode != http.StatusOK || len(got.codes(t)) > 0 {
			t.Fatalf("with %v it answers %s", headers, got.body)
		}
	}
	for n := range 150 { // more than the 127 of a quota
		register(fmt.Sprintf("{a%d:__typename}", n), there)
	}
	for i, c := range []struct {
		headers []string
		stored  bool
	}{
		{[]string{there}, false},
		{[]string{elsewhere}, true},
		{[]string{ann, there}, true},
	} {
		// The quota holds less than one short text at the end, and refills meanwhile.
		query := fmt.Sprintf("{b%d:__typename%s}", i, strings.Repeat(" ", 10_000))
		register(query, c.headers...)
		body := fmt.Sprintf(`{"extensions":{"persistedQuery":{"version":1,"sha256Hash":%q}}}`, sha256Of(query))
		got := other.send(t, http.MethodPost, "/graphql", body, c.headers...)
		if stored := len(got.codes(t)) == 0; stored != c.stored {
			t.Errorf("the query sent with %v is stored: %t, want %t: %s", c.headers, stored, c.stored, got.body)
		}
	}
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
		t.Errorf("the trusted document answers %s", got.body)
	}
	if got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ __typename }"}`); !cmp.Equal(got.codes(t), []string{"FORBIDDEN"}) {
		t.Errorf("another answers %s", got.body)
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
		{[]string{"--trusted-proxies=proxy.example"}, `--trusted-proxies: "proxy.example" is no address`},
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
