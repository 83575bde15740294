package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// absentObjects are not there, although records of sources name them.
type absentObjects struct {
	AbsentUsers struct {
		awaitedObjects
		TakenBack int `json:"takenBack"`
	} `json:"absentUsers"`
	AbsentPosts awaitedObjects `json:"absentPosts"`
}

// awaitedObjects counts objects that have not arrived. List has those awaited the longest, and Oldest
// the first of them.
type awaitedObjects struct {
	Awaited  int           `json:"awaited"`
	Oldest   feed.PublicID `json:"oldest,omitzero"`
	OldestAt string        `json:"oldestAt,omitempty"`
	List     []awaitedOne  `json:"oldestList"`
}

type awaitedOne struct {
	ID    feed.PublicID `json:"id"`
	Since string        `json:"since"`
}

// readSources returns the state of all sources, and what is absent.
func readSources(ctx context.Context, store *sqlstore.Store) (r feed.SourceReport, absent absentObjects, err error) {
	if r, err = store.ReportSources(ctx); err != nil {
		return r, absent, err
	}
	var named feed.Named
	for _, a := range r.Absent.Oldest {
		named.Users = append(named.Users, a.ID)
	}
	for _, a := range r.Posts.Oldest {
		named.Posts = append(named.Posts, a.ID)
	}
	ids, err := read(ctx, store, named)
	absent.AbsentUsers.awaitedObjects = awaitedOf(r.Absent.Awaited, r.Absent.Oldest, ids.User)
	absent.AbsentUsers.TakenBack = r.Absent.TakenBack
	absent.AbsentPosts = awaitedOf(r.Posts.Awaited, r.Posts.Oldest, ids.Post)
	return r, absent, err
}

func awaitedOf[K any](n int, oldest []feed.Awaited[K], public func(K) feed.PublicID) awaitedObjects {
	out := awaitedObjects{Awaited: n, List: []awaitedOne{}}
	for _, a := range oldest {
		out.List = append(out.List, awaitedOne{public(a.ID), timeText(a.Since)})
	}
	if len(out.List) > 0 {
		out.Oldest, out.OldestAt = out.List[0].ID, out.List[0].Since
	}
	return out
}

// print prints how many objects are absent, and which have been awaited the longest.
func (a *absentObjects) print(out io.Writer) {
	a.AbsentUsers.print(out, "user", fmt.Sprintf("; %d taken back", a.AbsentUsers.TakenBack))
	a.AbsentPosts.print(out, "post", "")
}

// print prints the first line with a suffix.
func (a *awaitedObjects) print(out io.Writer, what, suffix string) {
	oldest, next := "", []string(nil)
	for i, o := range a.List {
		text := fmt.Sprintf("%s since %s", o.ID, o.Since)
		if i == 0 {
			oldest = ", the oldest " + what + " " + text
		} else {
			next = append(next, text)
		}
	}
	_, _ = fmt.Fprintf(out, "absent %ss: %d awaited%s%s\n", what, a.Awaited, oldest, suffix)
	if len(next) > 0 {
		_, _ = fmt.Fprintf(out, "  the next %ss: %s\n", what, strings.Join(next, ", "))
	}
}
