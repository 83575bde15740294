package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// Build enqueues a [TypeBuild] task, at most one per viewer in ten seconds, whatever
// becomes of it: a build that does nothing, because another one has begun and perhaps
// died, would otherwise be asked for by every read. Reads do without an inbox in the
// meantime.
func (q *Queue) Build(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.build, viewer)
}

// WarmUp enqueues a [TypeWarmUp] task, like Build at most one per viewer in ten
// seconds. What it does holds for far longer, so a read that asks again so soon asks in
// vain, as every read does while processes differ in how long activity lasts. Until
// it has run, reads pull what a cold inbox does not cover.
func (q *Queue) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.warmUp, viewer)
}

// Reconcile enqueues a [TypeReconcile] task that begins after the call, or finds one
// that will. Many changes may share a task, but none is left to one that may have read
// the relations before it. Until a task has run, reads pull whom the inbox does not
// cover, and ask for it again.
func (q *Queue) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return q.afterNow(ctx, q.onInbox.reconcile, viewer.String(), payload{ViewerID: viewer.String()})
}

// Replays returns the queue for the services of replay inboxes. What it is asked to do
// with an inbox, it does as this queue would, with tasks of types of their own
// ([TypeReplayBuild], [TypeReplayReconcile] and [TypeReplayWarmUp]); so a viewer's two
// inboxes hold back nothing from each other. Dispatch, Push and Waits are this queue's:
// the name of what is fanned out says which inboxes it is for. Close only this queue.
func (q *Queue) Replays() feed.Queue {
	replays := *q
	replays.onInbox = inboxTypes{TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp}
	return &replays
}

// inboxTypes are the types of the tasks on one of a viewer's inboxes.
type inboxTypes struct{ build, reconcile, warmUp string }

// once enqueues a task that holds its id for ten seconds, also when it is finished.
func (q *Queue) once(ctx context.Context, typ string, viewer feed.UserID) error {
	_, err := q.inBucket(ctx, typ, viewer.String(), payload{ViewerID: viewer.String()}, q.bucket())
	return err
}

// afterNow enqueues a task that begins after the call, or finds one that will.
//
// A finished task is not retained, so the next change gets its own at once. One that
// has not finished may be running. Then another is left for the beginning of the next
// ten seconds: as far as clocks agree it does not run before, so whoever finds it there
// already need do no more. An archived task is got round in the same way.
func (q *Queue) afterNow(ctx context.Context, typ, subject string, p payload) error {
	bucket := q.bucket()
	added, err := q.inBucket(ctx, typ, subject, p, bucket, asynq.Retention(0))
	if added || err != nil {
		return err
	}
	next := bucket + 1
	begins := time.UnixMilli(next * bucketSpan.Milliseconds())
	_, err = q.inBucket(ctx, typ, subject, p, next, asynq.Retention(0), asynq.ProcessAt(begins))
	return err
}

// bucket numbers the spans of time within which a task holds its id.
func (q *Queue) bucket() int64 { return q.opts.Clock().UnixMilli() / bucketSpan.Milliseconds() }

// inBucket enqueues a task, unless there is one of its type, subject and bucket, and says
// whether it did.
func (q *Queue) inBucket(ctx context.Context, typ, subject string, p payload, bucket int64, opts ...asynq.Option) (bool, error) {
	id := fmt.Sprintf("%s:%s:%d", strings.TrimPrefix(typ, "timeline_"), subject, bucket)
	opts = append(opts, asynq.TaskID(id), asynq.Timeout(buildTimeout))
	return q.add(ctx, QueueBuild, typ, p, opts...)
}
