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
	_, err := q.forViewer(ctx, TypeBuild, viewer, q.bucket())
	return err
}

// WarmUp enqueues a [TypeWarmUp] task, like Build at most one per viewer in ten
// seconds. What it does holds for far longer, so a read that asks again so soon asks in
// vain, as every read does while processes differ in how long activity lasts. Until
// it has run, reads pull what a cold inbox does not cover.
func (q *Queue) WarmUp(ctx context.Context, viewer feed.UserID) error {
	_, err := q.forViewer(ctx, TypeWarmUp, viewer, q.bucket())
	return err
}

// Reconcile enqueues a [TypeReconcile] task that begins after the call, or finds one
// that will. Many changes may share a task, but none is left to one that may have read
// the relations before it.
//
// A finished task is not retained, so the next change gets its own at once. One that
// has not finished may be running. Then another is left for the beginning of the next
// ten seconds: as far as clocks agree it does not run before, so whoever finds it there
// already need do no more. An archived task is got round in the same way. Until a task
// has run, reads pull whom the inbox does not cover, and ask for it again.
func (q *Queue) Reconcile(ctx context.Context, viewer feed.UserID) error {
	bucket := q.bucket()
	added, err := q.forViewer(ctx, TypeReconcile, viewer, bucket, asynq.Retention(0))
	if added || err != nil {
		return err
	}
	next := bucket + 1
	begins := time.UnixMilli(next * bucketSpan.Milliseconds())
	_, err = q.forViewer(ctx, TypeReconcile, viewer, next, asynq.Retention(0), asynq.ProcessAt(begins))
	return err
}

// bucket numbers the spans of time within which a task holds its id.
func (q *Queue) bucket() int64 { return q.now().UnixMilli() / bucketSpan.Milliseconds() }

// forViewer enqueues a task on a viewer's inbox, unless there is one of its type and
// bucket, and says whether it did.
func (q *Queue) forViewer(ctx context.Context, typ string, viewer feed.UserID, bucket int64, opts ...asynq.Option) (bool, error) {
	id := fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(typ, "timeline_"), viewer, bucket)
	opts = append(opts, asynq.Queue(QueueBuild), asynq.TaskID(id), asynq.Timeout(buildTimeout))
	return q.add(ctx, typ, newViewerPayload(viewer), opts...)
}
