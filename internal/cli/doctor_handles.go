package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// lookalikesMax is about what an operator can review by hand.
const lookalikesMax = 100

// lookalikes are groups of handles that are easily confused. New handles are never confusable, so
// these were imported or are older than that rule. They do not count as wrong.
type lookalikes [][]jsonHandle

type jsonHandle struct {
	User   feed.PublicID `json:"user"`
	Handle string        `json:"handle"`
}

// readLookalikes returns the first groups, and whether there are more.
func readLookalikes(ctx context.Context, store *sqlstore.Store) (groups lookalikes, more bool, err error) {
	owners, more, err := store.Lookalikes(ctx, lookalikesMax)
	if err != nil {
		return nil, false, err
	}
	var named feed.Named
	for _, o := range slices.Concat(owners...) {
		named.Users = append(named.Users, o.User)
	}
	ids, err := read(ctx, store, named)
	groups = make(lookalikes, len(owners))
	for i, group := range owners {
		for _, o := range group {
			groups[i] = append(groups[i], jsonHandle{ids.User(o.User), o.Handle})
		}
	}
	return groups, more, err
}

// print lists the groups. It escapes all characters outside ASCII, in which the handles differ.
func (l lookalikes) print(out io.Writer, more bool) {
	if len(l) == 0 {
		_, _ = fmt.Fprintln(out, "handles: no two look alike")
		return
	}
	_, _ = fmt.Fprintln(out, "handles that look alike (ask their users to choose others):")
	for _, group := range l {
		names := make([]string, len(group))
		for i, o := range group {
			names[i] = fmt.Sprintf("%+q (user %s)", o.Handle, o.User)
		}
		_, _ = fmt.Fprintf(out, "  %s\n", strings.Join(names, ", "))
	}
	if more {
		_, _ = fmt.Fprintln(out, "  and others")
	}
}
