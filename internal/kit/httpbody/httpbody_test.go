package httpbody_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
)

// ask sends a GET request to a handler of one text.
func ask(text, contentType, codings, tag string) *httptest.ResponseRecorder {
	serve := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.Header().Set("ETag", httpbody.Tag([]byte(text)))
		httpbody.Serve(w, r, []byte(text))
	})
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", codings)
	r.Header.Set("If-None-Match", tag)
	rec := httptest.NewRecorder()
	httpbody.Compressor(httpbody.Fast)(serve).ServeHTTP(rec, r)
	return rec
}

func TestCompressor_UsesWhatTheClientAccepts(t *testing.T) {
	text := strings.Repeat(`{"data":null}`, 200)
	for codings, want := range map[string]string{
		"gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip;q=1, zstd;q=0.5": "gzip",
		"": "", "br": "", "identity": "", "gzip;q=0": "", "*;q=0": "",
	} {
		response := ask(text, "application/json", codings, "")
		if got := response.Header().Get("Content-Encoding"); got != want || response.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("to %q the response is in %q, %v", codings, got, response.Header())
		}
		if got := unpacked(t, response); got != text {
			t.Errorf("to %q the response is %q", codings, got)
		}
	}
}

// unpacked returns the text of a response.
func unpacked(t *testing.T, response *httptest.ResponseRecorder) string {
	t.Helper()
	var reader io.Reader = response.Body
	var err error
	switch response.Header().Get("Content-Encoding") {
	case "gzip":
		reader, err = gzip.NewReader(response.Body)
	case "zstd":
		reader, err = zstd.NewReader(response.Body, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCompressor_LeavesSmallAndPackedBodies(t *testing.T) {
	for contentType, text := range map[string]string{
		"application/json": strings.Repeat("x", 1000), "image/png": strings.Repeat("x", 5000), "text/event-stream": strings.Repeat("x", 5000),
	} {
		if got := ask(text, contentType, "gzip, zstd", "").Header().Get("Content-Encoding"); got != "" {
			t.Errorf("%d bytes of %s are sent in %q", len(text), contentType, got)
		}
	}
}

func TestServe_SendsABodyOnce(t *testing.T) {
	text := strings.Repeat("x", 5000)
	for _, codings := range []string{"", "gzip", "zstd"} {
		first := ask(text, "text/plain", codings, "")
		again := ask(text, "text/plain", codings, first.Header().Get("ETag"))
		if again.Code != http.StatusNotModified || again.Header().Get("Content-Encoding") != "" || unpacked(t, again) != "" {
			t.Errorf("to %q it is sent again: %d", codings, again.Code)
		}
		if other := ask(text+"y", "text/plain", codings, first.Header().Get("ETag")); other.Code != http.StatusOK {
			t.Errorf("to %q another body is not sent: %d", codings, other.Code)
		}
	}
}

// An attacker sees only the length, which does not shrink by exactly as much as a guess repeats.
func TestCompressor_LengthsDifferByContent(t *testing.T) {
	lengths := map[int]bool{}
	for i := range 20 {
		text := strings.Repeat("x", 5000) + string(rune('a'+i))
		response := ask(text, "text/plain", "gzip", "")
		lengths[response.Body.Len()] = true
	}
	if len(lengths) < 5 {
		t.Errorf("twenty texts of one length are sent in %d lengths", len(lengths))
	}
}
