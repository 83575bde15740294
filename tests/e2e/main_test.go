// Package e2e has the tests that drive the program as its users do. Files with the build tag nightly
// have those that make test leaves out.
package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

func TestMain(m *testing.M) { os.Exit(harness.Main(m)) }

// server is a [harness.Server] with methods for these tests only.
type server struct{ *harness.Server }

func startServer(t *testing.T, env ...string) *server {
	t.Helper()
	return &server{harness.StartServer(t, env...)}
}

// Settings that many tests have.
const (
	noDemo = "TIDELINE_DEMO=false"
	// sourceOwns makes a server take users, posts and follows from another system.
	sourceOwns = "TIDELINE_SOURCE_OWNS=user,post,follow"
)

// serviceToken and operatorToken are the tokens of [embedded] and [shared].
var (
	serviceToken  = strings.Repeat("opaque", 6)
	operatorToken = strings.Repeat("operator", 4)
)

func tokens() []string {
	return []string{"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_SERVICE_TOKEN=" + serviceToken, "TIDELINE_ADMIN_TOKEN=" + operatorToken}
}

// embedded returns the settings of a server with a database and Redis of its own, and others.
func embedded(t *testing.T, more ...string) []string {
	t.Helper()
	return slices.Concat(tokens(), []string{"TIDELINE_DATA_DIR=" + t.TempDir()}, more)
}

// shared returns the settings of processes that share PostgreSQL and Redis, and others.
func shared(t *testing.T, more ...string) []string {
	t.Helper()
	return slices.Concat(tokens(), []string{"TIDELINE_DATABASE_URL=" + harness.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t)}, more)
}

// setting returns the value of a setting, of which the last counts.
func setting(env []string, name string) (value string) {
	for _, variable := range env {
		if after, found := strings.CutPrefix(variable, name+"="); found {
			value = after
		}
	}
	return value
}

// openStore opens the database of a server.
func openStore(t *testing.T, env []string) *sqlstore.Store {
	t.Helper()
	url := cmp.Or(setting(env, "TIDELINE_DATABASE_URL"), "sqlite://"+filepath.Join(setting(env, "TIDELINE_DATA_DIR"), "tideline.db"))
	store, err := sqlstore.Open(t.Context(), url)
	harness.Check(t, err)
	t.Cleanup(func() { harness.Check(t, store.Close()) })
	return store
}

// openInboxes opens the inboxes of a server with the settings of [shared].
func openInboxes(t *testing.T, inbox string, env []string) app.InboxStore {
	t.Helper()
	return harness.OpenInboxes(t, inbox, setting(env, "TIDELINE_DATABASE_URL"), setting(env, "TIDELINE_REDIS_URL"))
}

// serviceJWT returns a token of a service.
func serviceJWT(t *testing.T, name string) string {
	t.Helper()
	return signed(t, gateway.Claims{Service: name})
}

func signed(t *testing.T, claims gateway.Claims) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(claims, time.Hour)
	harness.Check(t, err)
	return token
}

// response is a response with its body.
type response struct {
	*http.Response
	body string
}

// codes returns the codes of the errors in the body.
func (a response) codes(t *testing.T) []string {
	t.Helper()
	var got struct {
		Errors []struct {
			Extensions struct{ Code, RequestID string }
		}
	}
	a.decode(t, &got)
	var codes []string
	for _, e := range got.Errors {
		if id := a.Header.Get(gateway.RequestIDHeader); id == "" || e.Extensions.RequestID != id {
			t.Errorf("the body names the request %q and the header %q", e.Extensions.RequestID, id)
		}
		codes = append(codes, e.Extensions.Code)
	}
	return codes
}

// decode reads the body as JSON.
func (a response) decode(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("%v: status %d: %s", err, a.StatusCode, a.body)
	}
}

// as returns the header of a token, and actFor those of the service token for a user.
func as(token string) string { return "Authorization: Bearer " + token }

