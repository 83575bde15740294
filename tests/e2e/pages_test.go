package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// adminToken returns a token for the task pages of a server with [harness.Secret].
func adminToken(t *testing.T) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(harness.Secret), time.Now).Sign(gateway.Claims{User: 1, Admin: true}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// TestPages_InABrowser visits every page of a server. browser.visit checks that pages request
// nothing from other servers and report nothing to the console.
func TestPages_InABrowser(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret)
	b := startBrowser(t)

	t.Run("a click on a demo user signs in, and sign-out works", func(t *testing.T) {
		p := b.visit(t, s)
		p.screen(1280, 800)
		p.open("/")
		p.waitForText("open the demo link that the server printed")
		// The page is open already, and the link differs from its address by the fragment only.
		evaluate[any](p, fmt.Sprintf("location.assign(%q)", s.DemoLink(t)))
		p.waitUntil("location.hash === '' && document.querySelectorAll('.demo-user').length === 8")
		name := evaluate[string](p, "document.querySelectorAll('.demo-user')[1].textContent")
		_, handle, _ := strings.Cut(name, "@")
		p.chooseDemoUser(2)
		p.waitUntil("document.querySelectorAll('article').length > 3")
		p.picture("home")
		p.open("/settings")
		p.waitForText("Signed in as @" + handle + " (user 4).")
		p.picture("settings")
		p.clickNamed("Sign out")
		p.waitUntil("!document.body.innerText.includes('Signed in as')")
		p.open("/")
		p.waitForText("As a demo user")
	})
	t.Run("a wrong token shows a message", func(t *testing.T) {
		p := b.openTab(t, s.Base)
		p.open("/")
		p.signIn("nonsense")
		p.waitForText("Sign-in failed.")
		p.picture("start-refused")
		eventually.True(t, "the browser reports the refusal", func() bool { return len(p.seen()) > 0 })
		if seen := p.seen(); len(seen) != 1 || !strings.Contains(seen[0], "401") {
			t.Errorf("the console has more than the refusal: %q", seen)
		}
	})
	t.Run("the client fits every screen", func(t *testing.T) {
		p := b.visit(t, s)
		p.open(s.DemoLink(t))
		p.chooseDemoUser(8)
		p.waitUntil("document.querySelector('article')")
		for name, width := range map[string]int64{"smallest": 320, "phone": 390, "tablet": 768, "desk": 1280} {
			p.screen(width, 800)
			for _, path := range []string{"/", "/live", "/search", "/settings", "/u/star1"} {
				p.open(path)
				p.waitUntil("document.querySelector('h1') && !document.querySelector('.loading')")
				if needs := evaluate[int64](p, "document.documentElement.scrollWidth"); needs > width {
					t.Errorf("%s needs %d pixels of a %s's %d", path, needs, name, width)
				}
			}
		}
	})
	t.Run("each address of the client can be opened directly, also without signing in", func(t *testing.T) {
		p := b.visit(t, s)
		for path, text := range map[string]string{
			"/u/star1": "followers", "/search?q=star": "@star1", "/live": "Sign in to see live sessions", "/settings": "Task queues", "/p/nothing": "Post not found",
		} {
			p.open(path)
			p.waitForText(text)
		}
	})
	t.Run("GraphiQL responds to the first press of play", func(t *testing.T) {
		p := b.visit(t, s)
		p.screen(1280, 800)
		p.open("/graphiql")
		p.play()
		p.waitForText(`"data": {`)
		p.waitForText(`"followers"`)
		p.picture("graphiql")
		p.dark()
		p.picture("graphiql-dark")
	})
	t.Run("GraphiQL uses the session of the demo user", func(t *testing.T) {
		p := b.visit(t, s)
		p.screen(1280, 800)
		p.open(s.DemoLink(t))
		p.chooseDemoUser(8)
		p.waitUntil("document.querySelector('article')")
		p.open("/graphiql")
		p.waitUntil("document.querySelector('.graphiql-query-editor .CodeMirror')")
		homeFeed, _ := json.Marshal(blocks(t, "graphql")[0])
		evaluate[any](p, "document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue("+string(homeFeed)+")")
		p.play()
		p.waitForText(`"homeFeed"`)
		var got struct {
			Data struct {
				Viewer struct{ HomeFeed tideline.IDPage }
			}
			Errors []any
		}
		response := evaluate[string](p, "document.querySelector('.result-window .CodeMirror').CodeMirror.getValue()")
		if err := json.Unmarshal([]byte(response), &got); err != nil || len(got.Errors) > 0 || len(got.Data.Viewer.HomeFeed.Edges) != 20 {
			t.Errorf("the response (error %v) is\n%s", err, response)
		}
		p.picture("graphiql-home-feed")
	})
	t.Run("administrators see the queues and their tasks, without buttons for changes", func(t *testing.T) {
		id := s.makeTasks(t)
		p := b.visit(t, s)
		p.openTasks()
		p.picture("tasks")
		p.openCompleted(id)
		p.picture("tasks-completed")
		for _, path := range []string{"/tasks", "/tasks/queues/push?status=completed"} {
			p.open(path)
			p.waitForText("push")
			if controls := evaluate[int](p, taskControls); controls != 0 {
				t.Errorf("the tables of %s have %d controls for changes", path, controls)
			}
		}
	})
}

// taskControls counts the controls for changes on the task pages: the column of buttons and the
// boxes that select tasks.
const taskControls = `[...document.querySelectorAll('th')].filter(h => h.innerText.trim() === 'Actions').length +
	document.querySelectorAll('table input[type=checkbox]').length`

