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
		for _, step := range []struct {
			nbf   time.Time
			at    time.Duration // after noon
			valid bool
		}{
			{noon.Add(leeway), 0, true},
			{noon.Add(leeway + time.Second), 0, false},
			{noon, time.Hour + leeway - time.Second, true},
			{noon, time.Hour + leeway, false},
		} {
			id, err := c.verifier(later(step.at)).Verify(t.Context(), c.sign(step.nbf))
			if (err == nil) != step.valid || step.valid && !id.Expires.Equal(noon.Add(time.Hour+leeway)) {
				t.Errorf("%s: %+v gets %v, and expires at %v", name, step, err, id.Expires)
			}
		}
		resp := serve(Sessions(SessionOptions{Tokens: testTokens(), Verifier: c.verifier(atNoon), Log: discard()}),
			localRequest(http.MethodPost, "/session", `{"token":"`+c.sign(noon)+`"}`))
		if got, want := sessionCookie(t, resp).MaxAge, int((time.Hour + leeway).Seconds()); got != want {
			t.Errorf("%s: the cookie lasts %d seconds, want %d", name, got, want)
		}
	}
}
