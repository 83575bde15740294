package e2e

import (
	"net/http"
	"strings"
	"testing"
)

func TestServe_CompressesAndTagsPublicFiles(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir())
	plain := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_COMPRESS=false")
	for path, caching := range map[string]string{
		"/graphiql/LICENCES.txt": "no-cache",
		"/schema.graphql":        "public, max-age=300",
		"/graphql?query=%7B__type(name%3A%22Post%22)%7Bfields%7Bname%20description%7D%7D%7D": "public, no-cache",
	} {
		zipped := s.send(t, http.MethodGet, path, "", "Accept-Encoding: gzip", "GraphQL-Preflight: 1")
		if zipped.StatusCode != http.StatusOK || zipped.Header.Get("Content-Encoding") != "gzip" || zipped.Header.Get("Cache-Control") != caching {
			t.Errorf("the response to GET %s is %d, %v", path, zipped.StatusCode, zipped.Header)
		}
		if vary := strings.Join(zipped.Header.Values("Vary"), ", "); !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("GET %s varies by %q", path, vary)
		}
		tag := zipped.Header.Get("ETag")
		again := s.send(t, http.MethodGet, path, "", "If-None-Match: "+tag, "GraphQL-Preflight: 1")
		if again.StatusCode != http.StatusNotModified || again.body != "" {
			t.Errorf("GET %s with the tag %q returns %d", path, tag, again.StatusCode)
		}
		if got := plain.send(t, http.MethodGet, path, "", "Accept-Encoding: gzip", "GraphQL-Preflight: 1"); got.Header.Get("Content-Encoding") != "" {
			t.Errorf("GET %s is compressed although compression is off", path)
		}
	}
}
