package gateway

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

var content = Claims{Service: "content"}

// opaque is the service token of the settings.
var opaque = strings.Repeat("opaque-", 5)

// services verifies users' tokens and both kinds of service tokens.
func services() Verifiers {
	return Verifiers{Secret: testTokens(), Service: NewOpaqueToken(opaque)}
}

// whoActs responds with the service and the viewer.
var whoActs = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	id, _ := IdentityFrom(r.Context())
	_, _ = w.Write([]byte(id.Service + " for " + id.User.String()))
})

// deleted is an [Attach] that knows one deleted account.
func deleted(ctx context.Context, id Identity) (context.Context, error) {
	if id.User == 9 {
		return ctx, feed.ErrAccountDeleted
	}
	return ctx, nil
}

func TestVerify_ReturnsService(t *testing.T) {
	for _, subject := range []string{"content", "7", "client|content@example.org", strings.Repeat("s", 128)} {
		token := forge(hs256, `{"sub":"`+subject+`","role":"service","exp":1715950800,"name":"N","preferred_username":"n"}`, testSecret)
		for _, when := range []string{"first", "again"} {
			id, err := services().Verify(t.Context(), token)
			if err != nil || id.Claims != (Claims{Service: subject}) || !id.Expires.Equal(noon.Add(time.Hour)) {
				t.Errorf("%s, the identity of %.20q is %+v, %v", when, subject, id, err)
			}
		}
	}
	id, err := services().Verify(t.Context(), opaque)
	if err != nil || id.Claims != (Claims{Service: OpaqueService}) || !id.Expires.IsZero() {
		t.Errorf("the identity of the opaque token is %+v, %v", id, err)
	}
}

func TestVerify_RefusesInvalidServices(t *testing.T) {
	for name, subject := range map[string]string{
		"no name": "", "a space": "a b", "a line break": `a\nb`, "a control character": `a\u0000`, "not ASCII": "ü", "half a surrogate": `\ud800`,
		"a long name": strings.Repeat("s", 129), "the name of the opaque token": OpaqueService,
	} {
		t.Run(name, func(t *testing.T) {
			token := forge(hs256, `{"sub":"`+subject+`","role":"service","exp":1715950800}`, testSecret)
			wantUnauthenticated(t, services(), token, "the token's subject cannot be the name of a service")
		})
	}
	for name, role := range map[string]string{"in capitals": `"Service"`, "with a space": `"service "`} {
		t.Run("a role "+name, func(t *testing.T) {
			token := forge(hs256, `{"sub":"content","role":`+role+`,"exp":1715950800}`, testSecret)
			wantUnauthenticated(t, services(), token, "the token's subject is not a user id")
		})
	}
	expired := forge(hs256, `{"sub":"content","role":"service","exp":1715947199}`, testSecret)
	wantUnauthenticated(t, services(), expired, "the token has expired")
}

func TestSign_RefusesServiceWithOtherClaims(t *testing.T) {
	for name, c := range map[string]Claims{
		"a user": {Service: "content", User: 7}, "an administrator": {Service: "content", Admin: true},
		"a name": {Service: "content", Name: "N"}, "an invalid service": {Service: "a b"}, "the opaque service": {Service: OpaqueService},
	} {
		if token, err := testTokens().Sign(c, time.Hour); err == nil {
			t.Errorf("%s is signed: %s", name, token)
		}
	}
}

func TestOpaqueToken_MatchesExactText(t *testing.T) {
	for _, other := range []string{"", opaque[1:], opaque[:len(opaque)-1], opaque + "x", strings.ToUpper(opaque), " " + opaque} {
		if NewOpaqueToken(opaque).matches(other) {
			t.Errorf("the token matches %q", other)
		}
		if NewOpaqueToken("").matches(other) || (OpaqueToken{}).matches(other) {
			t.Errorf("no token matches %q", other)
		}
	}
}

