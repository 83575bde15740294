package web

import (
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
)

// site mounts the pages as the program does.
func site() http.Handler {
	mux := http.NewServeMux()
	graphiql := GraphiQL("/graphql")
	mux.Handle("/graphiql", graphiql)
	mux.Handle("/graphiql/", graphiql)
	mux.Handle("/", Client(ClientInfo{Version: "v1.2.3 <next>"}))
	return httpbody.Compressor(httpbody.Small)(mux)
}

// get requests an address, with headers as alternating names and values.
func get(t *testing.T, h http.Handler, address string, headers ...string) (*http.Response, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, address, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	resp := rec.Result()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// loads matches references that a browser loads.
var loads = regexp.MustCompile(`<(?:script|link|img)\b[^>]*\s(?:src|href)="([^"]*)"`)

// pages are the addresses of all pages: GraphiQL, and those of the client.
var pages = []string{"/", "/graphiql", "/u/ann", "/u/zo%C3%AB%2F1", "/p/cG9zdDo3%2F%3D", "/lists", "/lists/bGlzdDo3%2F%3D", "/live", "/moderation", "/requests?tab=sent", "/search", "/search?q=a", "/settings"}

func TestPages_LoadExistingFiles(t *testing.T) {
	types := map[string]string{
		".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
	}
	for _, page := range pages {
		resp, html := get(t, site(), page)
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: status %d, type %s", page, resp.StatusCode, resp.Header.Get("Content-Type"))
		}
		seen := map[string]bool{}
		for _, match := range loads.FindAllStringSubmatch(html, -1) {
			address := match[1]
			seen[path.Ext(address)] = true
			resp, body := get(t, site(), address)
			if resp.StatusCode != http.StatusOK || body == "" {
				t.Errorf("%s loads %s, which has status %d and %d bytes", page, address, resp.StatusCode, len(body))
			}
			if got, want := resp.Header.Get("Content-Type"), types[path.Ext(address)]; got != want {
				t.Errorf("%s has type %q, want %q", address, got, want)
			}
			if got := resp.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
				t.Errorf("%s is cached as %q", address, got)
			}
			if resp.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s may be sniffed", address)
			}
		}
		if !seen[".js"] || !seen[".css"] || !seen[".svg"] {
			t.Errorf("%s loads only %v", page, seen)
		}
	}
}

// The policy also forbids inline scripts and styles.
func TestPages_LoadNothingFromOtherServers(t *testing.T) {
	inline := regexp.MustCompile(`<style|\sstyle=|<script(?:>|[^>]*>[^<])|\son[a-z]+=`)
	for _, page := range pages {
		_, html := get(t, site(), page)
		if found := inline.FindString(html); found != "" {
			t.Errorf("%s has %q", page, found)
		}
		if strings.Contains(html, "//") {
			t.Errorf("%s names another server", page)
		}
		for _, match := range loads.FindAllStringSubmatch(html, -1) {
			if !strings.HasSuffix(match[1], ".css") {
				continue
			}
			_, css := get(t, site(), match[1])
			if found := regexp.MustCompile(`@import|url\(\s*["']?(?:https?:)?//`).FindString(css); found != "" {
				t.Errorf("%s has %q", match[1], found)
			}
		}
	}
}

