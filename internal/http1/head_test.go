package http1

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// page is the head that clients send for each page.
const page = "POST /graphql HTTP/1.1\r\nHost: feeds.example.org\r\nUser-Agent: app/1.0\r\nContent-Type: application/json\r\n" +
	"Authorization: Bearer abc.def.ghi\r\nAccept: application/graphql-response+json, application/json;q=0.9\r\n" +
	"Content-Length: 17\r\n\r\n"

// plainHeads are heads of plain requests.
func plainHeads() []string {
	return []string{
		page,
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /graphql?query=%7Bviewer%7D&a=b;c HTTP/1.1\r\nHost: [::1]:8080\r\nConnection: keep-alive\r\n\r\n",
		"HEAD /a%2Fb//c/../d HTTP/1.1\r\nhost: x:80\r\nCookie: a=b\r\ncookie: c=d\r\n\r\n",
		"OPTIONS /graphql HTTP/1.1\r\nHost: x\r\nOrigin: https://app.example.org\r\nAccess-Control-Request-Method: POST\r\n\r\n",
		"POST /session HTTP/1.1\r\nContent-Length: 0\r\nHost: x\r\nX-Empty:\r\nX-Blank: \t \r\nX-Tab:a\tb\t\r\nx_odd!name: ~\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("A: b\r\n", 63) + "\r\n",
		"POST //x HTTP/1.1\r\nHost: x\r\nContent-Length: 007\r\n\r\n",
	}
}

// otherHeads are heads of requests that are not plain, and of none at all.
func otherHeads() map[string]string {
	line := func(line string) string {
		return "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n" + line + "\r\n\r\n"
	}
	return map[string]string{
		"too many lines":         line(strings.TrimSuffix(strings.Repeat("A: b\r\n", 63), "\r\n")),
		"another method":         "DELETE /session HTTP/1.1\r\nHost: x\r\n\r\n",
		"a method in small":      "get / HTTP/1.1\r\nHost: x\r\n\r\n",
		"an older version":       "GET / HTTP/1.0\r\nHost: x\r\n\r\n",
		"a later version":        "PRI * HTTP/2.0\r\n\r\n",
		"an absolute address":    "GET http://y/ HTTP/1.1\r\nHost: x\r\n\r\n",
		"no path":                "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
		"a path with a space":    "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
		"a path with a bad code": "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"two spaces":             "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
		"nothing but a line":     "GET / HTTP/1.1\r\n\r\n",
		"an empty host":          "GET / HTTP/1.1\r\nHost:\r\n\r\n",
		"a host that is none":    "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
		"two hosts":              line("Host: y"),
		"two lengths":            line("Content-Length: 2"),
		"lengths in one line":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2, 2\r\n\r\n",
		"a length with a sign":   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n",
		"a length below zero":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -2\r\n\r\n",
		"no length in digits":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n\r\n",
		"a length beyond all":    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551618\r\n\r\n",
		"a large body":           "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n",
		"a post without length":  "POST / HTTP/1.1\r\nHost: x\r\n\r\n",
		"a get with a body":      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n",
		"chunks":                 line("Transfer-Encoding: chunked"),
		"chunks, in small":       line("transfer-encoding: identity"),
		"trailers":               line("Trailer: X-Sum"),
		"an expectation":         line("Expect: 100-continue"),
		"an upgrade":             line("Upgrade: websocket"),
		"a connection to close":  line("Connection: close"),
		"names of hops":          line("Connection: keep-alive, X-Hop"),
		"a pragma":               line("Pragma: no-cache"),
		"a space before a colon": line("X-A : b"),
		"no colon":               line("X-A"),
		"no name":                line(": b"),
		"a name in letters":      line("X-Ä: b"),
		"a value in letters":     line("X-A: ä"),
		"a folded line":          line("X-A: b\r\n c"),
		"a bare line feed":       line("X-A: b\nX-C: d"),
		"a bare return":          line("X-A: b\rX-C: d"),
		"a zero":                 line("X-A: \x00"),
		"a line feed at the end": "GET / HTTP/1.1\nHost: x\n\r\n\r\n",
	}
}