func TestIdentify_LetsOnlyServicesAct(t *testing.T) {
	user, service, admin := mustSign(t, ann), mustSign(t, content), mustSign(t, root)
	get := func() *http.Request { return localRequest(http.MethodGet, "/graphql", "") }
	bearer := func(token string) *http.Request { return withBearer(get(), token) }
	for name, c := range map[string]struct {
		request *http.Request
		actFor  []string
		status  int
		want    string
	}{
		"a service without the header":   {bearer(service), nil, 200, "content for 0"},
		"a service":                      {bearer(service), []string{"7"}, 200, "content for 7"},
		"the opaque token":               {bearer(opaque), []string{"7"}, 200, "TIDELINE_SERVICE_TOKEN for 7"},
		"a service with a user's cookie": {withCookie(bearer(service), user), []string{"8"}, 200, "content for 8"},
		"a user":                         {bearer(user), []string{"8"}, 403, "FORBIDDEN"},
		"an administrator":               {bearer(admin), []string{"7"}, 403, "FORBIDDEN"},
		"no token":                       {get(), []string{"7"}, 403, "FORBIDDEN"},
		"a cookie":                       {withCookie(get(), user), []string{"7"}, 403, "FORBIDDEN"},
		"a service in a cookie":          {withCookie(get(), service), []string{"7"}, 403, "FORBIDDEN"},
		"the opaque token in a cookie":   {withCookie(get(), opaque), nil, 200, " for 0"},
		"an invalid token":               {bearer("x"), []string{"7"}, 401, "UNAUTHENTICATED"},
		"a deleted account":              {bearer(service), []string{"9"}, 403, "FORBIDDEN"},
		"an empty id":                    {bearer(service), []string{""}, 400, "BAD_USER_INPUT"},
		"a global id":                    {bearer(service), []string{"VXNlcjo3"}, 400, "BAD_USER_INPUT"},
		"an encoded header":              {withEncoded(bearer(service), "%37"), nil, 200, "content for 7"},
		"an encoded header alone":        {withEncoded(get(), "7"), nil, 403, "FORBIDDEN"},
		"a malformed encoding":           {withEncoded(bearer(service), "%3"), nil, 400, "BAD_USER_INPUT"},
		"one user in both headers":       {withEncoded(bearer(service), "7"), []string{"7"}, 400, "BAD_USER_INPUT"},
		"two users":                      {bearer(service), []string{"7", "8"}, 400, "BAD_USER_INPUT"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, id := range c.actFor {
				c.request.Header.Add(ActForHeader, id)
			}
			resp := serve(Identify(Authenticator{services(), deleted, nil, discard()}, whoActs), c.request)
			if c.status != http.StatusOK {
				wantRefusal(t, resp, c.status, feed.Code(c.want))
				return
			}
			if got := body(t, resp); resp.StatusCode != c.status || got != c.want {
				t.Errorf("the response is %d %q, want %q", resp.StatusCode, got, c.want)
			}
		})
	}
}

func withEncoded(r *http.Request, user string) *http.Request {
	r.Header.Set(ActForEncodedHeader, user)
	return r
}

func TestConnect_LetsOnlyServicesAct(t *testing.T) {
	user, service := "Bearer "+mustSign(t, ann), "Bearer "+mustSign(t, content)
	get := func() *http.Request { return localRequest(http.MethodGet, "/graphql", "") }
	acting := withBearer(get(), opaque)
	acting.Header.Set(ActForHeader, "7")
	type fields = map[string]any
	for name, c := range map[string]struct {
		request *http.Request
		payload fields
		want    string
		code    feed.Code
	}{
		"a service in the payload":        {get(), fields{"Authorization": service, "Tideline-Act-For": "7"}, "content for 7", ""},
		"in headers":                      {get(), fields{"headers": fields{"Authorization": service, "tideline-act-for": "7"}}, "content for 7", ""},
		"a service without the field":     {get(), fields{"Authorization": service}, "content for 0", ""},
		"the request":                     {acting, nil, "TIDELINE_SERVICE_TOKEN for 7", ""},
		"the request's service":           {withBearer(get(), opaque), fields{"Tideline-Act-For": "7"}, "TIDELINE_SERVICE_TOKEN for 7", ""},
		"another service in the payload":  {acting, fields{"Authorization": service}, "content for 0", ""},
		"another user in the payload":     {acting, fields{"Tideline-Act-For": "8"}, "", feed.CodeBadInput},
		"a user":                          {get(), fields{"Authorization": user, "Tideline-Act-For": "7"}, "", feed.CodeForbidden},
		"no token":                        {get(), fields{"Tideline-Act-For": "7"}, "", feed.CodeForbidden},
		"a cookie":                        {withCookie(get(), mustSign(t, ann)), fields{"Tideline-Act-For": "7"}, "", feed.CodeForbidden},
		"a deleted account":               {get(), fields{"Authorization": service, "Tideline-Act-For": "9"}, "", feed.CodeForbidden},
		"an empty id":                     {get(), fields{"Authorization": service, "Tideline-Act-For": ""}, "", feed.CodeBadInput},
		"two fields":                      {get(), fields{"Authorization": service, "Tideline-Act-For": "7", "headers": fields{"Tideline-Act-For": "7"}}, "", feed.CodeBadInput},
		"an invalid token with the field": {get(), fields{"Authorization": "Bearer x", "Tideline-Act-For": "7"}, "", feed.CodeUnauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			a := Authenticator{services(), deleted, nil, discard()}
			ctx, _, err := a.Connect(opened(t, a, c.request), c.payload)
			if code := feed.CodeOf(err); err != nil || c.code != "" {
				wantEqual(t, c.code, code, "the code of %v", err)
				return
			}
			id, _ := IdentityFrom(ctx)
			wantEqual(t, c.want, id.Service+" for "+id.User.String(), "the identities of the socket")
		})
	}
}

