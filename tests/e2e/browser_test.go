package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	cdpnetwork "github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// browsing limits the use of one browser: a test takes several steps in it, each of which may take
// [eventually.Limit].
const browsing = 3 * eventually.Limit

// findChromium returns the path of Chromium or a browser built from it. It prefers the headless
// build, which takes half of the CPU time.
func findChromium() (string, error) {
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium in PATH; on Debian: apt-get install --no-install-recommends chromium-headless-shell")
}

// browser is a running Chromium.
type browser struct{ ctx context.Context }

// startBrowser starts a headless Chromium with a new, empty profile. Both are removed when the test
// ends.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path, err := findChromium()
	if err != nil {
		t.Fatal(err)
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless,
		// A container's /dev/shm may be too small for a page.
		chromedp.Flag("disable-dev-shm-usage", true),
	}
	for _, flag := range []string{
		"no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "no-default-browser-check",
		"disable-background-networking", "disable-component-update", "disable-sync", "disable-breakpad",
	} {
		options = append(options, chromedp.Flag(flag, true))
	}
	ctx, cancel := context.WithTimeout(context.Background(), browsing)
	ctx, stop := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(func() {
		stop()
		cancel()
	})
	ctx, _ = chromedp.NewContext(ctx) // ended by stop
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return &browser{ctx: ctx}
}

// tab is a page that a test uses as a visitor does.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu       sync.Mutex
	problems []string
}

// openTab opens an empty tab that shares no cookies with other tabs, and watches the pages of the
// server at base in it.
func (b *browser) openTab(t *testing.T, base string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx, base: base}
	if err := chromedp.Listen(ctx, p.watch); err != nil {
		t.Fatal(err)
	}
	return p
}

// visit opens a tab as openTab does, and fails the test for each problem that the watch finds.
func (b *browser) visit(t *testing.T, s *server) *tab {
	t.Helper()
	p := b.openTab(t, s.Base)
	t.Cleanup(func() {
		for _, problem := range p.seen() {
			t.Error(problem)
		}
	})
	return p
}

// watch records requests to other servers, errors and warnings in the console, where the browser
// also reports violations of the content policy, and uncaught exceptions.
func (p *tab) watch(event any) {
	switch e := event.(type) {
	case *cdpnetwork.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, p.base+"/") && !strings.HasPrefix(e.Request.URL, "data:") {
			p.note("a page asks for %s", e.Request.URL)
		}
	case *cdpnetwork.EventWebSocketCreated:
		if !strings.HasPrefix(e.URL, "ws"+strings.TrimPrefix(p.base, "http")+"/") {
			p.note("a page opens a socket to %s", e.URL)
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError || e.Entry.Level == cdplog.EntryLevelWarning {
			p.note("the browser reports: %s: %s (%s)", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *cdpruntime.EventConsoleAPICalled:
		if slices.Contains([]cdpruntime.ConsoleAPICalledType{"error", "warning", "assert"}, e.Type) {
			p.note("a page says: %s: %s", e.Type, words(e.Args))
		}
	case *cdpruntime.EventExceptionThrown:
		p.note("a page throws: %s %s", e.ExceptionDetails.Text, words([]*cdpruntime.RemoteObject{e.ExceptionDetails.Exception}))
	}
}

// words formats the values that a page has logged or thrown in one line.
func words(values []*cdpruntime.RemoteObject) string {
	var out []string
	for _, v := range values {
		if v != nil {
			out = append(out, string(v.Value)+v.Description)
		}
	}
	return strings.Join(out, " ")
}

func (p *tab) note(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.problems = append(p.problems, fmt.Sprintf(format, args...))
}

// seen returns the problems found so far.
func (p *tab) seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.problems)
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// open loads a path of the server.
func (p *tab) open(path string) {
	p.t.Helper()
	p.do(chromedp.Navigate(p.base + path))
}

// click waits until the first element that a CSS selector matches is visible, and clicks it.
func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// hover moves the pointer over the first element that a CSS selector matches.
func (p *tab) hover(selector string) {
	p.t.Helper()
	at := evaluate[[2]float64](p, fmt.Sprintf(`(() => {
		const element = document.querySelector(%q);
		element.scrollIntoView({block: 'center', behavior: 'instant'});
		const box = element.getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`, selector))
	p.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
}

// evaluate returns the value of a JavaScript expression in the page.
func evaluate[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// waitUntil waits until a JavaScript condition holds. Evaluation may fail while the page navigates.
func (p *tab) waitUntil(condition string) {
	p.t.Helper()
	eventually.True(p.t, condition, func() bool {
		holds, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		return err == nil && holds
	})
}

// waitForText waits until the page shows the text.
func (p *tab) waitForText(text string) {
	p.t.Helper()
	p.waitUntil(fmt.Sprintf("document.body.innerText.includes(%q)", text))
}

// screen sets the width and height of the page.
func (p *tab) screen(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// dark sets the dark colour scheme.
func (p *tab) dark() {
	p.t.Helper()
	dark := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, dark); err != nil {
		p.t.Fatal(err)
	}
}

// picture writes a picture of the whole page to the folder in TIDELINE_SCREENSHOTS if it is set, as
// by make screenshots.
func (p *tab) picture(name string) {
	p.t.Helper()
	dir := os.Getenv("TIDELINE_SCREENSHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}
