package upstream

import (
	"context"
	"errors"
	"time"

	"golang.org/x/time/rate"

	"github.com/tideline-feeds/tideline/feed"
)

// ErrFlood is the error for more deletions at once than a healthy service reports.
var ErrFlood = errors.New("the service says that too many objects are gone at once; nothing was hidden")

const (
	// floodBurst is how many deletions may be reported at once, and floodEvery how often one more.
	// Change records report deletions; a service reports only those whose record was lost.
	floodBurst = 5
	floodEvery = 2 * time.Second
	// applyTimeout limits the transaction that stores deletions.
	applyTimeout = 5 * time.Second
)

// Deleted is an object that its service says is gone, with the version of the deletion.
type Deleted struct {
	Ref     feed.UpstreamRef
	Version feed.ObjectVersion
}

// Narrowed is a post that its service says is for fewer viewers than is stored.
type Narrowed struct {
	Ref      feed.UpstreamRef
	Audience feed.PostAudience
}

// Deletions applies what services report as gone or narrowed, as change records. Deletions have no order. A
// narrower audience is applied whatever the stored version is, which stays: the record of the service's
// version, which may be on its way, has more to say.
type Deletions struct {
	// Ingest applies a batch; [ingest.Sink] does.
	Ingest func(ctx context.Context, b feed.SourceBatch) error
	// Source names the service in dead letters and metrics.
	Source string
	Clock  feed.Clock
	// Failed gets the error of a batch that could not be applied. The next answer tries again.
	Failed func(err error)

	limit *rate.Limiter
}

// NewDeletions returns deletions that are applied by ingest.
func NewDeletions(source string, ingest func(context.Context, feed.SourceBatch) error, clock feed.Clock, failed func(error)) *Deletions {
	return &Deletions{
		Ingest: ingest, Source: source, Clock: clock, Failed: failed,
		limit: rate.NewLimiter(rate.Every(floodEvery), floodBurst),
	}
}

// Apply applies deletions in one transaction. It returns [ErrFlood], and applies none, if they are
// too many at once.
func (d *Deletions) Apply(ctx context.Context, list []Deleted) error {
	now := d.Clock()
	if !d.limit.AllowN(now, len(list)) {
		return ErrFlood
	}
	batch := feed.SourceBatch{Source: d.Source}
	for i := range list {
		batch.Records = append(batch.Records, list[i].record(i+1, feed.Millis(now)))
	}
	d.apply(ctx, batch)
	return nil
}

// Narrow applies narrower audiences in one transaction, any number at once: a service that names audiences for
// the first time may have many, and nothing is lost by a wrong one.
func (d *Deletions) Narrow(ctx context.Context, list []Narrowed) {
	batch := feed.SourceBatch{Source: d.Source, Batch: feed.Batch{Ordered: true}}
	for i := range list {
		batch.Records = append(batch.Records, list[i].record(i+1))
	}
	d.apply(ctx, batch)
}

func (d *Deletions) apply(ctx context.Context, batch feed.SourceBatch) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), applyTimeout)
	defer cancel()
	if err := d.Ingest(ctx, batch); err != nil {
		d.Failed(err)
	}
}

// record returns the change record of a narrower audience.
func (n *Narrowed) record(line int) feed.Record {
	return feed.Record{
		Line: line, Partial: []string{"audience"},
		Post: &feed.Post{ID: feed.PostID(n.Ref.Object.A), Author: n.Ref.Author, Audience: n.Audience},
	}
}

// record returns the change record of a deletion at a time.
func (d *Deleted) record(line int, at int64) feed.Record {
	r := feed.Record{Line: line, Version: d.Version}
	switch o := d.Ref.Object; o.Type {
	case feed.RecordPost:
		r.Post = &feed.Post{ID: feed.PostID(o.A), DeletedAt: at}
	case feed.RecordUser:
		r.User = &feed.UserRecord{User: feed.User{ID: feed.UserID(o.A)}, DeletedAt: at}
	}
	return r
}