func TestRequireAdmin_RefusesServices(t *testing.T) {
	h := AllowAdminToken(strings.Repeat("operator", 4), whoActs, Identify(Authenticator{services(), keep, nil, discard()}, RequireAdmin(whoActs)))
	for _, token := range []string{mustSign(t, content), opaque} {
		wantRefusal(t, serve(h, withBearer(localRequest(http.MethodGet, "/tasks", ""), token)), http.StatusForbidden, feed.CodeForbidden)
		acting := withBearer(localRequest(http.MethodGet, "/tasks", ""), token)
		acting.Header.Set(ActForHeader, root.User.String())
		wantRefusal(t, serve(h, acting), http.StatusForbidden, feed.CodeForbidden)
	}
}

func TestSession_RefusesServices(t *testing.T) {
	var revoked []Identity
	sessions := Sessions(SessionOptions{Tokens: testTokens(), Verifier: services(), Log: discard(), Revoke: func(_ context.Context, id Identity) error {
		revoked = append(revoked, id)
		return nil
	}})
	service := mustSign(t, content)
	for _, token := range []string{service, opaque} {
		posted := serve(sessions, localRequest(http.MethodPost, "/session", `{"token":"`+token+`"}`))
		wantRefusal(t, posted, http.StatusForbidden, feed.CodeForbidden)
		if cookies := posted.Cookies(); len(cookies) > 0 {
			t.Errorf("the response sets %v", cookies)
		}
		wantRefusal(t, serve(sessions, withBearer(localRequest(http.MethodGet, "/session", ""), token)), http.StatusForbidden, feed.CodeForbidden)
		wantState(t, serve(sessions, withCookie(localRequest(http.MethodGet, "/session", ""), token)), nobody)
	}
	end := func(token string) *http.Response {
		return serve(sessions, withBearer(localRequest(http.MethodDelete, "/session", ""), token))
	}
	wantRefusal(t, end(opaque), http.StatusForbidden, feed.CodeForbidden)
	if resp := end(service); resp.StatusCode != http.StatusNoContent || len(revoked) != 1 || revoked[0].Service != "content" {
		t.Errorf("the response is %d, and revoked are %+v", resp.StatusCode, revoked)
	}
}

func TestLogAccess_NamesBothIdentities(t *testing.T) {
	log, out := newLog()
	a := Authenticator{services(), deleted, nil, log}
	h := AssignRequestID(nil, LogAccess(log, atNoon, Identify(a, whoActs)))
	send := func(token, user string) string {
		out.Reset()
		r := withBearer(localRequest(http.MethodPost, "/graphql", "{}"), token)
		r.Header.Set(ActForHeader, user)
		serve(h, r)
		if strings.Contains(out.String(), token) {
			t.Errorf("the log has the token: %s", out.String())
		}
		return out.String()
	}
	for token, service := range map[string]string{mustSign(t, content): "content", opaque: OpaqueService} {
		wantContains(t, send(token, "7"), "viewer=7 service="+service)
		wantContains(t, send(token, "9"), `level=INFO msg="acting for a user refused"`)
		out.Reset()
		_, _, err := a.Connect(t.Context(), map[string]any{"token": token, "Tideline-Act-For": "7"})
		if line := out.String(); err != nil || !strings.Contains(line, `msg="socket acts for a user" service=`+service+" viewer=7") || strings.Contains(line, token) {
			t.Errorf("the log of a socket is %s, %v", line, err)
		}
	}
}

