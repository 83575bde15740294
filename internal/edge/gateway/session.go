package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// SessionCookie is the cookie with a browser's token, with the prefix __Host- over https.
	SessionCookie = "tideline_session"

	demoTTL = 24 * time.Hour

	// maxSessionBody is in bytes: a token, and as much again for the JSON.
	maxSessionBody = 2 * maxToken
)

// DemoUser is a user that browsers with a [DemoPass] can sign in as.
type DemoUser struct {
	ID     feed.UserID
	Handle string
	Name   string
}

// SessionOptions configure [Sessions]. Only Tokens must be set.
type SessionOptions struct {
	// Tokens signs the tokens of demo users, and has the clock.
	Tokens *Tokens
	// Verifier verifies tokens; Tokens when nil.
	Verifier Verifier
	// Demo lists the demo users, in display order, for browsers that Pass accepts. Demo sign-in is
	// off if either is nil.
	Demo func(context.Context) ([]DemoUser, error)
	Pass *DemoPass
	// SignedIn is called for each token that a browser exchanges for a cookie, unless nil. The user
	// may not be stored yet.
	SignedIn func(context.Context, Identity)
	// Revoke revokes the token of a session that signs out, unless nil.
	Revoke func(context.Context, Identity) error
	// Origins are the other origins that can sign in and out; none when nil.
	Origins *http.CrossOriginProtection
	// Log receives failures; [slog.Default] when nil.
	Log *slog.Logger
}

// Sessions serves /session, where browsers exchange tokens for cookies that scripts cannot read.
//
//	GET     the state of the session:
//	        {"user":{"id","handle"}|null,"admin":bool,"demoUsers":[{"id","handle","name"}]},
//	        and "demoLink":true if the link that the server prints enables demo sign-in
//	POST    {"token":"…"} or {"demoUserId":"…"} signs in; {"demoSecret":"…"} enables demo
//	        sign-in for the browser; the response is that of GET
//	DELETE  signs out and revokes the token in the cookie, or else the bearer token: 204, or 503 if
//	        only the cookie was cleared
//
// The cookie is HttpOnly and SameSite=Strict, and expires with its token. It is Secure unless the
// request was made on this machine without TLS. An invalid token gets 401; a service's token, and a
// demo sign-in without a pass, 403. Cross-site requests are refused, and so is a POST that is not JSON.
func Sessions(opts SessionOptions) http.Handler {
	s := &sessions{SessionOptions: opts}
	if s.Log == nil {
		s.Log = slog.Default()
	}
	if s.Verifier == nil {
		s.Verifier = s.Tokens
	}
	if s.Origins == nil {
		s.Origins = http.NewCrossOriginProtection()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /session", s.show)
	mux.HandleFunc("POST /session", s.signIn)
	mux.HandleFunc("DELETE /session", s.signOut)
	return mux
}

type sessions struct{ SessionOptions }

type sessionState struct {
	User      *sessionUser      `json:"user"`
	Admin     bool              `json:"admin"`
	DemoUsers []sessionDemoUser `json:"demoUsers"`
	// DemoLink reports that the link of the server enables demo sign-in.
	DemoLink bool `json:"demoLink,omitempty"`
}

type sessionUser struct {
	ID     string `json:"id"`
	Handle string `json:"handle"`
}

type sessionDemoUser struct {
	sessionUser
	Name string `json:"name"`
}

type signInRequest struct {
	Token      string `json:"token"`
	DemoUserID string `json:"demoUserId"`
	DemoSecret string `json:"demoSecret"`
}

func (s *sessions) show(w http.ResponseWriter, r *http.Request) {
	token, bearer := requestToken(r)
	if token == "" && !bearer {
		s.respond(w, r, nil)
		return
	}
	id, err := s.Verifier.Verify(r.Context(), token)
	switch {
	case err == nil && id.Service == "":
		logDamaged(r.Context(), s.Log, id)
		s.respond(w, r, &id)
	case err == nil && bearer:
		refuseService(w, r)
	case feed.CodeOf(err) == feed.CodeUnavailable:
		s.refuseFailure(w, r, err)
	case bearer:
		refuseToken(w, r, clientMessage(err))
	default:
		clearCookie(w, r)
		s.respond(w, r, nil)
	}
}

func (s *sessions) signIn(w http.ResponseWriter, r *http.Request) {
	if crossOrigin(s.Origins, r) {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "the request comes from another site")
		return
	}
	req, status, err := readSignIn(w, r)
	if err != nil {
		refuse(w, r, status, feed.CodeBadInput, err.Error())
		return
	}
	if req.DemoSecret != "" {
		s.redeemDemo(w, r, req.DemoSecret)
		return
	}
	token := req.Token
	if req.DemoUserID != "" {
		if token, err = s.demoToken(r, req.DemoUserID); err != nil {
			s.refuseDemo(w, r, err)
			return
		}
	}
	s.exchange(w, r, token)
}

