package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// Build enqueues a [TypeBuild] task, at most one per viewer in ten seconds, even if that task
// fails: otherwise every read would ask again while a build is stuck. Reads work without an
// inbox.
func (q *Queue) Build(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.build, viewer)
}

// WarmUp enqueues a [TypeWarmUp] task, at most one per viewer in ten seconds. Until it has run,
// reads pull what a cold inbox does not cover.
func (q *Queue) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.warmUp, viewer)
}

// Reconcile enqueues a [TypeReconcile] task that begins after the call, or finds one that will.
// Changes may share a task, but only one that has not read the relations yet. Until it has run,
// reads pull authors that the inbox does not cover.
func (q *Queue) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return q.afterNow(ctx, q.onInbox.reconcile, viewer.String(), payload{ViewerID: viewer.String()})
}

// Replays returns the queue for replay inboxes: the same queue with other types for tasks on
// inboxes ([TypeReplayBuild], [TypeReplayReconcile] and [TypeReplayWarmUp]), so that the tasks of
// a viewer's two inboxes do not replace each other. Close only q.
func (q *Queue) Replays() feed.Queue {
	replays := *q
	replays.onInbox = inboxTypes{TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp}
	return &replays
}

type inboxTypes struct{ build, reconcile, warmUp string }

// once enqueues a task that holds its id for ten seconds, even when it is finished.
func (q *Queue) once(ctx context.Context, typ string, viewer feed.UserID) error {
	_, err := q.inBucket(ctx, typ, viewer.String(), payload{ViewerID: viewer.String()}, q.bucket())
	return err
}

// afterNow enqueues a task that begins after the call, or finds one that will.
//
// A finished task is not retained, so the next change gets its own at once. An unfinished one may
// be running; then afterNow schedules another at the start of the next ten seconds. If clocks
// agree that one has not run before, so a task that is already there suffices. The same works
// around an archived task.
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

// bucket numbers the time spans within which a task holds its id.
func (q *Queue) bucket() int64 { return q.opts.Clock().UnixMilli() / bucketSpan.Milliseconds() }

// inBucket enqueues a task unless its type, subject and bucket have one, and reports whether it
// did.
func (q *Queue) inBucket(ctx context.Context, typ, subject string, p payload, bucket int64, opts ...asynq.Option) (bool, error) {
	id := fmt.Sprintf("%s:%s:%d", strings.TrimPrefix(typ, "timeline_"), subject, bucket)
	opts = append(opts, asynq.TaskID(id), asynq.Timeout(buildTimeout))
	return q.add(ctx, QueueBuild, typ, p, opts...)
}
