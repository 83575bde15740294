package gateway

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/feed"
)

func wantUser7(t *testing.T, v Verifier, token string) {
	t.Helper()
	id, err := v.Verify(t.Context(), token)
	if err != nil || id.User != 7 || id.Handle != "ann" {
		t.Errorf("the identity is %+v: %v", id, err)
	}
}

// oneKey returns a signer, the clock of its key set, the provider of its key, and the key set.
func oneKey(t *testing.T) (signer, *clock, *provider, *KeySet) {
	t.Helper()
	s, c := newSigner(t, "one", "ES256"), &clock{}
	p := newProvider(t, s.jwk(t))
	return s, c, p, p.keySet(t, c)
}

func wantUnavailable(t *testing.T, v Verifier, token string) {
	t.Helper()
	_, err := v.Verify(t.Context(), token)
	if feed.CodeOf(err) != feed.CodeUnavailable || clientMessage(err) != "the keys of the identity provider cannot be reached" {
		t.Errorf("the error is %v, want UNAVAILABLE without a cause", err)
	}
}

func TestKeySet_VerifiesEveryAlgorithm(t *testing.T) {
	for _, algorithm := range []string{
		"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
	} {
		s := newSigner(t, "one", algorithm)
		keys := newProvider(t, s.jwk(t), newSigner(t, "two", "ES256").jwk(t)).keySet(t, &clock{})
		wantUser7(t, keys, s.sign(t))
		wantUser7(t, keys, signer{"", algorithm, s.key}.sign(t))
		bare := newProvider(t, s.jwk(t, map[string]any{"alg": nil, "use": nil, "kid": nil})).keySet(t, &clock{})
		wantUser7(t, bare, signer{"", algorithm, s.key}.sign(t))
	}
	s := newSigner(t, "one", "ES256")
	keys := newProvider(t, s.jwk(t, map[string]any{"key_ops": []string{"verify"}})).keySet(t, &clock{})
	got, err := keys.Verify(t.Context(), s.sign(t, claim("role", "admin"), claim("name", "Ann"), claim("picture", "p")))
	want := Identity{Claims: Claims{User: 7, Handle: "ann", Name: "Ann", Picture: "p", Admin: true}, Expires: noon.Add(time.Hour + testLeeway)}
	noError(t, err)
	wantEqual(t, want, got, "the identity")
}

func TestKeySet_RequiresIssuerAndAudience(t *testing.T) {
	s := newSigner(t, "one", "ES256")
	keys := newProvider(t, s.jwk(t)).keySet(t, &clock{}, func(o *KeySetOptions) {
		o.Issuer, o.Audience = "https://id.example", "tideline"
	})
	iss, aud := claim("iss", "https://id.example"), claim("aud", "tideline")
	wantUser7(t, keys, s.sign(t, iss, aud))
	wantUser7(t, keys, s.sign(t, iss, claim("aud", []string{"other", "tideline"})))
	for _, c := range []struct {
		token, message string
	}{
		{s.sign(t, claim("iss", "https://id.example.evil"), aud), "the token has another issuer"},
		{s.sign(t, iss, claim("aud", "other")), "the token has another audience"},
		{s.sign(t, iss, claim("aud", []string{})), "the token lacks an issuer or audience"},
		{s.sign(t, iss), "the token lacks an issuer or audience"},
		{s.sign(t, aud), "the token lacks an issuer or audience"},
		{s.sign(t, iss, aud, claim("exp", nil)), "the token has no expiry"},
	} {
		wantUnauthenticated(t, keys, c.token, c.message)
	}
}

