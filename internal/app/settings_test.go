package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/resolvers"
)

func TestRedisSettings_SelectServers(t *testing.T) {
	const one, other = "redis://one", "redis://other"
	for _, c := range []struct {
		inbox, redis, queue string
		wantMain, wantQueue string
		wantEmbedded        bool
		because             string
	}{
		{"redis", Embedded, "", Embedded, Embedded, true, "nothing is named"},
		{"redis", one, "", one, one, false, "one is named for everything"},
		{"redis", one, other, one, other, false, "each is named"},
		{"redis", Embedded, other, Embedded, other, true, "nothing says that inboxes may be kept beside the tasks"},
		{"sql", Embedded, "", Embedded, Embedded, true, "nothing is named"},
		{"sql", one, "", one, one, false, "one is named for everything"},
		{"sql", one, other, one, other, false, "each is named"},
		{"sql", Embedded, other, other, other, false, "only messages are left, and the queues' Redis is shared"},
	} {
		got := RedisSettings{RedisURL: c.redis, QueueRedisURL: c.queue}.Servers(c.inbox)
		if got.Main.URL != c.wantMain || got.Queue.URL != c.wantQueue || got.IsEmbedded() != c.wantEmbedded {
			t.Errorf("inboxes in %s, --redis-url=%s --queue-redis-url=%s: got %+v; %s", c.inbox, c.redis, c.queue, got, c.because)
		}
	}
}

func TestActivitySettings_AllowBothBounds(t *testing.T) {
	for _, d := range []time.Duration{time.Minute, 87600 * time.Hour} {
		s := feedSettings{ActivitySettings: ActivitySettings{ActiveFor: d}, SubtaskSize: 1, PushTogether: 1, ChangesKept: d, ReorderWindow: d, InboxSettings: InboxSettings{InboxCap: 1}}
		if err := s.Check(); err != nil {
			t.Errorf("--active-for=%v: %v", d, err)
		}
	}
}

func TestPolicy_KeepsInboxTwiceAsLong(t *testing.T) {
	p := feedSettings{ActivitySettings: ActivitySettings{ActiveFor: 36 * time.Hour}}.policy()
	if p.ActiveFor != 36*time.Hour || p.DormantFor != 36*time.Hour {
		t.Errorf("active for %v and kept for %v after that, want 36h each", p.ActiveFor, p.DormantFor)
	}
}

func TestIntrospection_IsLocalByDefault(t *testing.T) {
	for _, c := range []struct {
		setting, addr string
		want          bool
	}{
		{"auto", "127.0.0.1:8080", true},
		{"auto", "localhost:8080", true},
		{"auto", ":8080", false},
		{"auto", "192.0.2.1:8080", false},
		{"on", ":8080", true},
		{"off", "127.0.0.1:8080", false},
	} {
		if got := (browserSettings{Introspection: c.setting}).introspects(c.addr); got != c.want {
			t.Errorf("--introspection=%s --addr=%s: introspection allowed is %v", c.setting, c.addr, got)
		}
	}
}

