package gateway

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	demoCookie = "tideline_demo"

	// demoPassTTL is long enough that occasional demos do not need a new link each time.
	demoPassTTL = 30 * 24 * time.Hour
)

// DemoPass lets browsers sign in as demo users after they send a secret that only the server's
// terminal shows, since no request can prove that it comes from the same machine. Each secret works
// once. The pass is safe for concurrent use. Make one with [NewDemoPass].
type DemoPass struct {
	tokens *Tokens
	fresh  func() string

	mu     sync.Mutex
	secret string
	used   func(next string)
}

// NewDemoPass returns a pass with its first secret. tokens signs the cookies, so they outlast a
// restart with the same token secret. fresh generates secrets; random ones of 128 bits when nil.
func NewDemoPass(tokens *Tokens, fresh func() string) *DemoPass {
	if fresh == nil {
		fresh = rand.Text
	}
	return &DemoPass{tokens: tokens, fresh: fresh, secret: fresh(), used: func(string) {}}
}

// Secret returns the current secret. The pass calls used with the next one after each use.
func (d *DemoPass) Secret(used func(next string)) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used = used
	return d.secret
}

func (d *DemoPass) redeem(secret string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.secret == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(d.secret)) != 1 {
		return false
	}
	d.secret = d.fresh()
	d.used(d.secret)
	return true
}

// cookie returns the cookie for a redeemed secret: its expiry and a signature.
func (d *DemoPass) cookie(r *http.Request) *http.Cookie {
	until := strconv.FormatInt(d.tokens.now().Add(demoPassTTL).Unix(), 10)
	return newCookie(r, demoCookie, until+"."+d.sign(until), demoPassTTL)
}

func (d *DemoPass) holds(r *http.Request) bool {
	until, signature, _ := strings.Cut(readCookie(r, demoCookie), ".")
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && d.tokens.hasSecret() && hmac.Equal([]byte(signature), []byte(d.sign(until))) && d.tokens.now().Before(time.Unix(end, 0))
}

// sign signs an expiry. The signed text has a space, so it never equals that of a token.
func (d *DemoPass) sign(until string) string {
	mac := hmac.New(sha256.New, d.tokens.secret)
	mac.Write([]byte("demo pass until " + until))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (s *sessions) redeemDemo(w http.ResponseWriter, r *http.Request, secret string) {
	if s.Pass == nil || s.Demo == nil || !s.Pass.redeem(secret) {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden,
			"the link is not valid or was used already; the server's terminal shows the current one")
		return
	}
	pass := s.Pass.cookie(r)
	http.SetCookie(w, pass)
	r.AddCookie(pass)
	s.show(w, r)
}