// An unknown key id triggers a fetch at once, after which the withdrawn key is refused.
func TestKeySet_FollowsKeyRotation(t *testing.T) {
	older, newer, c := newSigner(t, "older", "ES256"), newSigner(t, "newer", "ES256"), &clock{}
	p := newProvider(t, older.jwk(t))
	keys := p.keySet(t, c)
	wantEqual(t, 0, p.asked.Load(), "fetches before the first token")
	for range 3 {
		wantUser7(t, keys, older.sign(t))
	}
	wantEqual(t, 1, p.asked.Load(), "fetches for three tokens")
	p.publish(t, newer.jwk(t))
	c.advance(minFetchInterval)
	wantUser7(t, keys, newer.sign(t))
	wantUnauthenticated(t, keys, older.sign(t), "the token is not valid")
}

func TestKeySet_LimitsFetchesForUnknownKeys(t *testing.T) {
	s, c, p, keys := oneKey(t)
	wantUser7(t, keys, s.sign(t))
	for i := range 100 {
		wantUnauthenticated(t, keys, s.sign(t, header("kid", fmt.Sprint("made-up-", i))), "the token is not valid")
	}
	wantEqual(t, 1, p.asked.Load(), "fetches within five seconds of the first")
	c.advance(minFetchInterval)
	for i := range 100 {
		wantUnauthenticated(t, keys, s.sign(t, header("kid", fmt.Sprint("made-up-", i))), "the token is not valid")
		wantUser7(t, keys, s.sign(t))
	}
	wantEqual(t, 2, p.asked.Load(), "fetches")
}

// In the second half of that time, requests do not wait for the fetch.
func TestKeySet_RefusesWithdrawnKeyInTenMinutes(t *testing.T) {
	other := newSigner(t, "two", "ES256")
	s, c, p, keys := oneKey(t)
	wantUser7(t, keys, s.sign(t))
	p.publish(t, other.jwk(t))

	c.advance(keysFreshFor)
	release := p.holdAnswers()
	wantUser7(t, keys, s.sign(t))
	fetching := keys.fetch(t.Context())
	release()
	<-fetching
	wantUnauthenticated(t, keys, s.sign(t), "the token is not valid")

	p.publish(t, s.jwk(t))
	c.advance(2 * keysFreshFor)
	wantUnauthenticated(t, keys, other.sign(t), "the token is not valid")
}

// Before the first fetch and after an hour without one, the error is UNAVAILABLE rather than
// UNAUTHENTICATED.
func TestKeySet_SurvivesOutageForAnHour(t *testing.T) {
	s, c := newSigner(t, "one", "EdDSA"), &clock{}
	p := newProvider(t, s.jwk(t))
	p.answer(http.StatusBadGateway, "")
	keys := p.keySet(t, c)
	token := s.sign(t, claim("exp", noon.Add(24*time.Hour).Unix()))
	wantUnavailable(t, keys, token)
	wantUnavailable(t, keys, token)
	wantEqual(t, 1, p.asked.Load(), "fetches within five seconds")
	p.publish(t, s.jwk(t))
	c.advance(minFetchInterval)
	wantUser7(t, keys, token)

	p.answer(http.StatusInternalServerError, "")
	c.advance(keysMaxAge - time.Second)
	wantUser7(t, keys, token)
	c.advance(time.Second)
	wantUnavailable(t, keys, token)
	p.publish(t, s.jwk(t))
	c.advance(minFetchInterval)
	wantUser7(t, keys, token)
}

func TestKeySet_HangingProviderDelaysNoRequest(t *testing.T) {
	other := newSigner(t, "two", "ES256")
	s, c, p, keys := oneKey(t)
	token := s.sign(t)
	wantUser7(t, keys, token)
	p.answer(http.StatusBadGateway, "")
	c.advance(2 * keysFreshFor)
	wantUser7(t, keys, token)

	release := p.holdAnswers()
	for range 3 {
		c.advance(minFetchInterval)
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // end the waiting requests
		if _, err := keys.Verify(ctx, token); err != nil {
			t.Errorf("a token with a known key waited for the provider: %v", err)
		}
	}
	p.publish(t, other.jwk(t))
	fetching := keys.fetch(t.Context())
	release()
	<-fetching
	c.advance(minFetchInterval)
	wantUser7(t, keys, other.sign(t))
	wantUnauthenticated(t, keys, token, "the token is not valid")
}