func (s *sessions) exchange(w http.ResponseWriter, r *http.Request, token string) {
	id, err := s.Verifier.Verify(r.Context(), token)
	if feed.CodeOf(err) == feed.CodeUnavailable {
		s.refuseFailure(w, r, err)
		return
	}
	if err != nil {
		refuseToken(w, r, clientMessage(err))
		return
	}
	if id.Service != "" {
		refuseService(w, r)
		return
	}
	logDamaged(r.Context(), s.Log, id)
	http.SetCookie(w, newCookie(r, SessionCookie, token, id.Expires.Sub(s.Tokens.now())))
	if s.SignedIn != nil {
		s.SignedIn(r.Context(), id)
	}
	s.respond(w, r, &id)
}

func refuseService(w http.ResponseWriter, r *http.Request) {
	refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "a service has no session; it sends its token as a bearer token")
}

func (s *sessions) signOut(w http.ResponseWriter, r *http.Request) {
	if crossOrigin(s.Origins, r) {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "the request comes from another site")
		return
	}
	token := cookieToken(r)
	if token == "" {
		token, _ = bearerToken(r)
	}
	clearCookie(w, r)
	err := s.revoke(r.Context(), token)
	if feed.CodeOf(err) == feed.CodeForbidden {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, clientMessage(err))
		return
	}
	if err != nil {
		s.Log.ErrorContext(r.Context(), "cannot revoke a token", "error", err, "requestId", RequestIDFrom(r.Context()))
		refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, "this browser is signed out, but the token could not be revoked")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *sessions) revoke(ctx context.Context, token string) error {
	if token == "" || s.Revoke == nil {
		return nil
	}
	id, err := s.Verifier.Verify(ctx, token)
	if feed.CodeOf(err) == feed.CodeUnauthenticated {
		return nil
	}
	switch {
	case err != nil:
		return err
	case id.Expires.IsZero():
		return feed.Errorf(feed.CodeForbidden, "this token is a setting of the server; change it there to revoke the token")
	}
	return s.Revoke(ctx, id)
}

func readSignIn(w http.ResponseWriter, r *http.Request) (signInRequest, int, error) {
	var req signInRequest
	if !isJSON(r) {
		return req, http.StatusUnsupportedMediaType, errors.New("the body must be application/json")
	}
	body := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxSessionBody))
	if err := body.Decode(&req); err != nil {
		var tooLong *http.MaxBytesError
		if errors.As(err, &tooLong) {
			return req, http.StatusRequestEntityTooLarge, errors.New("the body is too long")
		}
		return req, http.StatusBadRequest, errors.New("the body is not the expected JSON")
	}
	given := 0
	for _, field := range []string{req.Token, req.DemoUserID, req.DemoSecret} {
		given += min(1, len(field))
	}
	if given != 1 {
		return req, http.StatusBadRequest, errors.New("the body must have exactly one of token, demoUserId and demoSecret")
	}
	return req, 0, nil
}

func (s *sessions) demoToken(r *http.Request, userID string) (string, error) {
	users, err := s.demoUsers(r)
	if err != nil {
		return "", err
	}
	for _, u := range users {
		if u.ID.String() == userID {
			return s.Tokens.Sign(Claims{User: u.ID, Handle: u.Handle, Name: u.Name}, demoTTL)
		}
	}
	return "", feed.Errorf(feed.CodeForbidden, "there is no such demo user")
}

func (s *sessions) demoUsers(r *http.Request) ([]DemoUser, error) {
	if s.Demo == nil || s.Pass == nil || !s.Pass.holds(r) {
		return nil, nil
	}
	return s.Demo(r.Context())
}

func (s *sessions) refuseFailure(w http.ResponseWriter, r *http.Request, err error) {
	s.Log.ErrorContext(r.Context(), "cannot verify a token", "error", err, "requestId", RequestIDFrom(r.Context()))
	refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, clientMessage(err))
}

func (s *sessions) refuseDemo(w http.ResponseWriter, r *http.Request, err error) {
	if feed.CodeOf(err) == feed.CodeForbidden {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, clientMessage(err))
		return
	}
	s.logDemo(r, err)
	refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, "demo sign-in is unavailable")
}

// A failure to list demo users is only logged, because the rest is still correct.
func (s *sessions) respond(w http.ResponseWriter, r *http.Request, id *Identity) {
	state := sessionState{DemoUsers: []sessionDemoUser{}, DemoLink: s.Demo != nil && s.Pass != nil && !s.Pass.holds(r)}
	if id != nil {
		state.User = &sessionUser{ID: id.publicUser(), Handle: id.Handle}
		state.Admin = id.Admin
	}
	users, err := s.demoUsers(r)
	if err != nil {
		s.logDemo(r, err)
	}
	for _, u := range users {
		state.DemoUsers = append(state.DemoUsers, sessionDemoUser{
			sessionUser: sessionUser{ID: u.ID.String(), Handle: u.Handle}, Name: u.Name,
		})
	}
	writeJSON(w, http.StatusOK, state)
}

func (s *sessions) logDemo(r *http.Request, err error) {
	s.Log.ErrorContext(r.Context(), "cannot list demo users", "error", err, "requestId", RequestIDFrom(r.Context()))
}
