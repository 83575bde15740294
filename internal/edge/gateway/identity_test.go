package gateway

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// forge makes a token signed with HS256, without the library under test.
func forge(header, payload string, key []byte) string {
	enc := base64.RawURLEncoding.EncodeToString
	signed := enc([]byte(header)) + "." + enc([]byte(payload))
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(signed))
	return signed + "." + enc(mac.Sum(nil))
}

const (
	hs256   = `{"alg":"HS256","typ":"JWT"}`
	payload = `{"sub":"7","exp":1715950800}` // an hour after noon
)

func TestVerify_ReturnsSignedClaims(t *testing.T) {
	for _, claims := range []Claims{ann, root} {
		got, err := testTokens().Verify(t.Context(), mustSign(t, claims))
		noError(t, err)
		want := Identity{Claims: claims, Expires: noon.Add(time.Hour)}
		wantEqual(t, want, got, "the identity differs")
	}
}

// The token comes from another service with the same secret. The keys that its header links to
// are ignored.
func TestVerify_AcceptsTokensOfOtherServices(t *testing.T) {
	header := `{"alg":"HS256","kid":"x","jku":"https://evil.example/keys","x5u":"https://evil.example/cert","jwk":{"kty":"oct","k":"AAAA"}}`
	got, err := testTokens().Verify(t.Context(), forge(header, `{"sub":"7","exp":1715950800,"aud":"other","role":"user"}`, testSecret))
	noError(t, err)
	if got.User != 7 || got.Admin {
		t.Errorf("the identity is %+v, want user 7 and no administrator", got)
	}
}

// Whatever else is a role of another system, and gives nothing here.
func TestVerify_RoleIsOneOfThree(t *testing.T) {
	for role, want := range map[string]Claims{
		"admin": {User: 7, Admin: true}, "moderator": {User: 7, Moderator: true},
		"Moderator": {User: 7}, "moderator admin": {User: 7}, "": {User: 7},
	} {
		got, err := testTokens().Verify(t.Context(), forge(hs256, fmt.Sprintf(`{"sub":"7","exp":1715950800,"role":%q}`, role), testSecret))
		noError(t, err)
		wantEqual(t, want, got.Claims, "the claims of role %q", role)
	}
	moderator := Claims{User: 7, Moderator: true}
	got, err := testTokens().Verify(t.Context(), mustSign(t, moderator))
	noError(t, err)
	wantEqual(t, moderator, got.Claims, "the claims of a signed token")
	if _, err := testTokens().Sign(Claims{Service: "content", Moderator: true}, time.Hour); err == nil {
		t.Error("a service gets a token with a role")
	}
}

func TestVerify_RefusesInvalidTokens(t *testing.T) {
	good := forge(hs256, payload, testSecret)
	parts := strings.Split(good, ".")
	for name, c := range map[string]struct{ token, message string }{
		"an empty token":                  {"", "the token is not valid"},
		"garbage between two dots":        {"%%.\x00.é", "the token is not valid"},
		"algorithm none without one":      {stripSignature(forge(`{"alg":"none"}`, payload, nil)), "the token is not valid"},
		"HS512 in the header":             {forge(`{"alg":"HS512"}`, payload, testSecret), "the token is not valid"},
		"another secret":                  {forge(hs256, payload, bytes.Repeat([]byte("x"), 32)), "the token is not valid"},
		"another payload's signature":     {parts[0] + "." + strings.Split(forge(hs256, `{"sub":"1","exp":1715950800}`, testSecret), ".")[1] + "." + parts[2], "the token is not valid"},
		"critical extensions":             {forge(`{"alg":"HS256","crit":["b64"],"b64":false}`, payload, testSecret), "the token is not valid"},
		"no expiry":                       {forge(hs256, `{"sub":"7"}`, testSecret), "the token has no expiry"},
		"expires this very second":        {forge(hs256, `{"sub":"7","exp":1715947200}`, testSecret), "the token has expired"},
		"not yet valid":                   {forge(hs256, `{"sub":"7","exp":1715950800,"nbf":1715947260}`, testSecret), "the token is not valid yet"},
		"expired and of another secret":   {forge(hs256, `{"sub":"7","exp":1}`, []byte("wrong")), "the token is not valid"},
		"a subject that is a name":        {forge(hs256, `{"sub":"ann","exp":1715950800}`, testSecret), "the token's subject is not a user id"},
		"a subject above 2^63-1":          {forge(hs256, `{"sub":"9223372036854775808","exp":1715950800}`, testSecret), "the token's subject is not a user id"},
		"a subject that is a JSON number": {forge(hs256, `{"sub":7,"exp":1715950800}`, testSecret), "the token is not valid"},
		"a huge token":                    {forge(hs256, `{"sub":"7","exp":1715950800,"name":"`+strings.Repeat("a", 1<<20)+`"}`, testSecret), "the token is longer than 3800 bytes"},
	} {
		t.Run(name, func(t *testing.T) { wantUnauthenticated(t, testTokens(), c.token, c.message) })
	}
	if _, err := testTokens().Verify(t.Context(), good); err != nil {
		t.Errorf("the unchanged token is not valid: %v", err)
	}
}