// judged is what net/http makes of a request, and this package.
type judged struct {
	Method, RequestURI, Host, Proto string
	Major, Minor                    int
	URL                             any
	Header                          http.Header
	Length                          int64
	Close                           bool
}

func judge(r *http.Request) judged {
	return judged{r.Method, r.RequestURI, r.Host, r.Proto, r.ProtoMajor, r.ProtoMinor, r.URL, r.Header, r.ContentLength, r.Close}
}

// sameAsNetHTTP fails unless net/http makes of a head what this package does, if it is plain.
func sameAsNetHTTP(t *testing.T, head string) (plain bool) {
	t.Helper()
	k := knownHead{text: []byte(page)} // of which nothing may be left
	if !k.parse() {
		t.Fatalf("%q is not plain", page)
	}
	k.text = []byte(head)
	if !k.parse() {
		return false
	}
	got, length := &k.request, k.length
	from := bufio.NewReader(strings.NewReader(head + strings.Repeat("x", length)))
	want, err := http.ReadRequest(from)
	if err != nil {
		t.Fatalf("net/http refuses %q: %v", head, err)
	}
	if diff := cmp.Diff(judge(want), judge(got), cmpopts.EquateEmpty()); diff != "" || int64(length) != want.ContentLength {
		t.Fatalf("of %q net/http makes something else (-):\n%s", head, diff)
	}
	if rest, err := io.ReadAll(from); len(rest) != length || err != nil || want.TransferEncoding != nil || want.Trailer != nil {
		t.Fatalf("behind %q net/http expects %v and trailers %v, and leaves %d bytes of %d", head, want.TransferEncoding, want.Trailer, len(rest), length)
	}
	return true
}

func TestPlainHeadsSayWhatNetHTTPReads(t *testing.T) {
	for _, head := range plainHeads() {
		if !sameAsNetHTTP(t, head) {
			t.Errorf("%q is not plain", head)
		}
		for n := range len(head) {
			if !mayBePlain([]byte(head[:n])) {
				t.Errorf("%q could not become plain", head[:n])
			}
		}
	}
}

func TestAHeadOfWhichThereMayBeTwoOpinionsIsNotPlain(t *testing.T) {
	for what, head := range otherHeads() {
		if k := (knownHead{text: []byte(head)}); k.parse() {
			t.Errorf("%s: of %q comes %+v", what, head, judge(&k.request))
		}
	}
}

// What comes without its end must not be waited for in vain.
func TestABeginningThatCannotBecomePlainIsKnownAtOnce(t *testing.T) {
	for _, begin := range []string{"\x16\x03\x01", "PRI", "get", "GET http", "GETX", "GET / HTTP/1.1\n", "GET / HTTP/1.1\r\nA: b\n", "\r\n"} {
		if mayBePlain([]byte(begin)) {
			t.Errorf("%q could become plain", begin)
		}
	}
}

// Whoever sits in front of this server reads requests, too: two that disagree on where one of
// them ends is how requests are smuggled past the first.
func FuzzPlainHeadsSayWhatNetHTTPReads(f *testing.F) {
	for _, head := range plainHeads() {
		f.Add(head)
	}
	for _, head := range otherHeads() {
		f.Add(head)
	}
	f.Fuzz(func(t *testing.T, head string) {
		end := strings.Index(head, headEnd)
		if end < 0 {
			return
		}
		sameAsNetHTTP(t, head[:end+len(headEnd)])
	})
}

func TestADateIsThatOfItsSecond(t *testing.T) {
	var d date
	at := time.Date(2026, 11, 23, 16, 0, 0, 0, time.FixedZone("", 3600))
	for _, step := range []struct {
		after time.Duration
		want  string
	}{
		{0, "Mon, 23 Nov 2026 15:00:00 GMT"},
		{999 * time.Millisecond, "Mon, 23 Nov 2026 15:00:00 GMT"},
		{time.Second, "Mon, 23 Nov 2026 15:00:01 GMT"},
		{0, "Mon, 23 Nov 2026 15:00:00 GMT"},
	} {
		if got := d.text(at.Add(step.after)); got != step.want {
			t.Errorf("after %v it is %s, want %s", step.after, got, step.want)
		}
	}
}
