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
	// demoCookie is the name of the cookie of browsers that may sign in as demo users.
	demoCookie = "tideline_demo"

	// demoPassTTL is how long such a browser may do so: a month, so that a server that is
	// started now and then need not be asked for a link each time.
	demoPassTTL = 30 * 24 * time.Hour
)

// DemoPass lets those sign in as demo users who know a secret that only the server's terminal
// shows: no request can prove that it was made on the same machine. A secret is good for one
// browser, which gets a cookie for it; then there is a new one. Safe for concurrent use. Make
// one with [NewDemoPass].
type DemoPass struct {
	tokens *Tokens
	fresh  func() string

	mu     sync.Mutex
	secret string
	used   func(next string)
}

// NewDemoPass returns a pass with its first secret. The cookies are signed with the secret of
// tokens, so they hold after a restart that keeps it. fresh makes secrets; random ones of 128
// bits when nil.
func NewDemoPass(tokens *Tokens, fresh func() string) *DemoPass {
	if fresh == nil {
		fresh = rand.Text
	}
	return &DemoPass{tokens: tokens, fresh: fresh, secret: fresh(), used: func(string) {}}
}

// Secret returns the secret that is good now. From now on used is called with the next one
// whenever that has changed.
func (d *DemoPass) Secret(used func(next string)) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used = used
	return d.secret
}

// trade reports whether the secret is the one that is good, which it is no longer then.
func (d *DemoPass) trade(secret string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.secret == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(d.secret)) != 1 {
		return false
	}
	d.secret = d.fresh()
	d.used(d.secret)
	return true
}

// cookie returns the cookie that a secret is traded for: when it ends, and a signature of that.
func (d *DemoPass) cookie(r *http.Request) *http.Cookie {
	until := strconv.FormatInt(d.tokens.now().Add(demoPassTTL).Unix(), 10)
	return newCookie(r, demoCookie, until+"."+d.sign(until), demoPassTTL)
}

// holds reports whether a request has a cookie that has not ended.
func (d *DemoPass) holds(r *http.Request) bool {
	until, signature, _ := strings.Cut(readCookie(r, demoCookie), ".")
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && d.tokens.hasSecret() && hmac.Equal([]byte(signature), []byte(d.sign(until))) && d.tokens.now().Before(time.Unix(end, 0))
}

// sign signs the end of a pass. What it signs has a space, so it is never what a token signs.
func (d *DemoPass) sign(until string) string {
	mac := hmac.New(sha256.New, d.tokens.secret)
	mac.Write([]byte("demo pass until " + until))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// tradeDemo answers a request that brings a secret: with the session's state, in which the
// demo users are listed from now on.
func (s *sessions) tradeDemo(w http.ResponseWriter, r *http.Request, secret string) {
	if s.Pass == nil || s.Demo == nil || !s.Pass.trade(secret) {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden,
			"this link is not valid, or was used before; the terminal of the server shows the valid one")
		return
	}
	pass := s.Pass.cookie(r)
	http.SetCookie(w, pass)
	r.AddCookie(pass)
	s.show(w, r)
}
