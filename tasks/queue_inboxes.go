package tasks

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// Build enqueues a [TypeBuild] task, at most one per viewer in ten seconds, even if it fails.
func (q *Queue) Build(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.build, viewer)
}

// WarmUp enqueues a [TypeWarmUp] task, at most one per viewer in ten seconds.
func (q *Queue) WarmUp(ctx context.Context, viewer feed.UserID) error {
	return q.once(ctx, q.onInbox.warmUp, viewer)
}

// Reconcile enqueues a [TypeReconcile] task that begins after the call, or finds one that will. At
// most one per viewer begins in ten seconds, also if the viewer follows a user before each read.
func (q *Queue) Reconcile(ctx context.Context, viewer feed.UserID) error {
	return q.afterNow(ctx, q.onInbox.reconcile, viewer.String(), payload{ViewerID: viewer.String()}, bucketSpan)
}

// Replays returns the queue for replay inboxes, which has task types of its own. Close only q.
func (q *Queue) Replays() feed.Queue {
	replays := *q
	replays.onInbox = inboxTypes{TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp}
	return &replays
}

type inboxTypes struct{ build, reconcile, warmUp string }

func (q *Queue) once(ctx context.Context, typ string, viewer feed.UserID) error {
	_, err := q.inBucket(ctx, typ, viewer.String(), payload{ViewerID: viewer.String()}, q.bucket(), asynq.Retention(bucketSpan))
	return err
}

// afterNow enqueues a task that begins after the call, or finds one that will. A task of the
// current bucket may be running, or finished and still kept; then afterNow schedules another at the
// start of the next bucket.
func (q *Queue) afterNow(ctx context.Context, typ, subject string, p payload, kept time.Duration) error {
	bucket := q.bucket()
	added, err := q.inBucket(ctx, typ, subject, p, bucket, asynq.Retention(kept))
	if added || err != nil {
		return err
	}
	next := bucket + 1
	begins := time.UnixMilli(next * bucketSpan.Milliseconds())
	_, err = q.inBucket(ctx, typ, subject, p, next, asynq.Retention(kept), asynq.ProcessAt(begins))
	return err
}

func (q *Queue) bucket() int64 { return q.opts.Clock().UnixMilli() / bucketSpan.Milliseconds() }

// inBucket reports false if the type, subject and bucket have a task already.
func (q *Queue) inBucket(ctx context.Context, typ, subject string, p payload, bucket int64, opts ...asynq.Option) (bool, error) {
	id := fmt.Sprintf("%s:%s:%d", strings.TrimPrefix(typ, "timeline_"), subject, bucket)
	opts = append(opts, asynq.TaskID(id), asynq.Timeout(buildTimeout))
	return q.add(ctx, q.names.build, typ, p, opts...)
}
