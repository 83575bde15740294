package tideline_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

func TestClient_OptionsChooseThePage(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":{"homeFeed":{"edges":[],"pageInfo":{}}}}}`)
	client, cursor := tideline.NewClient(base+"/", tideline.WithToken("abc")), "c1"
	for want, options := range map[string][]tideline.PageOption{
		`{"first":20}`:             nil,
		`{"first":5,"after":"c1"}`: {tideline.First(5), tideline.After(&cursor)},
		`{"first":0}`:              {tideline.First(0), tideline.After(nil)},

		`{"first":20,"special":true}`: {tideline.OfSpecialFollows()},
	} {
		page, err := client.HomeFeed(t.Context(), options...)
		if err != nil || page == nil {
			t.Errorf("the page is %v, %v", page, err)
		}
		if r := got(); r != (request{"/graphql", "Bearer abc", accepted, "", "HomeFeed", want}) {
			t.Errorf("the request is %+v, want the variables %s", r, want)
		}
	}
}

func TestClient_ReturnsRefusalsAsErrors(t *testing.T) {
	const refused = `"userErrors":[{"code":"CONFLICT","message":"no","field":["input"]}]`
	for body, ask := range map[string]func(*tideline.Client) error{
		`{"data":{"publishPost":{"feedEdge":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.Publish(t.Context(), "x", tideline.ReplyTo("p"), tideline.IdempotencyKey("k"))
			return err
		},
		`{"data":{"editPost":{"post":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.Edit(t.Context(), "p", "x")
			return err
		},
		`{"data":{"deletePost":{` + refused + `}}}`: func(c *tideline.Client) error { return c.Delete(t.Context(), "p") },
		`{"data":{"likePost":{"post":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.Like(t.Context(), "p")
			return err
		},
		`{"data":{"markHomeRead":{"readPosition":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.MarkRead(t.Context(), "", "c", "t")
			return err
		},
		`{"data":{"addToList":{"list":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.AddToList(t.Context(), "l", "u")
			return err
		},
		`{"data":{"deleteList":{` + refused + `}}}`: func(c *tideline.Client) error { return c.DeleteList(t.Context(), "l") },
		`{"data":{"blockUser":{"user":null,` + refused + `}}}`: func(c *tideline.Client) error {
			_, err := c.Block(t.Context(), "u")
			return err
		},
	} {
		base, _ := answering(t, http.StatusOK, mediaResponse, body)
		err := ask(tideline.NewClient(base))
		var refusal *tideline.Refusal
		if !errors.As(err, &refusal) || tideline.CodeOf(err) != "CONFLICT" {
			t.Errorf("%s returns %v", body, err)
		}
	}
}

func TestClient_ModerationSendsOnlyWhatIsGiven(t *testing.T) {
	const body = `{"data":{"moderationLog":{"nodes":[{"by":"4","reason":"spam"}],"pageInfo":{}},"suspendUser":{"userErrors":[]},"takeDownPost":{"userErrors":[]}}}`
	base, got := answering(t, http.StatusOK, mediaResponse, body)
	client, post, until := tideline.NewClient(base), "p", time.UnixMilli(0).UTC()
	log := func(subject *tideline.ModerationSubject) func() error {
		return func() error {
			page, err := client.ModerationLog(t.Context(), subject)
			if err == nil && (len(page.Nodes) != 1 || page.Nodes[0].By != "4") {
				t.Errorf("the log is %+v", page)
			}
			return err
		}
	}
	suspend := func(until *time.Time) func() error {
		return func() error {
			_, err := client.SuspendUser(t.Context(), "u", "spam", until)
			return err
		}
	}
	for want, ask := range map[string]func() error{
		`{"first":20}`:                             log(nil),
		`{"subject":{"postId":"p"},"first":20}`:    log(&tideline.ModerationSubject{PostId: &post}),
		`{"input":{"reason":"spam","userId":"u"}}`: suspend(nil),
		`{"input":{"reason":"spam","until":"1970-01-01T00:00:00Z","userId":"u"}}`: suspend(&until),
		`{"input":{"postId":"p","reason":"spam"}}`: func() error {
			_, err := client.TakeDownPost(t.Context(), "p", "spam")
			return err
		},
	} {
		if err := ask(); err != nil {
			t.Errorf("the request with %s fails: %v", want, err)
		}
		same(t, "the variables", got().variables, want)
	}
}

func TestClient_FollowOptionsSendOnlyWhatIsGiven(t *testing.T) {
	const body = `{"data":{"%s":{"user":{"id":"u","viewerFollowOptions":{"special":true}},"userErrors":[]}}}`
	type follow = func(*tideline.Client, context.Context, tideline.ID, ...tideline.FollowOption) (*tideline.Profile, error)
	for field, change := range map[string]follow{"followUser": (*tideline.Client).Follow, "updateFollow": (*tideline.Client).UpdateFollow} {
		base, got := answering(t, http.StatusOK, mediaResponse, fmt.Sprintf(body, field))
		for want, options := range map[string][]tideline.FollowOption{
			`{"input":{"userId":"u"}}`:                                    nil,
			`{"input":{"userId":"u"},"special":true,"hideReplies":false}`: {tideline.Special(true), tideline.HideReplies(false)},
			`{"input":{"userId":"u"},"hideReposts":true}`:                 {tideline.HideReposts(true)},
		} {
			user, err := change(tideline.NewClient(base), t.Context(), "u", options...)
			check(t, err)
			same(t, "the variables of "+field, got().variables, want)
			same(t, "the options", user.ViewerFollowOptions, &tideline.FollowOptions{Special: true})
		}
	}
}

func TestClient_AnonymousViewerHasNoFeed(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":null,"user":null,"node":null}}`)
	client := tideline.NewClient(base, tideline.WithToken(""))
	if page, err := client.HomeFeed(t.Context()); page != nil || tideline.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("the page is %v, %v", page, err)
	}
	same(t, "the token", got().token, "")
	if page, err := client.LiveFeed(t.Context()); page != nil || tideline.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("the live feed is %v, %v", page, err)
	}
	got()
	if me, err := client.Me(t.Context()); me != nil || tideline.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("the viewer is %v, %v", me, err)
	}
	got()
	if read, err := client.ReadPosition(t.Context(), ""); read != nil || tideline.CodeOf(err) != "UNAUTHENTICATED" {
		t.Errorf("the read position is %v, %v", read, err)
	}
	got()
	if page, err := client.Posts(t.Context(), "ann"); page != nil || err != nil {
		t.Errorf("the posts of an invisible user are %v, %v", page, err)
	}
}

func TestClient_MarksAndReadsPositions(t *testing.T) {
	const position = `{"cursor":"c","syncToken":"t","at":"2026-05-04T12:30:00.250Z","unread":2}`
	base, got := answering(t, http.StatusOK, mediaResponse,
		`{"data":{"markHomeRead":{"readPosition":`+position+`,"userErrors":[]},"viewer":{"readPosition":`+position+`}}}`)
	client := tideline.NewClient(base)
	for want, ask := range map[string]func() (*tideline.Position, error){
		`{"input":{"cursor":"c","device":"phone","syncToken":"t"}}`: func() (*tideline.Position, error) {
			return client.MarkRead(t.Context(), "phone", "c", "t")
		},
		`{"device":"phone"}`: func() (*tideline.Position, error) { return client.ReadPosition(t.Context(), "phone") },
	} {
		p, err := ask()
		if err != nil || p.Cursor != "c" || p.SyncToken != "t" || *p.Unread != 2 || p.At.UnixMilli() != 1_777_897_800_250 {
			t.Errorf("the position is %+v, %v", p, err)
		}
		same(t, "the variables", got().variables, want)
	}
}

func TestClient_KeepsLists(t *testing.T) {
	const list = `{"list":{"id":"l","name":"x","isPublic":false,"exclusive":true,"memberCount":2},"userErrors":[]}`
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"createList":`+list+`,"updateList":`+list+`,"addToList":`+list+`,"removeFromList":`+list+`}}`)
	client := tideline.NewClient(base)
	for want, ask := range map[string]func() (*tideline.AuthorList, error){
		`{"input":{"name":"x"}}`: func() (*tideline.AuthorList, error) { return client.CreateList(t.Context(), "x") },
		`{"input":{"exclusive":true,"isPublic":false,"name":"x"}}`: func() (*tideline.AuthorList, error) {
			return client.CreateList(t.Context(), "x", tideline.Exclusive(true), tideline.Public(false))
		},
		`{"input":{"listId":"l","name":"y"}}`: func() (*tideline.AuthorList, error) {
			return client.UpdateList(t.Context(), "l", tideline.Named("y"))
		},
		`{"input":{"listId":"l","userIds":["u","v"]}}`: func() (*tideline.AuthorList, error) { return client.AddToList(t.Context(), "l", "u", "v") },
		`{"input":{"listId":"l","userIds":["u"]}}`:     func() (*tideline.AuthorList, error) { return client.RemoveFromList(t.Context(), "l", "u") },
	} {
		l, err := ask()
		if err != nil || *l != (tideline.AuthorList{Id: "l", Name: "x", Exclusive: true, MemberCount: 2}) {
			t.Errorf("the list is %+v, %v", l, err)
		}
		same(t, "the variables", got().variables, want)
	}
}

func TestClient_ReadsLists(t *testing.T) {
	base, got := answering(t, http.StatusOK, mediaResponse, `{"data":{"viewer":{"lists":[{"id":"l"}]},"node":{"__typename":"AuthorList",
		"feed":{"edges":[{"cursor":"c","node":{"id":"p"}}],"pageInfo":{}},"members":{"edges":[{"cursor":"c","node":{"id":"u"}}],"pageInfo":{}}}}}`)
	client := tideline.NewClient(base)
	if lists, err := client.Lists(t.Context()); err != nil || len(lists) != 1 || lists[0].Id != "l" {
		t.Errorf("the lists are %+v, %v", lists, err)
	}
	got()
	if page, err := client.ListFeed(t.Context(), "l"); err != nil || page == nil || page.Edges[0].Node.Id != "p" {
		t.Errorf("the feed is %+v, %v", page, err)
	}
	got()
	if page, err := client.ListMembers(t.Context(), "l"); err != nil || page == nil || page.Edges[0].Node.Id != "u" {
		t.Errorf("the members are %+v, %v", page, err)
	}
}

func TestAll_ReadsEveryPage(t *testing.T) {
	cursor, broken := "c1", errors.New("broken")
	var asked []string
	read := func(fails bool) func(tideline.PageOption) (*tideline.ContentPage, error) {
		return func(tideline.PageOption) (*tideline.ContentPage, error) {
			asked = append(asked, "page")
			if len(asked) == 1 {
				return &tideline.ContentPage{Edges: []tideline.ContentEdge{{Cursor: "a"}, {Cursor: "b"}}, PageInfo: tideline.Paging{HasNextPage: true, EndCursor: &cursor}}, nil
			}
			if fails {
				return nil, broken
			}
			return &tideline.ContentPage{Edges: []tideline.ContentEdge{{Cursor: "c"}}}, nil
		}
	}
	for _, fails := range []bool{false, true} {
		asked = nil
		var cursors []string
		var failed error
		for edge, err := range tideline.All(read(fails)) {
			if failed = err; err == nil {
				cursors = append(cursors, edge.Cursor)
			}
		}
		want := []string{"a", "b", "c"}
		if fails {
			want = want[:2]
		}
		if !cmp.Equal(cursors, want) || fails != errors.Is(failed, broken) {
			t.Errorf("the entries are %q and the error %v", cursors, failed)
		}
	}
	asked = nil
	for _, err := range tideline.All(read(false)) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if len(asked) != 1 {
		t.Errorf("%d pages were read for one entry", len(asked))
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test if two values differ.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
