package records

import (
	"context"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// externalIDs are the external ids of numbers, by kind.
type externalIDs map[feed.IDKind]map[int64]feed.ExternalID

// names returns the external ids in records; nil where ids are numbers.
func (f Format) names(ctx context.Context, list []feed.Record) (externalIDs, error) {
	if f.IDs == nil {
		return nil, nil
	}
	names := externalIDs{feed.UserIDs: {}, feed.PostIDs: {}, feed.LiveIDs: {}, feed.ListIDs: {}}
	for i := range list {
		for _, c := range lineTypes {
			c.numbers(&list[i], names)
		}
	}
	for kind, of := range names {
		numbers := slices.Collect(maps.Keys(of))
		if len(numbers) == 0 {
			continue
		}
		ids, err := f.IDs.ExternalIDs(ctx, kind, numbers)
		if err != nil {
			return nil, err
		}
		for i, n := range numbers {
			of[n] = ids[i]
		}
	}
	return names, nil
}

func (e externalIDs) text(kind feed.IDKind, n int64) string {
	return string(feed.PublicID{Number: n, External: e[kind][n]}.Text())
}

func (l lineType[T]) numbers(r *feed.Record, names externalIDs) {
	from := *l.at(r)
	if from == nil {
		return
	}
	for _, f := range l.fields {
		if f.ids == "" {
			continue
		}
		if n := *f.number64(from); n != 0 {
			names[f.ids][n] = ""
		}
	}
}