func stripSignature(token string) string { return token[:strings.LastIndex(token, ".")+1] }

func wantUnauthenticated(t *testing.T, tokens Verifier, token, message string) {
	t.Helper()
	_, err := tokens.Verify(t.Context(), token)
	var e *feed.Error
	if !errors.As(err, &e) || e.Code != feed.CodeUnauthenticated || e.Message != message {
		t.Errorf("the error is %v, want UNAUTHENTICATED with %q", err, message)
	}
}

func TestTokens_WeakSecretAcceptsNothing(t *testing.T) {
	for _, secret := range [][]byte{nil, {}, testSecret[:MinSecret-1]} {
		tokens := NewTokens(secret, atNoon)
		wantUnauthenticated(t, tokens, forge(hs256, payload, secret), "this server accepts no tokens")
		if _, err := tokens.Sign(ann, time.Hour); err == nil {
			t.Errorf("a secret of %d bytes signs", len(secret))
		}
	}
}

func TestSign_RefusesInvalidClaims(t *testing.T) {
	long := ann
	long.Picture = strings.Repeat("p", maxToken)
	for name, c := range map[string]struct {
		claims Claims
		ttl    time.Duration
	}{
		"anonymous":          {Claims{}, time.Hour},
		"a negative user":    {Claims{User: -1}, time.Hour},
		"no time":            {ann, 0},
		"less than a tick":   {ann, 999 * time.Millisecond},
		"more than a cookie": {long, time.Hour},
	} {
		if token, err := testTokens().Sign(c.claims, c.ttl); err == nil {
			t.Errorf("%s: a token of %d bytes was signed", name, len(token))
		}
	}
}

// FuzzVerify searches for text that makes Verify panic, or that it accepts without a valid
// signature.
func FuzzVerify(f *testing.F) {
	f.Add(forge(hs256, payload, testSecret))
	f.Add(forge(`{"alg":"none"}`, payload, nil))
	f.Add(forge(hs256, `{"sub":7}`, testSecret))
	f.Add("..")
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		id, err := testTokens().Verify(t.Context(), token)
		if err != nil {
			if feed.CodeOf(err) != feed.CodeUnauthenticated {
				t.Fatalf("%q is refused with %v", token, err)
			}
			return
		}
		if id.User < 1 || !id.Expires.After(noon) {
			t.Fatalf("%q is accepted as %+v", token, id)
		}
		if !signedBySecret(token) {
			t.Fatalf("%q is accepted without the secret's signature", token)
		}
	})
}

// signedBySecret reports whether the secret signed the token.
func signedBySecret(token string) bool {
	dot := strings.LastIndex(token, ".")
	mac := hmac.New(sha256.New, testSecret)
	mac.Write([]byte(token[:dot]))
	sum, err := base64.RawURLEncoding.DecodeString(token[dot+1:])
	return err == nil && hmac.Equal(sum, mac.Sum(nil))
}

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

// The library would convert such numbers to times of the past, or read them from text.
func TestVerify_RefusesWrongTimesByName(t *testing.T) {
	for _, claim := range []string{"exp", "nbf", "iat"} {
		for _, value := range []string{"9223372036854775807", "1e19", "-1e19", "1e999", "9007199254740993000", `"1715950800"`, `"soon"`, "true", "[1]", "{}"} {
			body := strings.Replace(`{"sub":"7","exp":1715950800}`, "}", `,"`+claim+`":`+value+"}", 1)
			_, err := testTokens().Verify(t.Context(), forge(hs256, body, testSecret))
			if want := "the token's " + claim + " must be a number of seconds up to 2^53"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", body, err, want)
			}
		}
	}
}

