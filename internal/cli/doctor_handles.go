package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// lookalikesMax is about what an operator can review by hand.
const lookalikesMax = 100

// lookalikes are groups of handles that are easily confused. New handles are never confusable, so
// these were imported or are older than that rule. They do not count as wrong.
type lookalikes struct {
	groups [][]sqlstore.HandleOwner
	// more reports that there are further groups.
	more bool
}

type jsonHandle struct {
	User   string `json:"user"`
	Handle string `json:"handle"`
}

// print lists the groups. It escapes all characters outside ASCII, in which the handles differ.
func (l lookalikes) print(out io.Writer, ids feed.PublicIDs) {
	if len(l.groups) == 0 {
		_, _ = fmt.Fprintln(out, "handles: no two look alike")
		return
	}
	_, _ = fmt.Fprintln(out, "handles that look alike (ask their users to choose others):")
	for _, group := range l.groups {
		names := make([]string, len(group))
		for i, o := range group {
			names[i] = fmt.Sprintf("%+q (user %s)", o.Handle, ids.User(o.User))
		}
		_, _ = fmt.Fprintf(out, "  %s\n", strings.Join(names, ", "))
	}
	if l.more {
		_, _ = fmt.Fprintln(out, "  and others")
	}
}

func (l lookalikes) json(ids feed.PublicIDs) [][]jsonHandle {
	groups := make([][]jsonHandle, len(l.groups))
	for i, group := range l.groups {
		for _, o := range group {
			groups[i] = append(groups[i], jsonHandle{idText(ids.User(o.User)), o.Handle})
		}
	}
	return groups
}
