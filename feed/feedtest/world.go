package feedtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
)

// custom are custom fields with numbers that a float64 cannot hold.
const custom = feed.CustomFields(`{"size":1.50,"id":12345678901234567890}`)

// suite is a list of promises, which are requirements on a backend. Each is a subtest with stores of
// its own.
type suite[W interface{ user(ids ...feed.UserID) }] struct {
	t    *testing.T
	open func(t *testing.T) W
}

type storeSuite = suite[*world]

// empty checks a promise on stores without data.
func (s suite[W]) empty(name string, check func(w W)) {
	s.t.Run(name, protected(func(t *testing.T) { check(s.open(t)) }))
}

// promise checks a promise on stores that have ann, bob, cem and dee as users.
func (s suite[W]) promise(name string, check func(w W)) {
	s.empty(name, func(w W) {
		w.user(ann, bob, cem, dee)
		check(w)
	})
}

func (s suite[W]) group(name string, check func(s suite[W])) {
	s.t.Run(name, func(t *testing.T) { check(suite[W]{t, s.open}) })
}

// protected returns a test that fails if check panics, as [must] does. Other tests then run on.
func protected(check func(t *testing.T)) func(t *testing.T) {
	return func(t *testing.T) {
		defer func() {
			if why := recover(); why != nil {
				t.Fatalf("%v\n%s", why, debug.Stack())
			}
		}()
		check(t)
	}
}

// check ends the test on an error.
func check(err error) {
	if err != nil {
		panic(err)
	}
}

// must returns the result of a call. It ends the test on an error.
func must[T any](result T, err error) T {
	check(err)
	return result
}

// must2 is [must] for calls with two results.
func must2[A, B any](first A, second B, err error) (A, B) {
	check(err)
	return first, second
}

// errorOf returns the error of a call.
func errorOf[T any](_ T, err error) error { return err }

// errorOf2 is [errorOf] for calls with two results.
func errorOf2[A, B any](_ A, _ B, err error) error { return err }

// whileMore calls do until it reports that nothing is left.
func whileMore(do func() (more bool, err error)) {
	for must(do()) {
	}
}

// world is a backend and helpers for tests. Each helper does one thing and ends the test on an
// error.
type world struct {
	t   *testing.T
	ctx context.Context
	Stores
}

const (
	// noon is an arbitrary base time.
	noon int64 = 1_700_000_000_000
	// hour is one hour in milliseconds.
	hour int64 = 60 * 60 * 1000
	// many is a follow limit that no test reaches.
	many = 1000
)

// The numeric order of these users' ids differs from their order as text.
const (
	ann feed.UserID = 9
	bob feed.UserID = 10
	cem feed.UserID = 100
	dee feed.UserID = 2000
)

// all returns the range of a whole list, newest first.
func all() feed.Range { return feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: many} }

func worldOf(t *testing.T, s Stores) *world { return &world{t: t, ctx: t.Context(), Stores: s} }

// in makes worlds of what a test opens.
func in(open func(t *testing.T) Stores) func(t *testing.T) *world {
	return func(t *testing.T) *world { return worldOf(t, open(t)) }
}

// mustHaveCode ends the test unless err has the code, and the input field if there is one.
func (w *world) mustHaveCode(code feed.Code, err error, field ...string) {
	if feed.CodeOf(err) != code {
		panic(fmt.Sprintf("got error %v, want code %q", err, code))
	}
	if refusal := (*feed.Error)(nil); len(field) > 0 && errors.As(err, &refusal) {
		w.same("the field", refusal.Field, field)
	}
}

// mustBe ends the test unless err is want.
func (w *world) mustBe(want, err error) {
	if !errors.Is(err, want) {
		panic(fmt.Sprintf("got error %v, want %v", err, want))
	}
}

// same reports a difference. Empty and nil lists are equal.
func (w *world) same(what string, got, want any) { same(w.t, what, got, want) }

// sameSet is same for lists of users in any order.
func (w *world) sameSet(what string, got, want []feed.UserID) {
	same(w.t, what, slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want)))
}

// failIf reports a failure and what led to it.
func (w *world) failIf(failed bool, format string, args ...any) {
	if failed {
		w.t.Errorf(format+"\n%s", append(args, path())...)
	}
}

// rose reports a number that has not risen.
func (w *world) rose(what string, before, now int64) {
	w.failIf(now <= before, "%s must rise: was %d, is %d", what, before, now)
}

