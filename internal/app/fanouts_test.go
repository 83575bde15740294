package app

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
)

// oneFanout has one fan-out, of post 7, with ten slices.
type oneFanout struct {
	feed.Audience
	done int
}

func (o oneFanout) FanoutOf(_ context.Context, post feed.PostID, _ int) (*feed.FanoutState, error) {
	if post != 7 {
		return nil, nil
	}
	return &feed.FanoutState{
		Post: 7, Planned: true, PlannedAt: 1000, MovedAt: 3000, Slices: 10, Done: o.done, Running: 1, Reached: 4000, Last: 12345,
		Open: []feed.OpenSlice{{Task: 4, First: 4001, Last: 5000, Progress: 4100, Running: true, DueAt: 4000, Attempt: 2}}[:min(1, 10-o.done)],
	}, nil
}

func (oneFanout) PushedAt(context.Context, feed.PostID, feed.UserID) (int64, error) { return 0, nil }

func (o oneFanout) SlowestFanouts(context.Context, int64, int) ([]feed.SlowFanout, error) {
	return []feed.SlowFanout{{Post: 7, BeganAt: 1000, MovedAt: 3500, Slices: 10, Done: o.done}}, nil
}

func (oneFanout) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if ids[0] != 7 {
		return []*feed.Post{nil}, nil
	}
	return []*feed.Post{{ID: 7, Author: 3, PublishedAt: 900}}, nil
}

func (oneFanout) Reach(context.Context, feed.UserID) (int64, feed.CoverageFlag, error) {
	return 1_234_567, feed.FlagNone, nil
}

func getFanouts(o oneFanout, ids feed.IDFinder, path string) *httptest.ResponseRecorder {
	m := &fanout.Monitor{
		Fanouts: o, Audience: o, Posts: o, Clock: func() time.Time { return time.UnixMilli(3000) },
		Waits: func(context.Context) (feed.Waits, error) { return feed.Waits{}, nil },
	}
	other := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	out := httptest.NewRecorder()
	withFanouts(other, fanoutPages(m, ids, "/tasks"), "/tasks").ServeHTTP(out, httptest.NewRequest(http.MethodGet, path, nil))
	return out
}

func TestFanoutPages_ShowProgress(t *testing.T) {
	const refresh = `http-equiv="refresh"`
	for name, c := range map[string]struct {
		path      string
		done      int
		status    int
		has, lack []string
	}{
		"running": {"/tasks/fanout/7", 4, 200, []string{
			"1,234,567 followers", "4 of 10 done (40 %)", "up to user 4000", "2.0 slices a second", "about 3s", refresh,
			"a worker has it for 1s at least", "slices at workers: 1",
			"<td>1970-01-01 00:00:00.900 UTC</td>", "<td>1970-01-01 00:00:01.000 UTC</td>",
		}, nil},
		"ended":     {"/tasks/fanout/7", 10, 200, []string{"10 of 10 done (100 %)", ">done<"}, []string{refresh, "First open"}},
		"unknown":   {"/tasks/fanout/8", 0, 404, []string{"the post is not stored"}, []string{refresh}},
		"a replay":  {"/tasks/fanout/-8", 0, 404, []string{"the post is not stored"}, []string{refresh}},
		"malformed": {"/tasks/fanout/%3Cb%3E", 0, 404, []string{"whole number"}, []string{"<b>"}},
		"slowest":   {"/tasks/fanout", 4, 200, []string{`href="/tasks/fanout?post=7"`, "2.5s", "4 of 10", "<td>1970-01-01 00:00:01.000 UTC</td>"}, []string{refresh}},
		"a form":    {"/tasks/fanout?post=7", 4, 200, []string{"4 of 10 done (40 %)"}, nil},
		"the queue": {"/tasks/queues/push", 0, 418, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			out := getFanouts(oneFanout{done: c.done}, nil, c.path)
			body := out.Body.String()
			if out.Code != c.status {
				t.Fatalf("status %d, want %d:\n%s", out.Code, c.status, body)
			}
			for _, text := range c.has {
				if !strings.Contains(body, text) {
					t.Errorf("the page lacks %q:\n%s", text, body)
				}
			}
			for _, text := range c.lack {
				if strings.Contains(body, text) {
					t.Errorf("the page has %q:\n%s", text, body)
				}
			}
			policy := out.Header().Get("Content-Security-Policy")
			if c.has != nil && (!strings.HasPrefix(policy, "default-src 'none'; style-src 'nonce-") || strings.Contains(body, "<script")) {
				t.Errorf("the page has scripts or the policy %q", policy)
			}
		})
	}
}

