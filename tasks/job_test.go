package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

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
	n := namesOf("", true)
	if got := strings.Join(slices.Concat(n.pushes, n.pushesLarge), " "); got != "push push-2 push-3 push-large push-large-2 push-large-4" {
		t.Errorf("the names are %s, which must never change", got)
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

// The exact texts are promised to processes of other versions: a change here needs
// a new payload version.
func TestPayload_WireFormat(t *testing.T) {
	slice0, slice41 := 0, 41
	for want, p := range map[string]payload{
		`{"v":1,"contentId":"123"}`:                          {V: 1, PostID: feed.PostID(123).String()},
		`{"v":1,"contentId":"9223372036854775807"}`:          {V: 1, PostID: feed.PostID(math.MaxInt64).String()},
		`{"v":1,"contentId":"123","task":0}`:                 {V: 1, PostID: "123", Task: &slice0},
		`{"v":1,"contentId":"123","task":41}`:                {V: 1, PostID: "123", Task: &slice41},
		`{"v":1,"contentId":"-9223372036854775807"}`:         {V: 1, PostID: feed.ReplayRef(math.MaxInt64).String()},
		`{"v":1,"contentId":"-123","task":41}`:               {V: 1, PostID: feed.ReplayRef(123).String(), Task: &slice41},
		`{"v":1,"contentId":"1","task":0,"more":["-2","3"]}`: {V: 1, PostID: "1", Task: &slice0, More: []string{feed.ReplayRef(2).String(), "3"}},
		`{"v":1,"viewerId":"7"}`:                             {V: 1, ViewerID: feed.UserID(7).String()},
		`{"v":1,"hostIds":["9223372036854775807","7"]}`:      {V: 1, HostIDs: []string{feed.UserID(math.MaxInt64).String(), "7"}},
		`{}`: {},
	} {
		got, err := json.Marshal(p)
		if err != nil || string(got) != want {
			t.Errorf("%+v is written as %s, %v; want %s", p, got, err, want)
		}
	}
}

// reads fails the test unless a payload of version 1 is read as want.
func reads[T any](t *testing.T, typ, fields string, read func(payload) (T, error), want T) {
	t.Helper()
	got, err := decode(typ, 1, []byte(`{"v":1,`+fields+`}`), read)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%s %s: %v (-want +got):\n%s", typ, fields, err, diff)
	}
}

func TestPayload_Read(t *testing.T) {
	slice := func(post feed.PostID) []feed.SliceRef { return []feed.SliceRef{{Post: post, Task: 4}} }
	reads(t, TypeDispatch, `"contentId":"-9223372036854775807"`, readContent, -math.MaxInt64)
	reads(t, TypePush, `"contentId":"-123","task":4`, readSlices, slice(-123))
	// A newer process may add a field while older workers still run.
	reads(t, TypePush, `"contentId":"123","task":4,"priority":{"high":true}`, readSlices, slice(123))
	reads(t, TypePush, `"contentId":"1","task":0,"more":["-2","3"]`, readSlices, []feed.SliceRef{{Post: 1}, {Post: -2}, {Post: 3}})
	reads(t, TypeRefresh, `"hostIds":["8","7"]`, readHosts, []feed.UserID{8, 7})
	for _, typ := range []string{TypeBuild, TypeReconcile, TypeWarmUp, TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp} {
		reads(t, typ, `"viewerId":"7"`, readViewer, 7)
	}
}