// failIf ends a test that has failed.
func failIf(t interface {
	Fatalf(format string, args ...any)
}, failed bool, format string, args ...any,
) {
	if failed {
		t.Fatalf(format+"\n%s", append(args, path())...)
	}
}

func same(t *testing.T, what string, got, want any) {
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: mismatch (-want +got):\n%s%s", what, diff, path())
	}
}

// path returns the lines of this package that have led to a failure, the innermost first.
func path() string {
	var lines []string
	callers := make([]uintptr, 50)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if strings.Contains(frame.Function, "/feedtest.") {
			lines = append(lines, fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line))
		}
	}
	return "at " + strings.Join(lines, ", from ")
}

// user creates users by newUser.
func (w *world) user(ids ...feed.UserID) {
	for _, id := range ids {
		must(w.Users.EnsureUser(w.ctx, newUser(id)))
	}
}

// newUser returns a user. The handle is a letter and the id.
func newUser(id feed.UserID) *feed.User {
	return filled(&feed.User{
		ID:        id,
		External:  feed.ExternalID("user " + id.String()),
		Handle:    "u" + id.String(),
		Name:      "User " + id.String(),
		AvatarURL: "https://example.org/u" + id.String(),
		CreatedAt: noon,
	}, id.String())
}

// eventAt makes a publish store an event that is due then, whatever the audience.
func eventAt(due int64) feed.FirstDispatch { return feed.FirstDispatch{EventDue: due} }

// publish stores p without an idempotency key and returns its key.
func (w *world) publish(p *feed.Post) feed.Key {
	must(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon)))
	return p.Key()
}

func (w *world) post(id feed.PostID, author feed.UserID, at int64) feed.Key {
	return w.publish(newPost(id, author, at))
}

func (w *world) comment(id feed.PostID, author feed.UserID, at int64, on feed.PostID) feed.Key {
	return w.publish(newComment(id, author, at, on))
}

func (w *world) repost(id feed.PostID, author feed.UserID, at int64, of feed.PostID) feed.Key {
	return w.publish(newRepost(id, author, at, of))
}

func newComment(id feed.PostID, author feed.UserID, at int64, on feed.PostID) *feed.Post {
	p := newPost(id, author, at)
	p.Kind, p.ReplyTo = feed.KindComment, on
	return p
}

func newRepost(id feed.PostID, author feed.UserID, at int64, of feed.PostID) *feed.Post {
	p := newPost(id, author, at)
	p.Kind, p.RepostOf = feed.KindRepost, of
	return p
}

// newPost describes a post. Comments and reposts made of it name their author as audience author, too, so
// that stores have nothing to complete.
func newPost(id feed.PostID, author feed.UserID, at int64) *feed.Post {
	return filled(&feed.Post{
		ID:             id,
		External:       feed.ExternalID("post " + id.String()),
		Author:         author,
		Kind:           feed.KindPost,
		Text:           "text " + id.String(),
		Media:          []string{"https://example.org/p" + id.String()},
		OtherMedia:     feed.SomeOtherMedia,
		Language:       "pt-BR",
		AudienceAuthor: author,
		PublishedAt:    at,
	}, id.String())
}

func (w *world) delete(ids ...feed.PostID) {
	for _, id := range ids {
		check(w.PostWriter.Delete(w.ctx, id, noon+hour))
	}
}

// follow makes follower follow each of the followees at noon.
func (w *world) follow(follower feed.UserID, followees ...feed.UserID) {
	for _, followee := range followees {
		check(w.Follows.Follow(w.ctx, follower, followee, noon, many, feed.FollowChoice{}))
	}
}

// followedBy makes each of the followers follow a user at noon.
func (w *world) followedBy(user feed.UserID, followers ...feed.UserID) {
	for _, follower := range followers {
		w.follow(follower, user)
	}
}

func (w *world) unfollow(follower feed.UserID, followees ...feed.UserID) {
	for _, followee := range followees {
		check(w.Follows.Unfollow(w.ctx, follower, followee))
	}
}

func (w *world) raiseFlag(flag feed.CoverageFlag, authors ...feed.UserID) {
	for _, author := range authors {
		check(w.Audience.RaiseFlag(w.ctx, author, flag, feed.FlagThreshold))
	}
}

func (w *world) relate(kind feed.RelationKind, user, target feed.UserID, on bool) {
	check(w.SetRelation(w.ctx, feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: noon}, on))
}

