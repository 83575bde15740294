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
	// SessionCookie is the name of the cookie that holds a browser's token; __Host- stands
	// before it where the client is known to use https.
	SessionCookie = "tideline_session"

	// demoTTL is how long a demo sign-in holds: a day, enough for a look around.
	demoTTL = 24 * time.Hour

	// maxSessionBody is the longest body of POST /session, in bytes: a token, twice
	// over for the JSON around it.
	maxSessionBody = 2 * maxToken
)

// DemoUser is a user that browsers with a [DemoPass] may sign in as.
type DemoUser struct {
	ID     feed.UserID
	Handle string
	Name   string
}

// SessionOptions is what [Sessions] needs. Only Tokens must be set.
type SessionOptions struct {
	// Tokens signs the tokens of demo users, and is the clock.
	Tokens *Tokens
	// Verifier verifies tokens; Tokens when nil.
	Verifier Verifier
	// Demo lists the demo users, in the order to show them, to browsers that Pass lets sign
	// in as one of them. Nil turns demo sign-in off, and so does a nil Pass.
	Demo func(context.Context) ([]DemoUser, error)
	Pass *DemoPass
	// SignedIn is told of each token that a browser has traded for a cookie; nothing is when
	// nil. Its user may not be stored yet.
	SignedIn func(context.Context, Identity)
	// Revoke ends a token when its session is signed out; nothing does when nil.
	Revoke func(context.Context, Identity) error
	// Origins says which other origins may sign in and out; none when nil.
	Origins *http.CrossOriginProtection
	// Log gets the failures of Demo; [slog.Default] when nil.
	Log *slog.Logger
}

// Sessions serves /session, where a browser trades a token for a cookie that no
// script can read.
//
//	GET     who is signed in, and the demo users when one may sign in as them:
//	        {"user":{"id","handle"}|null,"admin":bool,"demoUsers":[{"id","handle","name"}]},
//	        and "demoLink":true if demo sign-in takes the link that the server prints
//	POST    {"token":"…"} or {"demoUserId":"…"} signs in, and {"demoSecret":"…"} lets the
//	        browser sign in as demo users; the answer is that of GET
//	DELETE  signs out, and revokes the token of the cookie: 204, or 503 if only the
//	        browser has forgotten it
//
// The cookie is HttpOnly, SameSite=Strict, lasts as long as its token, and is
// Secure unless the request was made on this machine without TLS. A token that does
// not hold is answered with 401, a demo sign-in without a pass with 403. Requests
// of another site are refused, and so is a POST that is not JSON.
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