// A stranger, who has no valid signature, learns nothing about the claims.
func TestVerify_TellsStrangersNothingOfTimes(t *testing.T) {
	_, err := testTokens().Verify(t.Context(), forge(hs256, `{"sub":"7","exp":1e19}`, bytes.Repeat([]byte("x"), MinSecret)))
	if err == nil || strings.Contains(err.Error(), "exp") {
		t.Errorf("the error is %v, want one that does not name exp", err)
	}
}

func TestVerify_TakesExactTimes(t *testing.T) {
	for _, times := range []string{`"exp":1715950800`, `"exp":1715950800.5`, `"exp":9007199254740992`, `"exp":1715950800,"nbf":null,"iat":0`} {
		if _, err := testTokens().Verify(t.Context(), forge(hs256, `{"sub":"7",`+times+`}`, testSecret)); err != nil {
			t.Errorf("%s: %v", times, err)
		}
	}
}

// Otherwise a token of the secret with such a time would be verified by the key set, which names no
// claim.
func TestAlgorithm_IsReadWithWrongTimes(t *testing.T) {
	for _, value := range []string{"1e999", `"soon"`, "{}"} {
		if got := algorithm(forge(hs256, `{"sub":"7","exp":`+value+`}`, testSecret)); got != "HS256" {
			t.Errorf("with exp %s the algorithm is %q", value, got)
		}
	}
}

// damagedClaims are JSON values that decoding would alter.
var damagedClaims = map[string]string{
	"high surrogate alone":  `"a\ud83d"`,
	"low surrogate alone":   `"\ude00a"`,
	"surrogates turned":     `"\ude00\ud83d"`,
	"invalid UTF-8":         "\"a\xff\"",
	"cut UTF-8":             "\"a\xf0\x9f\x98\"",
	"surrogate in UTF-8":    "\"\xed\xa0\xbd\"",
	"overlong encoding":     "\"\xc0\xaf\"",
	"beside a valid escape": `"\u00e9\ud83d"`,
}

func TestVerify_DropsDamagedClaims(t *testing.T) {
	for name, value := range damagedClaims {
		for _, claim := range []string{"preferred_username", "name", "picture"} {
			claims := map[string]string{"preferred_username": `"ann"`, "name": `"Ann \ud83d\ude00"`, "picture": `"https://example.org/a.png"`}
			claims[claim] = value
			body := `{"sub":"7","exp":1715950800,"preferred_username":` + claims["preferred_username"] + `,"name":` + claims["name"] + `,"picture":` + claims["picture"] + `}`
			got, err := testTokens().Verify(t.Context(), forge(hs256, body, testSecret))
			noError(t, err)
			want := map[string]string{"preferred_username": "ann", "name": "Ann 😀", "picture": "https://example.org/a.png"}
			want[claim] = ""
			have := map[string]string{"preferred_username": got.Handle, "name": got.Name, "picture": got.Picture}
			wantEqual(t, want, have, "%s in %s: claims", name, claim)
			wantEqual(t, claim, got.Damaged, "%s in %s: damaged claims", name, claim)
		}
	}
}

func TestIdentify_LogsDamagedClaimsOnce(t *testing.T) {
	log, out := newLog()
	h := Identify(Authenticator{Verifier: testTokens(), Attach: keep, Log: log}, http.NotFoundHandler())
	token := forge(hs256, `{"sub":"7","exp":1715950800,"name":"\ud83d","preferred_username":"ann"}`, testSecret)
	for range 3 {
		serve(h, withBearer(localRequest(http.MethodGet, "/graphql", ""), token))
	}
	wantEqual(t, 1, strings.Count(out.String(), "ignored claims that are not valid Unicode"), "the lines about claims")
	wantContains(t, out.String(), "claims=name", "user=7")
}

