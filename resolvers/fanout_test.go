package resolvers_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/resolvers"
)

// oneFanout has one fan-out, of post 7: two of five slices are done after two seconds.
type oneFanout struct{}

func (oneFanout) Progress(_ context.Context, post feed.PostID) (*fanout.Progress, error) {
	if post != 7 {
		return nil, feed.Errorf(feed.CodeNotFound, "post %d is not stored", post)
	}
	return &fanout.Progress{
		FanoutState: feed.FanoutState{
			Post: 7, Planned: true, Slices: 5, Done: 2, Running: 1, Reached: 2000, Last: 4321, Attempts: 4, Dispatches: 1,
			Open: []feed.OpenSlice{{Task: 2, First: 2001, Last: 3000, Progress: 2000, Running: true, DueAt: epoch + 4000, Attempt: 2}},
		},
		Stored: true, Published: time.UnixMilli(epoch), Followers: 1 << 40, At: time.UnixMilli(epoch + 2000),
		Took: 2 * time.Second, Rate: 1, Left: 3 * time.Second, State: "running",
	}, nil
}

func (oneFanout) Slowest(context.Context) ([]feed.SlowFanout, error) {
	return []feed.SlowFanout{{Post: 7, BeganAt: epoch, MovedAt: epoch + 1500, Slices: 5, Done: 2}}, nil
}

// askAdmin sends a document as an administrator.
func (w *world) askAdmin(document string) result {
	w.t.Helper()
	return decoded(w.t, w.sendBody(1, request(document, nil), "X-Admin", "yes"))
}

func TestFanouts_ShowAdministratorsTheProgress(t *testing.T) {
	w := newWorld(t, func(d *resolvers.Deps) { d.Fanouts = oneFanout{} })
	got := w.askAdmin(`{
		fanout(contentId: "7") {
			contentId state ended followers selective slices slicesDone slicesRunning highestId lastId attempts dispatches
			publishedAt seconds slicesPerSecond secondsLeft openSlices { task firstId lastId servedTo attempts waits }
		}
		unknown: fanout(contentId: "8") { state }
		slowestFanouts { contentId plannedAt seconds slices slicesDone }
	}`)
	want := value(`{
		"fanout":{"contentId":"7","state":"running","ended":false,"followers":2147483647,"selective":false,
			"slices":5,"slicesDone":2,"slicesRunning":1,"highestId":"2000","lastId":"4321","attempts":4,"dispatches":1,
			"publishedAt":"2026-05-04T12:00:00.000Z","seconds":2,"slicesPerSecond":1,"secondsLeft":3,
			"openSlices":[{"task":2,"firstId":"2001","lastId":"3000","servedTo":"2000","attempts":2,"waits":"a worker has it for 2s at least"}]},
		"unknown":null,
		"slowestFanouts":[{"contentId":"7","plannedAt":"2026-05-04T12:00:00.000Z","seconds":1.5,"slices":5,"slicesDone":2}]}`)
	wantEqual(t, want, any(got.Data), "the data beside the errors %v", got.Errors)
	wantEqual(t, []string{badInput}, w.askAdmin(`{ fanout(contentId: "x") { state } }`).codes(), "the codes for no number")
}