// sessionState is the answer of GET and POST.
type sessionState struct {
	User      *sessionUser      `json:"user"`
	Admin     bool              `json:"admin"`
	DemoUsers []sessionDemoUser `json:"demoUsers"`
	// DemoLink says that there are demo users, for browsers that open the server's link.
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

// signInRequest is the body of POST: exactly one of its fields is set.
type signInRequest struct {
	Token      string `json:"token"`
	DemoUserID string `json:"demoUserId"`
	DemoSecret string `json:"demoSecret"`
}

func (s *sessions) show(w http.ResponseWriter, r *http.Request) {
	token, bearer := requestToken(r)
	if token == "" && !bearer {
		s.answer(w, r, nil)
		return
	}
	id, err := s.Verifier.Verify(r.Context(), token)
	switch {
	case err == nil:
		logDamaged(r.Context(), s.Log, id)
		s.answer(w, r, &id)
	case feed.CodeOf(err) == feed.CodeUnavailable:
		s.refuseFault(w, r, err)
	case bearer:
		refuseToken(w, r, clientMessage(err))
	default:
		clearCookie(w, r)
		s.answer(w, r, nil)
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
		s.tradeDemo(w, r, req.DemoSecret)
		return
	}
	token := req.Token
	if req.DemoUserID != "" {
		if token, err = s.demoToken(r, req.DemoUserID); err != nil {
			s.refuseDemo(w, r, err)
			return
		}
	}
	s.trade(w, r, token)
}

// trade gives the browser a cookie for a token that holds.
func (s *sessions) trade(w http.ResponseWriter, r *http.Request, token string) {
	id, err := s.Verifier.Verify(r.Context(), token)
	if feed.CodeOf(err) == feed.CodeUnavailable {
		s.refuseFault(w, r, err)
		return
	}
	if err != nil {
		refuseToken(w, r, clientMessage(err))
		return
	}
	logDamaged(r.Context(), s.Log, id)
	http.SetCookie(w, newCookie(r, SessionCookie, token, id.Expires.Sub(s.Tokens.now())))
	if s.SignedIn != nil {
		s.SignedIn(r.Context(), id)
	}
	s.answer(w, r, &id)
}

func (s *sessions) signOut(w http.ResponseWriter, r *http.Request) {
	if crossOrigin(s.Origins, r) {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "the request comes from another site")
		return
	}
	token := cookieToken(r)
	clearCookie(w, r)
	if err := s.revoke(r.Context(), token); err != nil {
		s.Log.ErrorContext(r.Context(), "a token cannot be revoked", "error", err, "requestId", RequestIDFrom(r.Context()))
		refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, "this browser has forgotten the session, but its token could not be revoked")
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// revoke ends the token of a session. One that does not hold has ended.
func (s *sessions) revoke(ctx context.Context, token string) error {
	if token == "" || s.Revoke == nil {
		return nil
	}
	id, err := s.Verifier.Verify(ctx, token)
	if feed.CodeOf(err) == feed.CodeUnauthenticated {
		return nil
	}
	if err == nil {
		err = s.Revoke(ctx, id)
	}
	return err
}

// readSignIn reads the body of a POST, or returns the status to refuse it with.
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
		return req, http.StatusBadRequest, errors.New("the body is not the JSON that is expected here")
	}
	given := 0
	for _, field := range []string{req.Token, req.DemoUserID, req.DemoSecret} {
		given += min(1, len(field))
	}
	if given != 1 {
		return req, http.StatusBadRequest, errors.New("the body must have one of token, demoUserId and demoSecret")
	}
	return req, 0, nil
}

// demoToken signs a token for a demo user, if the request may have one.
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
	return "", feed.Errorf(feed.CodeForbidden, "there is no such demo sign-in here")
}

// demoUsers returns the users that the request may sign in as without a token: none when
// demo sign-in is off or the request has no pass.
func (s *sessions) demoUsers(r *http.Request) ([]DemoUser, error) {
	if s.Demo == nil || s.Pass == nil || !s.Pass.holds(r) {
		return nil, nil
	}
	return s.Demo(r.Context())
}

// refuseFault answers that nobody can tell now whether a token holds.
func (s *sessions) refuseFault(w http.ResponseWriter, r *http.Request, err error) {
	s.Log.ErrorContext(r.Context(), "a token cannot be verified", "error", err, "requestId", RequestIDFrom(r.Context()))
	refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, clientMessage(err))
}

func (s *sessions) refuseDemo(w http.ResponseWriter, r *http.Request, err error) {
	if feed.CodeOf(err) == feed.CodeForbidden {
		refuse(w, r, http.StatusForbidden, feed.CodeForbidden, clientMessage(err))
		return
	}
	s.logDemo(r, err)
	refuse(w, r, http.StatusServiceUnavailable, feed.CodeUnavailable, "demo sign-in does not work now")
}

// answer writes the state of the session. Without the demo users it is still right
// about who is signed in, so a failure to list them is only logged.
func (s *sessions) answer(w http.ResponseWriter, r *http.Request, id *Identity) {
	state := sessionState{DemoUsers: []sessionDemoUser{}, DemoLink: s.Demo != nil && s.Pass != nil && !s.Pass.holds(r)}
	if id != nil {
		state.User = &sessionUser{ID: id.User.String(), Handle: id.Handle}
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
	s.Log.ErrorContext(r.Context(), "demo users cannot be had", "error", err, "requestId", RequestIDFrom(r.Context()))
}
