package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// namedIn returns the objects that a report names.
func namedIn(r *feed.SourceReport) (named feed.Named) {
	for _, a := range r.Absent.Oldest {
		named.Users = append(named.Users, a.ID)
	}
	for _, a := range r.Posts.Oldest {
		named.Posts = append(named.Posts, a.ID)
	}
	return named
}

// printAwaited prints how many objects are awaited, and which for the longest.
func printAwaited(out io.Writer, r feed.SourceReport, ids feed.PublicIDs) {
	_, _ = fmt.Fprintf(out, "absent users: %d awaited%s; %d taken back\n", r.Absent.Awaited, oldestText("user", r.Absent.Oldest, ids.User), r.Absent.TakenBack)
	printOldest(out, "user", r.Absent.Oldest, ids.User)
	_, _ = fmt.Fprintf(out, "absent posts: %d awaited%s\n", r.Posts.Awaited, oldestText("post", r.Posts.Oldest, ids.Post))
	printOldest(out, "post", r.Posts.Oldest, ids.Post)
}

// oldestText names the first of the objects.
func oldestText[K any](what string, oldest []feed.Awaited[K], public func(K) feed.PublicID) string {
	if len(oldest) == 0 {
		return ""
	}
	return fmt.Sprintf(", the oldest %s %s since %s", what, public(oldest[0].ID), timeText(oldest[0].Since))
}

// printOldest prints the objects after the first, which oldestText names.
func printOldest[K any](out io.Writer, what string, oldest []feed.Awaited[K], public func(K) feed.PublicID) {
	var rest []string
	for i, a := range oldest {
		if i > 0 {
			rest = append(rest, fmt.Sprintf("%s since %s", public(a.ID), timeText(a.Since)))
		}
	}
	if len(rest) > 0 {
		_, _ = fmt.Fprintf(out, "  the next %ss: %s\n", what, strings.Join(rest, ", "))
	}
}

type (
	// jsonAbsent has no Oldest and OldestAt if no user is awaited.
	jsonAbsent struct {
		jsonAwaited
		TakenBack int `json:"takenBack"`
	}
	// jsonAwaited counts awaited objects. List has the oldest, Oldest among them.
	jsonAwaited struct {
		Awaited  int         `json:"awaited"`
		Oldest   string      `json:"oldest,omitempty"`
		OldestAt string      `json:"oldestAt,omitempty"`
		List     []jsonSince `json:"oldestList"`
	}
	jsonSince struct {
		ID    string `json:"id"`
		Since string `json:"since"`
	}
)

func absentUsersJSON(r feed.SourceReport, ids feed.PublicIDs) jsonAbsent {
	return jsonAbsent{jsonAwaited: awaitedJSON(r.Absent.Awaited, r.Absent.Oldest, ids.User), TakenBack: r.Absent.TakenBack}
}

func awaitedJSON[K any](n int, oldest []feed.Awaited[K], public func(K) feed.PublicID) jsonAwaited {
	out := jsonAwaited{Awaited: n, List: []jsonSince{}}
	for _, a := range oldest {
		out.List = append(out.List, jsonSince{idText(public(a.ID)), timeText(a.Since)})
	}
	if len(out.List) > 0 {
		out.Oldest, out.OldestAt = out.List[0].ID, out.List[0].Since
	}
	return out
}