// viewerVersion returns the viewer's version with time 0, so that versions are comparable.
func (w *world) viewerVersion(viewer feed.UserID) feed.ViewerVersion {
	s := w.timedViewerVersion(viewer)
	s.Now = 0
	return s
}

func (w *world) timedViewerVersion(viewer feed.UserID) feed.ViewerVersion {
	return must(w.Relations.ViewerVersion(w.ctx, viewer))
}

// now returns the current time of the stores.
func (w *world) now() int64 { return w.timedViewerVersion(0).Now }

func (w *world) relationsVersion(viewer feed.UserID) int64 { return w.viewerVersion(viewer).Version }

// feedOf returns the viewer's feed.
func (w *world) feedOf(viewer feed.UserID) []feed.Key {
	return must(w.Reference.Feed(w.ctx, viewer, feed.HomeAuthors, all()))
}

func (w *world) postCounters(id feed.PostID) feed.PostCounters {
	c := must(w.Counters.PostCounters(w.ctx, []feed.PostID{id}))
	if len(c) != 1 {
		w.t.Fatalf("PostCounters returned %d results for one id", len(c))
	}
	return c[0]
}

func (w *world) userCounters(id feed.UserID) feed.UserCounters {
	c := must(w.Counters.UserCounters(w.ctx, []feed.UserID{id}))
	if len(c) != 1 {
		w.t.Fatalf("UserCounters returned %d results for one id", len(c))
	}
	return c[0]
}

// endedContext returns a cancelled context.
func (w *world) endedContext() context.Context {
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	return ctx
}

// allAre reports errors with another code.
func (w *world) allAre(code feed.Code, errs map[string]error) {
	for name, err := range errs {
		w.failIf(feed.CodeOf(err) != code, "%s: got error %v, want code %s", name, err, code)
	}
}

// fail reports the calls that have no error.
func (w *world) fail(calls map[string]error) {
	for name, err := range calls {
		if err == nil {
			w.t.Errorf("%s succeeded with an ended context, want an error", name)
		}
	}
}

// concurrently runs n concurrent calls and returns their errors by number.
func concurrently(n int, call func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	calls.Wait()
	return errs
}

// oneWins runs n concurrent calls. It checks that one succeeds and all others conflict.
func (w *world) oneWins(n int, call func(i int) error) {
	won := 0
	for _, err := range concurrently(n, call) {
		if err == nil {
			won++
		} else {
			w.mustHaveCode(feed.CodeConflict, err)
		}
	}
	w.same("the number of calls that succeed", won, 1)
}

// each returns the results of a function for the elements of a list.
func each[A, B any](list []A, of func(A) B) []B {
	results := make([]B, len(list))
	for i, a := range list {
		results[i] = of(a)
	}
	return results
}

// upTo returns the ids from 1 to n.
func upTo[T ~int64](n T) []T {
	ids := make([]T, n)
	for i := range ids {
		ids[i] = T(i) + 1
	}
	return ids
}

// together runs n concurrent calls, none of which may fail.
func together(n int, call func(i int) error) { check(errors.Join(concurrently(n, call)...)) }

// gather is [together] for calls with results, which it returns by number.
func gather[T any](n int, call func(i int) (T, error)) []T {
	results := make([]T, n)
	together(n, func(i int) (err error) {
		results[i], err = call(i)
		return err
	})
	return results
}

// count returns the number of true values.
func count(list []bool) (n int) {
	for _, is := range list {
		if is {
			n++
		}
	}
	return n
}

// Text fields all follow the same rules for storing, comparing and changing. These helpers find
// them by type, so that the tests cover new fields too.

// filled sets every empty text of a struct to a unique one.
func filled[T any](v *T, of string) *T {
	for _, f := range textsOf(v) {
		if f.value.String() == "" {
			f.value.SetString(f.name + " of " + of)
		}
	}
	return v
}

// textField is a text field of a struct.
type textField struct {
	name  string
	value reflect.Value
}

// textsOf returns the text fields of the struct that v points to.
func textsOf(v any) []textField {
	var out []textField
	s := reflect.ValueOf(v).Elem()
	for _, f := range reflect.VisibleFields(s.Type()) {
		if f.Type == reflect.TypeFor[string]() {
			out = append(out, textField{f.Name, s.FieldByIndex(f.Index)})
		}
	}
	return out
}