// A user who can read the generated secret could otherwise sign in as anyone.
func TestVerifiers_IgnoreGeneratedSecretWithKeySet(t *testing.T) {
	const keys, secret = "https://id.example/keys", "a secret that only tests are signed with"
	token, err := gateway.NewTokens([]byte(secret), time.Now).Sign(gateway.Claims{User: 10}, time.Hour)
	check(t, err)
	for _, c := range []struct {
		name      string
		settings  identitySettings
		made, own bool
	}{
		{"nothing is set", identitySettings{}, true, false},
		{"a secret", identitySettings{TokenSettings: TokenSettings{JWTSecret: secret}}, false, true},
		{"a key set", identitySettings{JWKSURL: keys}, false, false},
		{"both", identitySettings{JWKSURL: keys, TokenSettings: TokenSettings{JWTSecret: secret}}, false, true},
	} {
		dir := t.TempDir()
		verifiers, err := c.settings.verifiers(DatabaseSettings{DataDir: dir}, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		files, err := os.ReadDir(dir)
		if err != nil || (len(files) > 0) != c.made {
			t.Errorf("%s: %d files were created, %v", c.name, len(files), err)
		}
		_, err = verifiers.Verify(t.Context(), token)
		if (err == nil) != c.own || err != nil && feed.CodeOf(err) != feed.CodeUnauthenticated {
			t.Errorf("%s: a token of the secret got %v", c.name, err)
		}
		_, err = verifiers.Secret.Sign(gateway.Claims{User: 1}, time.Minute)
		if signs := err == nil; signs != (c.made || c.own) {
			t.Errorf("%s: demo sign-in enabled is %v", c.name, signs)
		}
	}
}

func TestReachable_ReplacesWildcardAddress(t *testing.T) {
	for _, c := range []struct {
		ip   net.IP
		want string
	}{
		{net.IPv4(127, 0, 0, 1), "127.0.0.1:8080"},
		{net.IPv6loopback, "[::1]:8080"},
		{net.IPv4(10, 0, 0, 7), "10.0.0.7:8080"},
		{net.IPv4zero, "localhost:8080"},
		{net.IPv6unspecified, "localhost:8080"},
	} {
		if got := reachable(&net.TCPAddr{IP: c.ip, Port: 8080}); got != c.want {
			t.Errorf("reachable(%v) = %s, want %s", c.ip, got, c.want)
		}
	}
}

func TestServer_HidesPasswordsOfItsStores(t *testing.T) {
	c := &Server{}
	c.DatabaseURL, c.RedisURL, c.QueueRedisURL = "postgres://ann:hunter2@db/feeds", "redis://:hunter2@cache", "redis-sentinel://:hunter2@one/main"
	if got := c.places(); strings.Contains(got, "hunter2") || !strings.Contains(got, "queues      redis-sentinel://one:26379/main") {
		t.Errorf("places returned\n%s", got)
	}
}

func TestPostgresSettings_DefaultsEqualStore(t *testing.T) {
	var s struct{ postgresSettings }
	parser, err := kong.New(&s)
	check(t, err)
	_, err = parser.Parse(nil)
	check(t, err)
	d := sqlstore.DefaultPostgres()
	want := postgresSettings{
		d.Conns, d.IdleFor, d.LivesFor, d.WaitFor, d.ConnectWithin, d.StatementWithin, d.LockWithin, d.IdleInTxWithin, d.SilentFor,
	}
	if s.postgresSettings != want {
		t.Errorf("the flags are %+v, the store has %+v", s.postgresSettings, want)
	}
}

func TestPostgresSettings_DetectSilenceWithinOperation(t *testing.T) {
	d := sqlstore.DefaultPostgres()
	if noticed := d.SilentFor + d.SilentFor/2 + d.ConnectWithin; noticed > OperationTimeout-3*time.Second {
		t.Errorf("detection takes up to %v, an operation %v", noticed, OperationTimeout)
	}
}

// A proxy on the same machine may look like a local client.
func TestAdmin_DemandsTokenThatIsSet(t *testing.T) {
	token := strings.Repeat("operator", 4)
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, c := range []struct {
		set, given string
		want       int
	}{
		{token, "", http.StatusUnauthorized},
		{token, "another", http.StatusUnauthorized},
		{token, token, http.StatusOK},
		{"", "", http.StatusOK},
	} {
		admin := adminSettings{AdminAddr: "127.0.0.1:9090", AdminToken: c.set}.admin(operatorEndpoints{metrics: ok, queues: ok, health: &health{}})
		for _, path := range []string{"/metrics", "/tasks", "/debug/pprof/cmdline"} {
			r := httptest.NewRequest(http.MethodGet, "http://localhost:9090"+path, nil)
			r.RemoteAddr = "127.0.0.1:51000"
			if c.given != "" {
				r.Header.Set("Authorization", "Bearer "+c.given)
			}
			w := httptest.NewRecorder()
			admin.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("with the token %q set, %s with %q returns %d, want %d", c.set, path, c.given, w.Code, c.want)
			}
		}
	}
}

// Strangers never count for a user, nor a user for their address.
func TestHolder_IsUserServiceOrAddress(t *testing.T) {
	const address = "192.0.2.1"
	for _, c := range []struct {
		viewer             feed.UserID
		service            string
		shared             bool
		holder, connection string
	}{
		{0, "", false, address, address},
		{0, "", true, address, ""},
		{7, "", false, "user:7", "user:7"},
		{7, "", true, "user:7", "user:7"},
		{0, "content", true, "service:content", "service:content"},
		{7, "content", false, "service:content", "service:content"},
	} {
		ctx := resolvers.WithOrigin(context.Background(), resolvers.Origin{Address: address, Shared: c.shared})
		ctx = resolvers.WithService(ctx, c.service, c.viewer)
		if holder, connection := holderKey(ctx), connectionKey(ctx); holder != c.holder || connection != c.connection {
			t.Errorf("viewer %d by %q, shared %t: %q and %q, want %q and %q", c.viewer, c.service, c.shared, holder, connection, c.holder, c.connection)
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