func actFor(user any) []string {
	return []string{as(serviceToken), fmt.Sprint("Tideline-Act-For: ", user)}
}

// queryOf returns the body of a request with a document.
func queryOf(document string) string {
	body, _ := json.Marshal(map[string]string{"query": document})
	return string(body)
}

// send sends a request with headers, each as "Name: value".
func (s *server) send(t *testing.T, method, path, body string, headers ...string) response {
	t.Helper()
	return send(t, http.DefaultTransport, method, s.Base+path, body, headers...) // follows no redirects
}

// ask sends a GraphQL document.
func (s *server) ask(t *testing.T, document string, headers ...string) response {
	t.Helper()
	return s.send(t, http.MethodPost, "/graphql", queryOf(document), headers...)
}

// send sends a request and reads the response.
func send(t *testing.T, by http.RoundTripper, method, url, body string, headers ...string) response {
	t.Helper()
	resp := open(t, by, method, url, body, headers...)
	text, err := io.ReadAll(resp.Body)
	harness.Check(t, err)
	harness.Check(t, resp.Body.Close())
	return response{resp, string(text)}
}

// open sends a request, whose response the end of the test closes.
func open(t *testing.T, by http.RoundTripper, method, url, body string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	harness.Check(t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	resp, err := by.RoundTrip(req)
	harness.Check(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// socket opens a WebSocket to the server and signs in with the token if there is one.
func (s *server) socket(t *testing.T, token string) *websocket.Conn {
	t.Helper()
	payload := "{}"
	if token != "" {
		payload = `{"Authorization":"Bearer ` + token + `"}`
	}
	conn := dial(t, http.DefaultClient, s.Base, payload)
	if got := hear(t, conn); !strings.Contains(got, "connection_ack") {
		t.Fatalf("the response to the sign-in is %s", got)
	}
	return conn
}

// dial opens a WebSocket to the server at base, and sends the payload as connection_init.
func dial(t *testing.T, by *http.Client, base, payload string) *websocket.Conn {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), base+"/graphql", &websocket.DialOptions{HTTPClient: by, Subprotocols: []string{"graphql-transport-ws"}})
	harness.Check(t, err)
	t.Cleanup(func() { _ = conn.CloseNow() })
	say(t, conn, `{"type":"connection_init","payload":`+payload+`}`)
	return conn
}

func say(t *testing.T, conn *websocket.Conn, text string) {
	t.Helper()
	harness.Check(t, conn.Write(t.Context(), websocket.MessageText, []byte(text)))
}

func hear(t *testing.T, conn *websocket.Conn) string {
	t.Helper()
	_, text, err := conn.Read(t.Context())
	harness.Check(t, err)
	return string(text)
}

// installNode copies a folder of suites, installs their dependencies, and returns the copy.
func installNode(t *testing.T, name string) (folder string) {
	t.Helper()
	folder = filepath.Join(testenv.Checkout(t), "bin", name)
	if out, err := exec.CommandContext(t.Context(), "scripts/npm.sh", "tests/"+name, folder).CombinedOutput(); err != nil {
		t.Fatalf("scripts/npm.sh: %v\n%s", err, out)
	}
	return folder
}

// runNode runs suites in a folder by Node.js.
func runNode(t *testing.T, folder string, suites []string, env ...string) {
	t.Helper()
	startNode(t, folder, suites, env...)()
}

// startNode starts suites like [runNode]. The returned function waits for their end.
func startNode(t *testing.T, folder string, suites []string, env ...string) (wait func()) {
	t.Helper()
	node := exec.CommandContext(t.Context(), "node", append([]string{"--test", "--test-reporter=spec"}, suites...)...)
	node.Dir = folder
	node.Env = append(os.Environ(), env...)
	var out bytes.Buffer
	node.Stdout, node.Stderr = &out, &out
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := node.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, &out)
		}
		t.Logf("%s", &out)
	}
}
