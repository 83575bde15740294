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

// preflightAge is how long a browser may remember a preflight's answer, in seconds: two
// hours, the most that any of them does.
const preflightAge = "7200"

// Origins is a list of other origins whose pages may use the API with the cookies of
// their visitors. The empty list allows none.
type Origins struct {
	list  []string
	trust *http.CrossOriginProtection
}

// NewOrigins returns a list of origins, each as browsers write it: a scheme, a host
// in lower case, and a port unless it is the scheme's own. It fails for anything else,
// such as * or a path: with cookies, everybody is nobody in particular.
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
		return errors.New("an origin is a scheme and a host in lower case, with nothing behind it")
	}
	if port := u.Port(); port == "443" && u.Scheme == "https" || port == "80" && u.Scheme == "http" || strings.HasSuffix(u.Host, ":") {
		return errors.New("browsers leave out the scheme's own port")
	}
	return nil
}

// Trust returns what lets requests of these origins through [GuardCookies] and
// [Sessions].
func (o *Origins) Trust() *http.CrossOriginProtection { return o.trust }

// CORS tells browsers what pages of other origins may do: those on the list may send
// GET, POST and DELETE with cookies and tokens, and read the answers; others may not,
// and their preflights are answered with 403. A request that is sent without asking
// reaches next either way, as it always could; reading the answer is what is withheld.
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
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "pages of this origin may not use the API")
		default:
			h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
			h.Set("Access-Control-Allow-Headers",
				"Authorization, Content-Type, Last-Event-Id, "+RequestIDHeader+", "+strings.Join(PreflightHeaders(), ", "))
			h.Set("Access-Control-Max-Age", preflightAge)
			w.WriteHeader(http.StatusNoContent)
		}
	})
}
