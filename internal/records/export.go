package records

import (
	"bufio"
	"context"
	"io"

	"github.com/tideline-feeds/tideline/feed"
)

// Exported counts the exported records by type.
type Exported struct {
	Users, Follows, Posts, Reactions, Relations, Live int
}

// Lines returns the number of lines.
func (e Exported) Lines() int {
	return e.Users + e.Follows + e.Posts + e.Reactions + e.Relations + e.Live
}

// Export writes everything in the store to w, one record per line, in the order of
// [feed.Exporter], so that [Import] needs one pass. The error is that of the store, w or ctx. The
// counts then include lines that may not have reached w.
func Export(ctx context.Context, from feed.Exporter, w io.Writer) (Exported, error) {
	var done Exported
	out := bufio.NewWriterSize(w, 1<<16)
	err := from.Export(ctx, func(r feed.Record) error {
		line, err := Encode(r)
		if err != nil {
			return err
		}
		done.count(r)
		_, err = out.Write(line)
		return err
	})
	if err != nil {
		return done, err
	}
	return done, out.Flush()
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
	}
}
