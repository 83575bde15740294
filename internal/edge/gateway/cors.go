package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// preflightAge is how many seconds browsers cache a preflight: the maximum that any accepts.
const preflightAge = "7200"

// Origins are the other origins whose pages can use the API with their visitors' cookies.
type Origins struct {
	list  []string
	trust *http.CrossOriginProtection
}

// NewOrigins returns a list of origins in the form that browsers send: scheme, lower-case host, and
// port unless it is the default. Anything else is an error, even *, which cookies forbid.
func NewOrigins(list []string) (*Origins, error) {
	o := &Origins{list: list, trust: http.NewCrossOriginProtection()}
	for _, origin := range list {
		if err := checkOrigin(origin); err != nil {
			return nil, fmt.Errorf("%.100q: %w", origin, err)
		}
		if err := o.trust.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || strings.Contains(u.Host, "*") {
		return errors.New("not an origin such as https://app.example.org")
	}
	if origin != u.Scheme+"://"+u.Host || origin != strings.ToLower(origin) {
		return errors.New("an origin is only a scheme and a host in lower case")
	}
	if port := u.Port(); port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" || strings.HasSuffix(u.Host, ":") {
		return errors.New("browsers omit the default port of the scheme")
	}
	return nil
}

// Trust returns the list for [GuardCookies] and [Sessions].
func (o *Origins) Trust() *http.CrossOriginProtection { return o.trust }

// CORS lets pages of the listed origins send GET, POST, PUT and DELETE with cookies and tokens, and read
// the responses. Preflights of others get 403; without one, browsers withhold the response.
func CORS(o *Origins, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		allowed := origin != "" && slices.Contains(o.list, origin)
		h := w.Header()
		if len(o.list) > 0 {
			h.Add("Vary", "Origin")
		}
		if allowed {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Allow-Credentials", "true")
			h.Set("Access-Control-Expose-Headers", RequestIDHeader+", RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate")
		}
		asks := r.Method == http.MethodOptions && origin != "" && r.Header.Get("Access-Control-Request-Method") != ""
		switch {
		case !asks:
			next.ServeHTTP(w, r)
		case !allowed:
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "pages of this origin cannot use the API")
		default:
			h.Set("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE")
			h.Set("Access-Control-Allow-Headers",
				"Authorization, Content-Type, Last-Event-Id, Tideline-At-Least, Tideline-At-Least-Mode, Tideline-As-Of, X-GraphQL-Event-Stream-Token, "+RequestIDHeader+", "+strings.Join(PreflightHeaders(), ", "))
			h.Set("Access-Control-Max-Age", preflightAge)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}
