package records

import (
	"context"
	"io"

	"github.com/tideline-feeds/tideline/feed"
)

// Exported counts the exported records by type.
type Exported struct {
	Users, Follows, Posts, Reactions, Relations, Live, Lists, ListMembers, Counters int
}

// Lines returns the number of lines.
func (e Exported) Lines() int {
	return e.Users + e.Follows + e.Posts + e.Reactions + e.Relations + e.Live + e.Lists + e.ListMembers + e.Counters
}

// Export writes everything in the store to w, one record per line, in the order of
// [feed.Exporter], so that [Import] needs one pass. The error is that of the store, w or ctx. The
// counts then include lines that may not have reached w.
func Export(ctx context.Context, from feed.Exporter, format Format, w io.Writer) (Exported, error) {
	e := exporter{format: format, out: w}
	err := from.Export(ctx, func(r feed.Record) error {
		e.done.count(r)
		if e.page = append(e.page, r); len(e.page) < exportPage {
			return nil
		}
		return e.flush(ctx)
	})
	if err != nil {
		return e.done, err
	}
	return e.done, e.flush(ctx)
}

// exportPage is the number of records whose external ids are read together.
const exportPage = 1000

type exporter struct {
	format Format
	out    io.Writer
	page   []feed.Record
	done   Exported
}

func (e *exporter) flush(ctx context.Context) error {
	lines, err := e.format.Encode(ctx, e.page...)
	if err != nil {
		return err
	}
	e.page = e.page[:0]
	_, err = e.out.Write(lines)
	return err
}

func (e *Exported) count(r feed.Record) {
	switch {
	case r.User != nil:
		e.Users++
	case r.Follow != nil:
		e.Follows++
	case r.Post != nil:
		e.Posts++
	case r.Reaction != nil:
		e.Reactions++
	case r.Relation != nil:
		e.Relations++
	case r.Live != nil:
		e.Live++
	case r.List != nil:
		e.Lists++
	case r.ListMember != nil:
		e.ListMembers++
	case r.Counters != nil:
		e.Counters++
	}
}
