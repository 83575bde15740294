package resolvers

import (
	"context"
	"math"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
)

// Fanouts reads how far fan-outs are; [fanout.Monitor] does.
type Fanouts interface {
	// Progress returns the progress of a post's fan-out, or [feed.CodeNotFound].
	Progress(ctx context.Context, post feed.PostID) (*fanout.Progress, error)
	// Slowest returns the slowest fan-outs of the last hour, slowest first.
	Slowest(ctx context.Context) ([]feed.SlowFanout, error)
}

// mustAdminister refuses viewers who are not administrators.
func mustAdminister(ctx context.Context, field string) error {
	if viewerFrom(ctx).role == model.RoleAdmin {
		return nil
	}
	return feed.Errorf(feed.CodeForbidden, "%s is for administrators", field)
}

func (r *Resolver) fanout(ctx context.Context, id string) (*graph.Fanout, error) {
	if err := mustAdminister(ctx, "fanout"); err != nil {
		return nil, err
	}
	p, ids, err := fanout.ProgressOf(ctx, r.deps.Fanouts, r.deps.IDs, id)
	switch {
	case feed.CodeOf(err) == feed.CodeInvalid:
		return nil, feed.Errorf(feed.CodeBadInput, "contentId is not the number of a post")
	case feed.CodeOf(err) == feed.CodeNotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return fanoutOf(p, ids), nil
}

func fanoutOf(p *fanout.Progress, ids feed.PublicIDs) *graph.Fanout {
	user := func(id feed.UserID) string { return string(ids.User(id).Text()) }
	f := &graph.Fanout{
		ContentID: ids.Content(p.Post), State: p.State, Ended: p.Ended(), Followers: asInt32(p.Followers), Selective: p.Selective,
		Slices: asInt32(p.Slices), SlicesDone: asInt32(p.Done), SlicesRunning: asInt32(p.Running),
		Attempts: asInt32(p.Attempts), Dispatches: asInt32(p.Dispatches),
		Seconds: p.Took.Seconds(), SlicesPerSecond: p.Rate, SecondsLeft: p.Left.Seconds(),
		OpenSlices: []graph.FanoutSlice{},
	}
	if p.Stored {
		ms := p.Published.UnixMilli()
		f.PublishedAt = &ms
	}
	if p.Planned && p.Slices > 0 {
		highest, last := user(p.Reached), user(p.Last)
		f.HighestID, f.LastID = &highest, &last
	}
	for _, o := range p.Open {
		f.OpenSlices = append(f.OpenSlices, graph.FanoutSlice{
			Task: asInt32(o.Task), FirstID: user(o.First), LastID: user(o.Last), ServedTo: user(o.Progress),
			Attempts: asInt32(o.Attempt), Waits: p.Why(o),
		})
	}
	return f
}

func (r *Resolver) slowestFanouts(ctx context.Context) ([]graph.SlowFanout, error) {
	if err := mustAdminister(ctx, "slowestFanouts"); err != nil {
		return nil, err
	}
	slowest, err := r.deps.Fanouts.Slowest(ctx)
	if err != nil {
		return nil, err
	}
	ids, err := fanout.NamedIn(slowest).Read(ctx, r.deps.IDs)
	if err != nil {
		return nil, err
	}
	list := make([]graph.SlowFanout, len(slowest))
	for i, f := range slowest {
		list[i] = graph.SlowFanout{
			ContentID: ids.Content(f.Post), PlannedAt: f.BeganAt, Seconds: float64(f.MovedAt-f.BeganAt) / 1000,
			Slices: asInt32(f.Slices), SlicesDone: asInt32(f.Done),
		}
	}
	return list, nil
}

func asInt32[T int | int64](n T) int32 { return int32(min(int64(n), math.MaxInt32)) }
