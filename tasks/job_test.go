package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

func TestVerdict_RetriesOnlyPassingFaults(t *testing.T) {
	for retried, codes := range map[bool][]feed.Code{
		true: {feed.CodeUnavailable, feed.CodeInternal, "A_CODE_OF_LATER"},
		false: {
			feed.CodeNotFound, feed.CodeInvalid, feed.CodeTooLong, feed.CodeFollowLimit, feed.CodeConflict,
			feed.CodeForbidden, feed.CodeBadInput, feed.CodeBadCursor, feed.CodeUnauthenticated,
		},
	} {
		for _, code := range codes {
			err := verdict(fmt.Errorf("push: %w", feed.Errorf(code, "refused")))
			if got := !errors.Is(err, asynq.SkipRetry); got != retried || feed.CodeOf(err) != code {
				t.Errorf("%s is retried: %v, want %v; it became %s", code, got, retried, feed.CodeOf(err))
			}
		}
	}
	for _, err := range []error{errors.New("odd"), context.DeadlineExceeded} {
		if errors.Is(verdict(err), asynq.SkipRetry) {
			t.Errorf("%v is not retried", err)
		}
	}
	if verdict(nil) != nil {
		t.Error("success became an error")
	}
}

func TestJobs_KeepUnknownTypes(t *testing.T) {
	j := jobs{TypeBuild: job(1, readViewer, func(context.Context, feed.UserID) error {
		t.Error("the handler was called")
		return nil
	})}
	err := j.ProcessTask(t.Context(), asynq.NewTask(TypeBuild+"_of_later", []byte(`{"v":1,"viewerId":"7"}`)))
	if !errors.Is(err, ErrElsewhere) || errors.Is(err, asynq.SkipRetry) || !strings.Contains(err.Error(), `"timeline_build_of_later"`) {
		t.Errorf("got %v, which is not kept or does not say why", err)
	}
}

func TestRetryDelay_DoublesAndSpreads(t *testing.T) {
	for _, test := range []struct {
		n      int
		spread float64
		want   time.Duration
	}{
		{0, 0, 250 * time.Millisecond},
		{0, 0.5, 500 * time.Millisecond},
		{1, 0.5, time.Second},
		{2, 0.5, 2 * time.Second},
		{2, 0, time.Second},
		{1000, 0.5, 30 * time.Second},
	} {
		if got := retryDelay(test.n, test.spread); got != test.want {
			t.Errorf("the delay of retry %d with spread %v is %v, want %v", test.n, test.spread, got, test.want)
		}
	}
}

// Retries of what the sweeper dispatches again must be over when it has done so twice: the
// pauses between its copies grow, so copies and their retries never pile up.
func TestRetryDelay_EndsBeforeSecondSweep(t *testing.T) {
	var total time.Duration
	for n := range maxSweptRetry {
		// asynq keeps whole seconds and looks once a second.
		total += retryDelay(n, 1) + 2*time.Second
	}
	if second := 2 * feed.DefaultPolicy().QueuePatience; total >= second {
		t.Errorf("retries take up to %v, the second copy comes after %v", total, second)
	}
}

func TestNames_SpreadOverThirdsOfTheSlots(t *testing.T) {
	if got := namesOf("", true).pushes; !slices.Equal(got, []string{"push", "push-2", "push-3"}) {
		t.Errorf("the names are %v, which must never change", got)
	}
	if got := namesOf("", true).pushesLarge; !slices.Equal(got, []string{"push-large", "push-large-2", "push-large-4"}) {
		t.Errorf("the names are %v, which must never change", got)
	}
	for _, prefix := range []string{"", "blue:", "green:", "eu-1.feeds_"} {
		n := namesOf(prefix, true)
		for _, pushes := range [][]string{n.pushes, n.pushesLarge} {
			thirds := map[int]bool{}
			for _, name := range pushes {
				thirds[third(name)] = true
			}
			if len(thirds) != 3 || len(n.all()) != 9 || n.short(n.dispatch) != QueueDispatch {
				t.Errorf("the queues %v are in %d thirds", pushes, len(thirds))
			}
		}
	}
}
