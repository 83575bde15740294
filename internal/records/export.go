package records

import (
	"bufio"
	"context"
	"io"

	"github.com/tideline-feeds/tideline/feed"
)

// Exported counts what an export wrote, by type.
type Exported struct {
	Users, Follows, Posts, Reactions, Relations, Live int
}

// Lines returns the number of lines written.
func (e Exported) Lines() int {
	return e.Users + e.Follows + e.Posts + e.Reactions + e.Relations + e.Live
}

// Export writes everything from the store to w, one record a line, in the order of
// [feed.Exporter], so that [Import] takes the lines in one pass. The error is the
// store's, w's or the context's; the counts say how far it came, and of what they
// count the last lines may not have reached w then.
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
