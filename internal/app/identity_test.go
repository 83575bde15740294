package app

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

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
