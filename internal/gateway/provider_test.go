package gateway

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

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