// Allowed addresses in bundles are links, names of formats and text.
func TestBundles_KnowNoOtherServer(t *testing.T) {
	known := regexp.MustCompile(`^https?://(www\.w3\.org/|codemirror\.net/5/doc/|commonmark\.org/|en\.wikipedia\.org/|` +
		`github\.com/graphql/graphiql|react\.dev/errors/|yarnpkg\.com/|\$\{)`)
	address := regexp.MustCompile(`(?:https?|wss?)://[^\s"'` + "`" + `]+`)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" {
			return err
		}
		for _, found := range address.FindAllString(string(read(name)), -1) {
			if !known.MatchString(found) {
				t.Errorf("%s has the address %s", name, found)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPages_HaveStrictPolicy(t *testing.T) {
	for _, page := range pages {
		resp, _ := get(t, site(), page)
		policy := resp.Header.Get("Content-Security-Policy")
		for _, want := range []string{
			"default-src 'none'", "script-src 'self';", "style-src 'self';", "connect-src 'self';",
			"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
		} {
			if !strings.Contains(policy, want) {
				t.Errorf("the policy of %s lacks %s: %s", page, want, policy)
			}
		}
		for _, bad := range []string{"unsafe", "http", "*"} {
			if strings.Contains(policy, bad) {
				t.Errorf("the policy of %s has %s: %s", page, bad, policy)
			}
		}
	}
}

func TestPages_Revalidate(t *testing.T) {
	for _, page := range pages {
		for _, encoding := range []string{"identity", "gzip"} {
			first, _ := get(t, site(), page, "Accept-Encoding", encoding)
			etag := first.Header.Get("ETag")
			if etag == "" || first.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("%s has tag %s and caching %q", page, etag, first.Header.Get("Cache-Control"))
			}
			again, body := get(t, site(), page, "Accept-Encoding", encoding, "If-None-Match", etag)
			if again.StatusCode != http.StatusNotModified || body != "" {
				t.Errorf("%s is sent again, status %d with %d bytes", page, again.StatusCode, len(body))
			}
		}
	}
}

func TestPages_EscapeParameters(t *testing.T) {
	_, html := get(t, GraphiQL(`/api"><script>`), "/graphiql")
	if !strings.Contains(html, `data-endpoint="/api&#34;&gt;&lt;script&gt;"`) {
		t.Errorf("the page has the endpoint as markup: %s", html)
	}
	_, html = get(t, site(), "/")
	if !strings.Contains(html, `data-version="v1.2.3 &lt;next&gt;"`) {
		t.Error("the client is not told its version, or is told it as markup")
	}
}

func TestClient_ServesAllAddresses(t *testing.T) {
	_, first := get(t, site(), "/")
	for _, address := range pages {
		if _, html := get(t, site(), address); address != "/graphiql" && html != first {
			t.Errorf("%s is another page than /", address)
		}
	}
}

// initialBudget is the maximum size of the first page's scripts and styles, in compressed bytes.
// React and Relay take three quarters of it. What loads later does not count: the other pages, and
// the part that only moderators load.
const initialBudget = 170_000

func TestClient_IsSmall(t *testing.T) {
	h := site()
	_, html := get(t, h, "/")
	total := 0
	for _, match := range loads.FindAllStringSubmatch(html, -1) {
		_, body := get(t, h, match[1], "Accept-Encoding", "gzip")
		total += len(body)
	}
	t.Logf("%d bytes", total)
	if total > initialBudget {
		t.Errorf("the first page takes %d bytes, more than %d", total, initialBudget)
	}
}

func TestLicences_AreServed(t *testing.T) {
	for address, names := range map[string][]string{
		"/graphiql/LICENCES.txt": {"\ngraphiql ", "\nreact ", "\ncodemirror ", "\ngraphql "},
		"/assets/LICENCES.txt":   {"\nreact ", "\nreact-dom ", "\nreact-relay ", "\nrelay-runtime ", "\ngraphql-ws "},
	} {
		resp, body := get(t, site(), address)
		if resp.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("the type of %s is %s", address, resp.Header.Get("Content-Type"))
		}
		for _, name := range names {
			if !strings.Contains(body, name) {
				t.Errorf("%s has no licence of %s", address, strings.TrimSpace(name))
			}
		}
	}
}

func TestUnknownAddress_GetsNotFound(t *testing.T) {
	_, client := get(t, site(), "/")
	resp, html := get(t, site(), "/no/such/page", "Accept", "text/html,application/xhtml+xml")
	if resp.StatusCode != http.StatusNotFound || html != client || resp.Header.Get("Content-Security-Policy") != clientPolicy || resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("status %d with the headers %v and %d bytes", resp.StatusCode, resp.Header, len(html))
	}
	for address, accept := range map[string]string{"/no/such/page": "*/*", "/assets/gone.js": "text/html"} {
		if resp, body := get(t, site(), address, "Accept", accept); resp.StatusCode != http.StatusNotFound || strings.Contains(body, "<") {
			t.Errorf("%s for %s has status %d and says %s", address, accept, resp.StatusCode, body)
		}
	}
}

func TestOtherAddresses_AreRefused(t *testing.T) {
	for _, address := range []string{"/nothing", "/assets/", "/assets/manifest.json", "/assets/client.js", "/pages/client.html", "/u", "/u/", "/u/ann/posts", "/p/", "/live/1", "/graphiql/manifest.json", "/graphiql/x.js", "/dist/graphiql/manifest.json"} {
		if resp, _ := get(t, site(), address); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s has status %d, want 404", address, resp.StatusCode)
		}
	}
	if resp, _ := get(t, site(), "/graphiql/"); resp.StatusCode != http.StatusMovedPermanently || resp.Header.Get("Location") != "/graphiql" {
		t.Errorf("/graphiql/ has status %d to %q", resp.StatusCode, resp.Header.Get("Location"))
	}
	for _, address := range pages {
		rec := httptest.NewRecorder()
		site().ServeHTTP(rec, httptest.NewRequest(http.MethodPost, address, strings.NewReader("x")))
		if rec.Code != http.StatusMethodNotAllowed {
			t.Errorf("POST %s has status %d, want 405", address, rec.Code)
		}
	}
}
