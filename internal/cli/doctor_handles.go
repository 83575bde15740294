package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// lookalikesMax is how many groups of handles that look alike the doctor lists: as many as
// an operator goes through by hand.
const lookalikesMax = 100

// lookalikes are handles that are easily taken for each other. A new handle looks like no
// other, so these were imported, or are older than that rule. They are not counted as wrong.
type lookalikes struct {
	groups [][]sqlstore.HandleOwner
	// more says that there are other groups.
	more bool
}

// jsonHandle is one handle of a group, with the id of its user.
type jsonHandle struct {
	User   string `json:"user"`
	Handle string `json:"handle"`
}

// print lists the groups. Characters other than those of ASCII are escaped, because they
// are what the handles differ by.
func (l lookalikes) print(out io.Writer) {
	if len(l.groups) == 0 {
		_, _ = fmt.Fprintln(out, "handles: no two look alike")
		return
	}
	_, _ = fmt.Fprintln(out, "handles that look alike (ask their users to choose others):")
	for _, group := range l.groups {
		names := make([]string, len(group))
		for i, o := range group {
			names[i] = fmt.Sprintf("%+q (user %d)", o.Handle, o.User)
		}
		_, _ = fmt.Fprintf(out, "  %s\n", strings.Join(names, ", "))
	}
	if l.more {
		_, _ = fmt.Fprintln(out, "  and others")
	}
}

func (l lookalikes) json() [][]jsonHandle {
	groups := make([][]jsonHandle, len(l.groups))
	for i, group := range l.groups {
		for _, o := range group {
			groups[i] = append(groups[i], jsonHandle{o.User.String(), o.Handle})
		}
	}
	return groups
}