func TestKeySet_KeepsKeysAfterBadFetch(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"no JSON":          {200, "<html>"},
		"no set":           {200, `[]`},
		"no keys":          {200, `{"keys":[]}`},
		"keys of no shape": {200, `{"keys":[5,null,"x",{}]}`},
		"too long":         {200, `{"keys":[]` + strings.Repeat(" ", keySetMax) + `}`},
		"too many":         {200, `{"keys":[` + strings.Repeat(`{},`, keysMax) + `{}]}`},
		"a redirect":       {302, ""},
		"not found":        {404, `{"keys":[]}`},
	} {
		s, c, p, keys := oneKey(t)
		wantUser7(t, keys, s.sign(t))
		p.answer(answer.status, answer.body)
		c.advance(2 * keysFreshFor)
		asked := p.asked.Load()
		wantUser7(t, keys, s.sign(t))
		wantEqual(t, 1, p.asked.Load()-asked, "%s requests", name)
	}
}

// A request that gives up does not end the fetch for others.
func TestKeySet_RequestsShareFetch(t *testing.T) {
	s, _, p, keys := oneKey(t)
	token := s.sign(t)
	release := p.holdAnswers()
	impatient, giveUp := context.WithCancelCause(t.Context())
	giveUp(errors.New("left"))
	if _, err := keys.Verify(impatient, token); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("the request that gave up got %v", err)
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { wantUser7(t, keys, token) })
	}
	release()
	all.Wait()
	wantEqual(t, 1, p.asked.Load(), "fetches for concurrent requests")
}

func TestCheckKeySetURL_RequiresHTTPSOrLoopback(t *testing.T) {
	for _, url := range []string{
		"https://id.example/keys", "https://id.example:8443/keys", "http://127.0.0.1:9000/keys", "http://localhost/keys", "http://[::1]/keys",
	} {
		if err := CheckKeySetURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{
		"", "keys", "/keys", "https://", "https:///keys", "http://id.example/keys", "http://127.0.0.1.evil.example/keys",
		"http://localhost.evil.example", "file:///etc/keys", "ftp://id.example", "https://user:password@id.example/keys", "https://%zz",
	} {
		if _, err := NewKeySet(KeySetOptions{URL: url}); err == nil {
			t.Errorf("%q is accepted", url)
		}
	}
}

func TestVerifiers_SelectByAlgorithm(t *testing.T) {
	s := newSigner(t, "one", "RS256")
	keys := newProvider(t, s.jwk(t)).keySet(t, &clock{})
	both := Verifiers{Secret: testTokens(), Keys: keys}
	wantUser7(t, both, s.sign(t))
	wantUser7(t, both, mustSign(t, ann))
	wantUser7(t, Verifiers{Secret: testTokens()}, mustSign(t, ann))
	wantUnauthenticated(t, Verifiers{Secret: testTokens()}, s.sign(t), "the token is not valid")
	wantUnauthenticated(t, Verifiers{Secret: NewTokens(nil, atNoon), Keys: keys}, mustSign(t, ann), "the token is not valid")
	wantUnauthenticated(t, both, strings.Repeat("x", maxToken+1), "the token is longer than 3800 bytes")
	wantUnauthenticated(t, both, "", "the token is not valid")
	wantUser7(t, both, s.sign(t, func(t *jwt.Token) { t.Header["typ"] = "at+jwt" }))
}

// provider is an identity provider that serves a key set.
type provider struct {
	*httptest.Server
	// asked counts the requests. While hold is set, responses wait until it is closed.
	asked atomic.Int64

	mu     sync.Mutex
	status int
	body   string
	hold   chan struct{}
}

func newProvider(t *testing.T, keys ...map[string]any) *provider {
	t.Helper()
	p := &provider{status: http.StatusOK}
	p.publish(t, keys...)
	p.Server = httptest.NewServer(p)
	t.Cleanup(p.Close)
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.asked.Add(1)
	p.mu.Lock()
	status, body, hold := p.status, p.body, p.hold
	p.mu.Unlock()
	if hold != nil {
		select {
		case <-hold:
		case <-r.Context().Done():
		}
	}
	if status == http.StatusFound {
		w.Header().Set("Location", p.URL+"/elsewhere")
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

// publish replaces the keys of the provider.
func (p *provider) publish(t *testing.T, keys ...map[string]any) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"keys": keys})
	noError(t, err)
	p.answer(http.StatusOK, string(body))
}