func TestPayload_MalformedIsNotRetried(t *testing.T) {
	dispatch := func(raw []byte) error { _, err := decode(TypeDispatch, 1, raw, readContent); return err }
	push := func(raw []byte) error { _, err := decode(TypePush, 1, raw, readSlices); return err }
	hosts := func(raw []byte) error { _, err := decode(TypeRefresh, 1, raw, readHosts); return err }
	of := func(typ string) func([]byte) error {
		return func(raw []byte) error { _, err := decode(typ, 1, raw, readViewer); return err }
	}
	for _, test := range []struct {
		decode  func([]byte) error
		payload string
		reason  string
	}{
		{dispatch, ``, "event_content_meta_change payload: unexpected end"},
		{dispatch, `null`, "there is no version 0"},
		{dispatch, `{"v":"1","contentId":"123"}`, "cannot unmarshal string into Go struct field .v"},
		{dispatch, `{"v":1,"contentId":123}`, "contentId"},
		{dispatch, `{"v":1,"contentId":"-0"}`, "contentId"},
		{dispatch, `{"v":1,"contentId":"-9223372036854775808"}`, "contentId"},
		{dispatch, `{"v":1,"contentId":"123"} {}`, "after top-level value"},
		{push, `{"v":1,"contentId":"x","task":0}`, "timeline_push payload: contentId"},
		{push, `{"v":1,"contentId":"123","task":-1}`, "task"},
		{push, `{"v":1,"contentId":"1","task":0,"more":["2","x"]}`, "more[1]: contentId"},
		{push, `{"v":1,"contentId":"1","task":0,"more":[2]}`, "timeline_push payload: json"},
		{of(TypeBuild), `{"v":1,"viewerId":""}`, "timeline_build payload: viewerId"},
		{of(TypeBuild), `[]`, "timeline_build payload"},
		{of(TypeReconcile), `{"v":1,"viewerId":7}`, "timeline_reconcile payload: json"},
		{of(TypeWarmUp), `{"v":0,"viewerId":"7"}`, "timeline_warm_up payload: v: there is no version 0"},
		{of(TypeReplayBuild), `{"v":1}`, "replay_build payload: viewerId"},
		{hosts, `{"v":1}`, "live_refresh payload: hostIds: there are none"},
		{hosts, `{"v":1,"hostIds":["7","x"]}`, "hostIds[1]"},
	} {
		err := test.decode([]byte(test.payload))
		if err == nil || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%s: the error is %q, which does not say %q", test.payload, err, test.reason)
		}
		if !errors.Is(err, asynq.SkipRetry) {
			t.Errorf("%s: it would be retried", test.payload)
		}
	}
}

// scripted is a client whose waits end as scripted, and then wait forever.
type scripted struct {
	redis.UniversalClient
	waits []error
	asked int
}

func (s *scripted) Do(ctx context.Context, args ...any) *redis.Cmd {
	cmd := redis.NewCmd(ctx, args...)
	s.asked++
	if s.asked <= len(s.waits) {
		cmd.SetErr(s.waits[s.asked-1])
		return cmd
	}
	<-ctx.Done()
	cmd.SetErr(ctx.Err())
	return cmd
}

// looking runs polls with the given results through a hook, and returns when each began.
func looking(a *pollHook, looks ...error) []time.Duration {
	var at []time.Duration
	began := time.Now()
	for _, end := range looks {
		look := redis.NewCmd(context.Background(), "evalsha", "digest", 4, a.pending, "asynq:{push}:paused")
		_ = a.ProcessHook(func(context.Context, redis.Cmder) error {
			at = append(at, time.Since(began))
			return end
		})(context.Background(), look)
	}
	return at
}

// half is where the middle of what is spread lies.
func half() float64 { return 0.5 }

func TestPollHook_DelaysOnlyAfterEmptyPoll(t *testing.T) {
	nothing, refused, unknown := redis.Nil, errors.New("refused"), redis.ErrNoScript
	for name, c := range map[string]struct {
		waits, looks []error
		want         []time.Duration
		asked        int
	}{
		"tasks are taken one after the other": {nil, []error{nil, nil, nil}, []time.Duration{0, 0, 0}, 0},
		"the script is not known":             {nil, []error{unknown, nil, unknown, nothing, unknown}, []time.Duration{0, 0, 0, 0, awaitFor + answerWithin}, 1},
		"a task comes":                        {[]error{nil}, []error{nothing, nil, nil}, []time.Duration{0, 0, 0}, 1},
		"none comes":                          {[]error{nothing, nothing, nil}, []error{nothing, nil, nil, nil}, []time.Duration{0, 0}, 3},
		"Redis cannot be asked to wait":       {[]error{refused, refused, refused}, []error{nothing, nothing, nothing, nil}, []time.Duration{0, 0, takenPause, 2 * takenPause}, 3},
		"Redis is away while it is asked":     {[]error{refused}, []error{nothing, refused, nil}, []time.Duration{0, 0, takenPause}, 1},
		"what comes is gone: the queue is paused, or another was there": {[]error{nil, nil, nil}, []error{nothing, nothing, nothing, nil}, []time.Duration{0, 0, takenPause, 2 * takenPause}, 3},
		"Redis does not answer": {nil, []error{nothing, nothing}, []time.Duration{0, awaitFor + answerWithin}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				waits := &scripted{waits: c.waits}
				a := newPollHook(t.Context(), archiver{queue: "push", redis: waits}, half)
				if at := looking(a, c.looks...); !slices.Equal(at, c.want) {
					t.Errorf("the looks began after %v, want %v", at, c.want)
				}
				if waits.asked != c.asked {
					t.Errorf("Redis was asked to wait %d times, want %d", waits.asked, c.asked)
				}
			})
		})
	}
}