func TestSecret_IsCreatedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := LoadOrCreateSecret(dir)
	noError(t, err)
	if len(first) != MinSecret || bytes.Equal(first, make([]byte, MinSecret)) {
		t.Errorf("the secret is %d bytes, %x", len(first), first)
	}
	again, err := LoadOrCreateSecret(dir)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the second start reads another secret (%v)", err)
	}
	elsewhere, err := LoadOrCreateSecret(t.TempDir())
	if err != nil || bytes.Equal(first, elsewhere) {
		t.Errorf("two directories have the secrets %x and %x (%v)", first, elsewhere, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the directory holds %v (%v), want the secret only", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v), want 0600", info.Mode(), err)
	}
}

func TestSecret_ConcurrentStartsAgree(t *testing.T) {
	const starters = 16
	dir := t.TempDir()
	secrets, errs := make([][]byte, starters), make([]error, starters)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range starters {
		wg.Go(func() {
			<-start
			secrets[i], errs[i] = LoadOrCreateSecret(dir)
		})
	}
	close(start)
	wg.Wait()
	for i := range starters {
		if errs[i] != nil || !bytes.Equal(secrets[i], secrets[0]) {
			t.Errorf("starter %d got another secret (%v)", i, errs[i])
		}
	}
}

func TestSecret_RefusesDamagedOrReadableFile(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		mode    os.FileMode
		says    string
	}{
		"cut short": {testSecret[:5], 0o600, "has 5 bytes instead of 32"},
		"empty":     {nil, 0o600, "has 0 bytes instead of 32"},
		"open":      {testSecret, 0o644, "is readable by other users (mode 0644)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, secretFile)
			noError(t, os.WriteFile(path, c.content, c.mode))
			_, err := LoadOrCreateSecret(dir)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("the error is %v, want the path and %q", err, c.says)
			}
		})
	}
}

func TestSecret_FailsWithoutDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	noError(t, os.WriteFile(file, nil, 0o600))
	if secret, err := LoadOrCreateSecret(filepath.Join(file, "data")); err == nil {
		t.Errorf("got a secret of %d bytes without a directory", len(secret))
	}
}

func TestSubjects_ReadTextIDs(t *testing.T) {
	down := false
	subjects := Subjects(func(_ context.Context, id feed.ExternalID) (feed.UserID, error) {
		if down {
			return 0, feed.Unavailable("the database", nil)
		}
		return map[feed.ExternalID]feed.UserID{"auth0|7": 70, "7": 71}[id], id.Check()
	})
	tokens := NewTokens(testSecret, atNoon).WithSubjects(subjects)
	sign := func(c Claims) string {
		token, err := tokens.Sign(c, time.Hour)
		noError(t, err)
		return token
	}
	for _, c := range []Claims{{User: 70, Subject: "auth0|7"}, {User: 71, Subject: "7"}} {
		if id, err := tokens.Verify(t.Context(), sign(c)); err != nil || id.User != c.User || id.Subject != c.Subject || id.publicUser() != string(c.Subject) {
			t.Errorf("the token of %s is that of %d, %q (error %v)", c.Subject, id.User, id.Subject, err)
		}
	}
	if _, err := tokens.Verify(t.Context(), sign(Claims{Subject: "a\nb"})); feed.CodeOf(err) != feed.CodeUnauthenticated {
		t.Errorf("a malformed subject gets error %v, want %s", err, feed.CodeUnauthenticated)
	}
	var log bytes.Buffer
	act := func() (viewer feed.UserID, status int) {
		a := Authenticator{
			Verifier: Verifiers{Secret: tokens}, Subjects: subjects, Log: slog.New(slog.NewTextHandler(&log, nil)),
			Attach: func(ctx context.Context, id Identity) (context.Context, error) { viewer = id.User; return ctx, nil },
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+sign(Claims{Service: "sync"}))
		r.Header.Set(ActForHeader, "auth0|7")
		w := httptest.NewRecorder()
		LogAccess(a.Log, atNoon, Identify(a, http.NotFoundHandler())).ServeHTTP(w, r)
		return viewer, w.Code
	}
	viewer, _ := act()
	wantEqual(t, 70, viewer, "whom the service acts for")
	if !strings.Contains(log.String(), "viewer=auth0|7 service=sync") {
		t.Errorf("the log does not name the user by the external id: %s", log.String())
	}
	down = true
	_, status := act()
	wantEqual(t, http.StatusServiceUnavailable, status, "the status without a database")
	if _, err := tokens.Verify(t.Context(), sign(Claims{Subject: "new"})); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("without a database a new subject gets error %v, want %s", err, feed.CodeUnavailable)
	}
}