// fakeRevocations is a store of revocations in memory.
type fakeRevocations struct{ all []feed.Revocation }

func (f *fakeRevocations) Revoke(_ context.Context, r feed.Revocation, ttl time.Duration) error {
	if ttl <= 0 {
		return errors.New("the revocation is not kept")
	}
	f.all = append(f.all, r)
	return nil
}

func (f *fakeRevocations) IsRevoked(context.Context, feed.Revocation) (bool, error) {
	return false, nil
}

func (f *fakeRevocations) RevokedWithin(context.Context, time.Duration) ([]feed.Revocation, error) {
	return f.all, nil
}

func TestRevocations_EndActing(t *testing.T) {
	service, other, user := mustSign(t, content), mustSign(t, content), mustSign(t, Claims{User: 7})
	for name, c := range map[string]struct {
		token  string
		revoke func(*fakeRevocations, Revocable)
		code   feed.Code
	}{
		"the service's token":          {service, func(_ *fakeRevocations, r Revocable) { revoke(t, r, service) }, feed.CodeUnauthenticated},
		"another token of the service": {service, func(_ *fakeRevocations, r Revocable) { revoke(t, r, other) }, ""},
		"a token of the user":          {service, func(_ *fakeRevocations, r Revocable) { revoke(t, r, user) }, ""},
		"the user's account":           {service, func(f *fakeRevocations, _ Revocable) { f.all = append(f.all, feed.Revocation{User: 7}) }, feed.CodeForbidden},
		"the user's account, opaque":   {opaque, func(f *fakeRevocations, _ Revocable) { f.all = append(f.all, feed.Revocation{User: 7}) }, feed.CodeForbidden},
		"another account":              {service, func(f *fakeRevocations, _ Revocable) { f.all = append(f.all, feed.Revocation{User: 8}) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			store := &fakeRevocations{}
			r := Revocable{NewRevocations(store, atNoon), services()}
			a := Authenticator{r, keep, nil, discard()}
			payload := map[string]any{"token": c.token, "Tideline-Act-For": "7"}
			ctx, _, err := a.Connect(t.Context(), payload)
			noError(t, err)
			if err := r.Recheck(ctx); err != nil {
				t.Fatalf("the socket ended at once: %v", err)
			}
			c.revoke(store, r)
			noError(t, r.Refresh(t.Context()))
			if err := r.Recheck(ctx); feed.CodeOf(err) != c.code {
				t.Errorf("the socket ended with %v, want %q", err, c.code)
			}
			if _, _, err := a.Connect(t.Context(), payload); feed.CodeOf(err) != c.code {
				t.Errorf("the next socket got %v, want %q", err, c.code)
			}
		})
	}
}

func revoke(t *testing.T, r Revocable, token string) {
	t.Helper()
	id, err := r.Verify(t.Context(), token)
	noError(t, err)
	noError(t, r.Revoke(t.Context(), id))
}

// Only the header of a request may be encoded. A service that is not understood must not act as
// itself.
func TestConnect_RefusesEncodedUser(t *testing.T) {
	a := Authenticator{Verifier: testTokens(), Attach: keep}
	service := "Bearer " + mustSign(t, content)
	for name, payload := range map[string]map[string]any{
		"a field":          {"Authorization": service, "Tideline-Act-For-Encoded": "7"},
		"another spelling": {"authorization": service, "tidelineActForEncoded": "7"},
		"in headers":       {"headers": map[string]any{"Authorization": service, "Tideline-Act-For-Encoded": "7"}},
		"beside the id":    {"Authorization": service, "Tideline-Act-For": "7", "Tideline-Act-For-Encoded": "7"},
		"another end":      {"Authorization": service, "Tideline-Act-For-User": "7"},
	} {
		ctx, _, err := a.Connect(opened(t, a, localRequest(http.MethodGet, "/graphql", "")), payload)
		if feed.CodeOf(err) != feed.CodeBadInput || ctx != nil {
			t.Errorf("%s: %v, want BAD_USER_INPUT", name, err)
		}
	}
}
