package e2e

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"
	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// goReader reads the feed of a world by the genqlient client, as the suites of tests/clients do by
// theirs: it subscribes, reads from the top, and adds what the subscription delivers.
type goReader struct {
	t         *testing.T
	world     *feedWorld
	authors   []graphql.Client // the first is the viewer
	delivered chan tideline.Content
	existing  []string           // the ids of the feed when the scroll began
	published []tideline.Content // posts from then on
	turn      int
}

func newGoReader(t *testing.T, s *server, w *feedWorld) *goReader {
	t.Helper()
	r := &goReader{t: t, world: w, delivered: make(chan tideline.Content, 1000), existing: w.Posts}
	for _, token := range append([]string{w.Viewer}, w.Authors...) {
		r.authors = append(r.authors, tideline.New(s.Base, tideline.WithToken(token)))
	}
	subscription, err := tideline.Subscribe(t.Context(), s.Base, tideline.WithToken(w.Viewer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = subscription.Close() })
	go func() {
		defer close(r.delivered)
		for edge, err := subscription.Next(); err == nil; edge, err = subscription.Next() {
			r.delivered <- edge.Node
		}
	}()
	return r
}

// read reads the whole feed while others publish, adds what the subscription delivers, and compares
// the result with the expected feed and with a later read.
func (r *goReader) read() suiteFigures {
	r.t.Helper()
	eventually.True(r.t, "the subscription delivers", func() bool {
		r.must(r.publish(1))
		return len(r.delivered) > 0
	})
	eventually.True(r.t, "the feed has the new posts", func() bool {
		top := contentIDs(r.page(100, nil).Edges)
		return !slices.ContainsFunc(r.published, func(c tideline.Content) bool { return !slices.Contains(top, c.DatabaseId) })
	})
	r.existing, r.published = r.feed(), nil

	pages, sent := r.scroll(1)
	shown := map[string]tideline.Content{}
	for _, edge := range sent {
		shown[edge.Node.DatabaseId] = edge.Node
	}
	r.addDelivered(shown)
	figures := r.figures(pages, contentIDs(sent))
	if list := inFeedOrder(shown); !slices.Equal(list, r.feed()) {
		r.t.Errorf("the list differs (-want +got):\n%s", gocmp.Diff(r.feed(), list))
	}
	if _, again := r.scroll(0); !slices.Equal(contentIDs(again), r.feed()) {
		r.t.Errorf("the feed, read again, differs (-want +got):\n%s", gocmp.Diff(r.feed(), contentIDs(again)))
	}
	return figures
}

// publish publishes as the next authors and records the posts.
func (r *goReader) publish(n int) error {
	for range n {
		r.turn++
		author := r.authors[r.turn%len(r.authors)]
		got, err := tideline.PublishPost(r.t.Context(), author, tideline.PublishPostInput{Text: fmt.Sprint("news ", r.turn)})
		if err != nil {
			return err
		}
		if err := tideline.Refused(got.PublishPost.UserErrors); err != nil {
			return err
		}
		r.published = append(r.published, got.PublishPost.FeedEdge.Node)
	}
	return nil
}

// page reads one page of the viewer's feed.
func (r *goReader) page(first int, after *string) tideline.ContentPage {
	r.t.Helper()
	got, err := tideline.HomeFeed(r.t.Context(), r.authors[0], first, after, nil)
	r.must(err)
	return got.Viewer.HomeFeed
}

// scroll reads the feed from the top to its end and returns the number of pages and their entries.
// It publishes during posts while each page is read, and between posts before the next.
func (r *goReader) scroll(publish int) (pages int, sent []tideline.ContentEdge) {
	r.t.Helper()
	for after, more := (*string)(nil), true; more; pages++ {
		var meanwhile errgroup.Group
		meanwhile.Go(func() error { return r.publish(publish) })
		page := r.page(r.world.PageSize, after)
		r.must(meanwhile.Wait())
		r.must(r.publish(publish))
		sent = append(sent, page.Edges...)
		after, more = page.PageInfo.EndCursor, page.PageInfo.HasNextPage
		if more && len(page.Edges) != r.world.PageSize {
			r.t.Errorf("a page of %d posts is not full, but the feed has more", len(page.Edges))
		}
	}
	return pages, sent
}

// addDelivered adds what the subscription delivers, until it has delivered all new posts.
func (r *goReader) addDelivered(shown map[string]tideline.Content) {
	r.t.Helper()
	waiting := map[string]bool{}
	for _, c := range r.published {
		waiting[c.DatabaseId] = true
	}
	deadline := time.After(eventually.Limit)
	for len(waiting) > 0 {
		select {
		case c, ok := <-r.delivered:
			if !ok {
				r.t.Fatal("the subscription has ended")
			}
			shown[c.DatabaseId] = c
			delete(waiting, c.DatabaseId)
		case <-deadline:
			r.t.Fatalf("%d posts were never delivered", len(waiting))
		}
	}
}

// figures counts mistakes in the ids read. It fails the test for each, and if the posts from before
// are out of order.
func (r *goReader) figures(pages int, ids []string) suiteFigures {
	r.t.Helper()
	seen := map[string]int{}
	for _, id := range ids {
		seen[id]++
	}
	f := suiteFigures{
		Client: "genqlient " + moduleVersion(r.t, "github.com/Khan/genqlient"), Pages: pages,
		Posts: len(r.existing), Published: len(r.published), Duplicates: len(ids) - len(seen),
	}
	for _, id := range r.existing {
		if seen[id] == 0 {
			f.Gaps++
		}
	}
	// New posts are above the others.
	if from := max(0, len(ids)-len(r.existing)); !slices.Equal(ids[from:], r.existing) {
		r.t.Errorf("the pages differ from what existed (-want +got):\n%s", gocmp.Diff(r.existing, ids[from:]))
	}
	return f
}

// feed returns the ids that the feed must have now.
func (r *goReader) feed() []string {
	published := map[string]tideline.Content{}
	for _, c := range r.published {
		published[c.DatabaseId] = c
	}
	return append(inFeedOrder(published), r.existing...)
}

func (r *goReader) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func contentIDs(edges []tideline.ContentEdge) []string {
	var ids []string
	for _, edge := range edges {
		ids = append(ids, edge.Node.DatabaseId)
	}
	return ids
}

// inFeedOrder returns the ids of posts in feed order.
func inFeedOrder(posts map[string]tideline.Content) []string {
	var in []harness.Post
	for _, c := range posts {
		id, _ := strconv.ParseInt(c.DatabaseId, 10, 64) // 0 is no id, so the comparison fails
		in = append(in, harness.Post{ID: id, At: c.PublishedAt.UnixMilli()})
	}
	return harness.SortedIDs(in)
}

// moduleVersion returns the version of a module that the client's module requires.
func moduleVersion(t *testing.T, module string) string {
	t.Helper()
	text, err := os.ReadFile("clients/go/go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*` + regexp.QuoteMeta(module) + ` v(\S+)`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("clients/go/go.mod does not require %s", module)
	}
	return string(found[1])
}