func TestTaskPages_PauseQueueIfAllowed(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_TASKS_WRITABLE=true")
	id := s.makeTasks(t)
	p := startBrowser(t).visit(t, s)
	p.openTasks()
	if evaluate[int](p, taskControls) == 0 {
		t.Error("the queues have no buttons")
	}
	p.hover("tbody tr:last-child td:last-child button") // its cell shows the buttons on hover
	p.waitUntil("document.querySelector('[title=Pause]')")
	p.picture("tasks-writable")
	p.click("[title=Pause]")
	p.waitForText("paused")
	p.openCompleted(id)
	p.waitUntil(taskControls)
}

func TestTaskPages_RefuseChangesByDefault(t *testing.T) {
	t.Parallel()
	for writable, want := range map[string]int{"false": http.StatusMethodNotAllowed, "true": http.StatusNoContent} {
		s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret, "TIDELINE_TASKS_WRITABLE="+writable)
		s.makeTasks(t)
		if got := s.pause(t, "http://elsewhere.example"); got != http.StatusForbidden || s.isPaused(t) {
			t.Errorf("TIDELINE_TASKS_WRITABLE=%s: a change by another site returns %d", writable, got)
		}
		if got := s.pause(t, s.Base); got != want || s.isPaused(t) != (want == http.StatusNoContent) {
			t.Errorf("TIDELINE_TASKS_WRITABLE=%s: a change returns %d, want %d; paused: %v", writable, got, want, s.isPaused(t))
		}
	}
}

// pause pauses the queue push as a script of a page of origin does, with an administrator's
// cookie, and returns the status.
func (s *server) pause(t *testing.T, origin string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/tasks/api/queues/push:pause", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Origin", origin)
	req.AddCookie(&http.Cookie{Name: gateway.SessionCookie, Value: adminToken(t)})
	status, _ := s.Do(t, req, "")
	return status
}

func (s *server) isPaused(t *testing.T) bool {
	t.Helper()
	status, body := s.Get(t, "/tasks/api/queues", adminToken(t))
	var got struct {
		Queues []struct {
			Queue  string
			Paused bool
		}
	}
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != http.StatusOK {
		t.Fatalf("%v, %d: %s", err, status, body)
	}
	for _, q := range got.Queues {
		if q.Queue == "push" {
			return q.Paused
		}
	}
	t.Fatalf("the list lacks the queue push: %s", body)
	return false
}

// makeTasks runs a task on the queue push, and returns the decimal id of the pushed post.
func (s *server) makeTasks(t *testing.T) string {
	t.Helper()
	id := s.Publish(t, harness.TokenFor(t, 20), "something to do")
	s.waitForTask(t, "push", "post "+id)
	return id
}

// waitForTask waits until a task with the text in its description is done.
func (s *server) waitForTask(t *testing.T, queue, text string) {
	t.Helper()
	eventually.True(t, "a task of the queue "+queue+" was done", func() bool {
		_, body := s.Get(t, "/tasks/api/queues/"+queue+"/completed_tasks", adminToken(t))
		return strings.Contains(body, text)
	})
}

// signIn signs in with a token on the start page.
func (p *tab) signIn(token string) {
	p.t.Helper()
	p.do(chromedp.SendKeys(chromedp.CSS("#token"), token))
	p.click(".token-form button")
}

// chooseDemoUser signs in on the start page as the n-th demo user, from 1.
func (p *tab) chooseDemoUser(n int) {
	p.t.Helper()
	p.click(fmt.Sprintf(".demo-users li:nth-child(%d) button", n))
}

// clickNamed clicks the button with a name.
func (p *tab) clickNamed(name string) {
	p.t.Helper()
	button := fmt.Sprintf("[...document.querySelectorAll('button')].find(b => b.textContent.trim() === %q)", name)
	p.waitUntil(button)
	evaluate[any](p, button+".click()")
}

// openTasks opens the task pages without being signed in.
func (p *tab) openTasks() {
	p.t.Helper()
	p.screen(1280, 800)
	p.open("/tasks")
	p.waitForText("/tasks is for administrators")
	p.signIn(adminToken(p.t))
	p.waitUntil("location.pathname === '/tasks'")
	p.waitUntil(`JSON.stringify([...document.querySelectorAll('tbody tr')].map(row => row.cells[0].innerText).sort()) === '["build","dispatch","dispatch-large","push","push-large"]'`)
}

// openCompleted opens the completed tasks of the queue push, where the task of a post is.
func (p *tab) openCompleted(id string) {
	p.t.Helper()
	p.open("/tasks/queues/push?status=completed")
	p.waitForText("post " + id)
}

// play clicks the play button of GraphiQL.
func (p *tab) play() {
	p.t.Helper()
	p.click(".graphiql-execute-button")
}

func TestBrowser_MissingChromiumNamesPackage(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if path, err := findChromium(); err == nil || !strings.Contains(err.Error(), "apt-get install --no-install-recommends chromium") {
		t.Errorf("got %q, %v", path, err)
	}
}

// TestPageWatch_SeesAllProblems opens a page with every forbidden behaviour.
func TestPageWatch_SeesAllProblems(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/strict" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><script>
			console.error("a complaint"); fetch("%s/other"); new WebSocket("%s/socket"); throw new Error("an accident");
		</script>`, elsewhere.URL, strings.Replace(elsewhere.URL, "http", "ws", 1))
	}))
	defer bad.Close()
	p := startBrowser(t).openTab(t, bad.URL)
	p.open("/strict")
	p.open("/")
	for _, want := range []string{"Content Security Policy", "a page says: error: \"a complaint\"", "asks for " + elsewhere.URL + "/other", "opens a socket to ", "an accident"} {
		eventually.True(t, "the watch sees: "+want, func() bool {
			return slices.ContainsFunc(p.seen(), func(problem string) bool { return strings.Contains(problem, want) })
		})
	}
}
