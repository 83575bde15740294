package gateway

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

func TestLeeway_AppliesToAllVerifiers(t *testing.T) {
	const leeway = time.Minute
	s := newSigner(t, "one", "EdDSA")
	p := newProvider(t, s.jwk(t))
	for name, c := range map[string]struct {
		verifier func(now func() time.Time) Verifier
		sign     func(nbf time.Time) string
	}{
		"secret": {
			func(now func() time.Time) Verifier { return NewTokensWithLeeway(testSecret, leeway, now) },
			func(nbf time.Time) string {
				return forge(hs256, fmt.Sprintf(`{"sub":"7","exp":%d,"nbf":%d}`, noon.Add(time.Hour).Unix(), nbf.Unix()), testSecret)
			},
		},
		"key set": {
			func(now func() time.Time) Verifier {
				return p.keySet(t, &clock{}, func(o *KeySetOptions) { o.Leeway, o.Now = leeway, now })
			},
			func(nbf time.Time) string { return s.sign(t, claim("nbf", nbf.Unix())) },
		},
	} {
		verify := func(nbf time.Time, at time.Duration) (Identity, error) {
			return c.verifier(later(at)).Verify(t.Context(), c.sign(nbf))
		}
		id, err := verify(noon.Add(leeway), 0)
		if want := noon.Add(time.Hour + leeway); err != nil || !id.Expires.Equal(want) {
			t.Errorf("%s: the token expires at %v, want %v: %v", name, id.Expires, want, err)
		}
		if _, err := verify(noon.Add(leeway+time.Second), 0); err == nil {
			t.Errorf("%s: a token is valid too early", name)
		}
		if _, err := verify(noon, time.Hour+leeway-time.Second); err != nil {
			t.Errorf("%s: a token expires too early: %v", name, err)
		}
		if _, err := verify(noon, time.Hour+leeway); err == nil {
			t.Errorf("%s: a token is valid too long", name)
		}
		resp := serve(Sessions(SessionOptions{Tokens: testTokens(), Verifier: c.verifier(atNoon), Log: discard()}),
			localRequest(http.MethodPost, "/session", `{"token":"`+c.sign(noon)+`"}`))
		if got, want := sessionCookie(t, resp).MaxAge, int((time.Hour + leeway).Seconds()); got != want {
			t.Errorf("%s: the cookie lasts %d seconds, want %d", name, got, want)
		}
	}
}