// textIDs are ids that need escapes somewhere.
type textIDs struct{}

func (textIDs) FindIDs(_ context.Context, _ feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	if ids[0] == "../<b>&amp;?" {
		return []int64{7}, nil
	}
	return []int64{0}, nil
}

func (textIDs) ExternalIDs(_ context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	out := make([]feed.ExternalID, len(numbers))
	for i, n := range numbers {
		if out[i] = feed.ExternalID(fmt.Sprintf("%s|%d", kind, n)); kind == feed.PostIDs {
			out[i] = "../<b>&amp;?"
		}
	}
	return out, nil
}

func TestFanoutPages_NameExternalIDs(t *testing.T) {
	const inText = "../&lt;b&gt;&amp;amp;?"
	for path, has := range map[string][]string{
		"/tasks/fanout": {`href="/tasks/fanout?post=..%2f%3cb%3e%26amp%3b%3f"`, ">" + inText + "<"},
		"/tasks/fanout?post=..%2f%3cb%3e%26amp%3b%3f": {
			"Fan-out of post " + inText, "user user|3,", "up to user user|4000", "ends with user user|12345", "after user|4000 up to user|5000", ">user|4100<",
		},
		"/tasks/fanout/..%2f%3cb%3e%26amp%3b%3f": {"Fan-out of post " + inText},
		"/tasks/fanout?post=7":                   {"no post has this id"},
	} {
		body := getFanouts(oneFanout{done: 4}, textIDs{}, path).Body.String()
		for _, text := range has {
			if !strings.Contains(body, text) {
				t.Errorf("%s lacks %q:\n%s", path, text, body)
			}
		}
	}
}

func TestPushResult_CountsFollowersInWords(t *testing.T) {
	for want, p := range map[string]fanout.Pushed{
		"1,000 of 1,000":                                       {Served: 1000, Listed: 1000, Posts: 1},
		"1,000 of 1,000, 3 late":                               {Served: 1000, Listed: 1000, Posts: 1, Late: 3},
		"400 of 1,000, with 3 other posts":                     {Served: 400, Listed: 1000, Posts: 4},
		"5 of 5, 5 late, with 1,999 other posts":               {Served: 5, Listed: 5, Posts: 2000, Late: 5},
		"nothing to do: done before, or another worker has it": {},
	} {
		if got := pushResult(p); got != want {
			t.Errorf("the result of %+v is %q, want %q", p, got, want)
		}
	}
}

func TestDispatchResult_SaysWhatItDid(t *testing.T) {
	for want, d := range map[string]fanout.Dispatched{
		"slices enqueued: 1,000":                                            {Slices: 1000},
		"12 online first, 3 of them notified; slices enqueued: 5":           {Online: 12, Notified: 3, Slices: 5},
		"12 online first, 3 of them notified; large: another task plans it": {Online: 12, Notified: 3, HandedOver: true},
		"planned before; open slices enqueued: 3":                           {Stored: true, Slices: 3},
		"nothing to do: done before":                                        {Stored: true},
		"nothing to push: reads pull it, no followers, or deleted":          {},
	} {
		if got := dispatchResult(d); got != want {
			t.Errorf("the result of %+v is %q, want %q", d, got, want)
		}
	}
}