// idle is a client that never has a task to wait for.
type idle struct{ redis.UniversalClient }

func (idle) Do(ctx context.Context, args ...any) *redis.Cmd {
	<-time.After(awaitFor)
	cmd := redis.NewCmd(ctx, args...)
	cmd.SetErr(redis.Nil)
	return cmd
}

// A command names the end of the lease, so it is as old as the lease.
func TestPollHook_KeepsNoCommandWhileIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const commands = 40
		closing, stop := context.WithTimeout(t.Context(), 2*commands*awaitFor)
		defer stop()
		a := newPollHook(closing, archiver{queue: "push", redis: idle{}}, half)
		a.last = empty
		began := time.Now()
		if polls := looking(a, make([]error, commands)...); len(polls) > 0 {
			t.Errorf("an empty list was polled after %v", polls)
		}
		if took := time.Since(began); took != commands*awaitFor {
			t.Errorf("%d commands waited for %v, want %v each", commands, took, awaitFor)
		}
	})
}

// A Redis that takes no writes refuses at once. Those that ask again ever later find out within
// a second when it has room, and the next failure is the first again.
func TestPollHook_BacksOffAfterFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		full, script := errors.New("OOM command not allowed"), redis.ErrNoScript
		a := newPollHook(t.Context(), archiver{queue: "push", redis: &scripted{}}, half)
		at := looking(a, full, full, script, full, full, full, full, full, full, full, nil, full, nil)
		var pauses []time.Duration
		for i := range at[1:] {
			pauses = append(pauses, at[i+1]-at[i])
		}
		const first = takenPause
		want := []time.Duration{
			first, 2 * first, 0, 4 * first, 8 * first, 16 * first, 32 * first,
			failedPause, failedPause, failedPause, 0, first,
		}
		if !slices.Equal(pauses, want) {
			t.Errorf("the pauses were %v, want %v", pauses, want)
		}
	})
}

func TestPollHook_StopsWithoutPolling(t *testing.T) {
	for name, last := range map[string]outcome{
		"between two tasks":                   taken,
		"while it waits for one":              empty,
		"while it leaves others their tasks":  missed,
		"while the queue cannot be looked at": failed,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closing, stop := context.WithCancel(t.Context())
				defer stop()
				a := newPollHook(closing, archiver{queue: "push", redis: &scripted{}}, half)
				a.last = last
				if last == taken {
					stop()
				} else {
					time.AfterFunc(takenPause/4, stop)
				}
				if at := looking(a, nil, nil); len(at) > 0 {
					t.Errorf("there were looks after %v", at)
				}
			})
		})
	}
}

// All else that asynq sends goes its way.
func TestPollHook_DelaysNothingElse(t *testing.T) {
	a := newPollHook(t.Context(), archiver{queue: "push", redis: &scripted{}}, half)
	a.last = empty
	for _, args := range [][]any{
		{"evalsha", "digest", 4, "asynq:{build}:pending", "asynq:{build}:paused"},
		{"evalsha", "digest", 2, "asynq:{push}:t:1", "asynq:{push}:pending"},
		{"evalsha", "digest", 0},
		{"lrange", "x", "y", "asynq:{push}:pending"},
		{"ping"},
	} {
		if key := firstKey(redis.NewCmd(t.Context(), args...)); key == a.pending || key == a.lease {
			t.Errorf("%v was taken for a look", args)
		}
	}
	if firstKey(redis.NewCmd(t.Context(), "eval", "script", 4, "asynq:{push}:pending")) != a.pending {
		t.Error("a look that brings its script was not known")
	}
}