func (p *provider) answer(status int, body string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.body = status, body
}

// holdAnswers delays responses until release is called.
func (p *provider) holdAnswers() (release func()) {
	hold := make(chan struct{})
	p.mu.Lock()
	p.hold = hold
	p.mu.Unlock()
	return sync.OnceFunc(func() {
		p.mu.Lock()
		p.hold = nil
		p.mu.Unlock()
		close(hold)
	})
}

// clock is a clock that tests advance.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time          { return noon.Add(time.Duration(c.at.Load())) }
func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

const testLeeway = 30 * time.Second

// keySet returns a key set that uses the provider and the clock.
func (p *provider) keySet(t *testing.T, c *clock, changes ...func(*KeySetOptions)) *KeySet {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	o := KeySetOptions{URL: p.URL, Transport: transport, Leeway: testLeeway, Now: c.now, Log: discard()}
	for _, change := range changes {
		change(&o)
	}
	k, err := NewKeySet(o)
	noError(t, err)
	return k
}

// signer is a private key with its id and algorithm.
type signer struct {
	id, algorithm string
	key           crypto.Signer
}

// newSigner generates a key. RSA keys are shared, because generating them is slow.
func newSigner(t testing.TB, id, algorithm string) signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch algorithm {
	case "ES256":
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "ES384":
		key, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	case "ES512":
		key, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	case "EdDSA":
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		key, err = rsaKey()
	}
	noError(t, err)
	return signer{id, algorithm, key}
}

var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// sign returns a token of user 7 that is valid for an hour, with changes.
func (s signer) sign(t testing.TB, changes ...func(*jwt.Token)) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.GetSigningMethod(s.algorithm), jwt.MapClaims{
		"sub": "7", "exp": noon.Add(time.Hour).Unix(), "preferred_username": "ann",
	})
	if s.id != "" {
		token.Header["kid"] = s.id
	}
	for _, change := range changes {
		change(token)
	}
	text, err := token.SignedString(s.key)
	noError(t, err)
	return text
}

func claim(name string, value any) func(*jwt.Token) {
	return func(t *jwt.Token) { t.Claims.(jwt.MapClaims)[name] = value }
}

func header(name string, value any) func(*jwt.Token) {
	return func(t *jwt.Token) { t.Header[name] = value }
}

// jwk returns the public key as JSON, with additional or replaced members.
func (s signer) jwk(t testing.TB, members ...map[string]any) map[string]any {
	t.Helper()
	out := map[string]any{"kid": s.id, "use": "sig", "alg": s.algorithm}
	switch key := s.key.Public().(type) {
	case *rsa.PublicKey:
		out["kty"], out["n"], out["e"] = "RSA", b64(key.N.Bytes()), b64(big.NewInt(int64(key.E)).Bytes())
	case *ecdsa.PublicKey:
		point, err := key.Bytes()
		noError(t, err)
		half := len(point) / 2
		out["kty"], out["crv"], out["x"], out["y"] = "EC", key.Params().Name, b64(point[1:1+half]), b64(point[1+half:])
	case ed25519.PublicKey:
		out["kty"], out["crv"], out["x"] = "OKP", "Ed25519", b64(key)
	}
	for _, more := range members {
		for name, value := range more {
			if value == nil {
				delete(out, name)
				continue
			}
			out[name] = value
		}
	}
	return out
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
