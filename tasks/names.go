package tasks

import (
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/hashslot"
)

// names are the names of the queues of one deployment, but for [QueueIngest], which is public.
type names struct {
	prefix, dispatch, dispatchLarge, build string
	// pushes and pushesLarge are several on a Cluster.
	pushes, pushesLarge []string
}

// namesOf returns the names with a prefix.
func namesOf(prefix string, spread bool) names {
	return names{
		prefix: prefix, dispatch: prefix + QueueDispatch, dispatchLarge: prefix + QueueDispatchLarge, build: prefix + QueueBuild,
		pushes: spreadNames(prefix+QueuePush, spread), pushesLarge: spreadNames(prefix+QueuePushLarge, spread),
	}
}

// spreadNames returns the name of one queue or, if its tasks are spread, the names of three. Each has
// its slot in another third of the slots: three are the fewest masters of a Cluster.
func spreadNames(first string, spread bool) []string {
	all := []string{first}
	if !spread {
		return all
	}
	thirds := []int{third(first)}
	for i := 2; len(all) < 3; i++ {
		name := fmt.Sprintf("%s-%d", first, i)
		if t := third(name); !slices.Contains(thirds, t) {
			all, thirds = append(all, name), append(thirds, t)
		}
	}
	return all
}

func (n names) all() []string {
	return slices.Concat([]string{n.dispatch, n.dispatchLarge}, n.pushes, n.pushesLarge, []string{n.build})
}

// short is a name without the prefix.
func (n names) short(name string) string { return name[len(n.prefix):] }

// push moves repeated dispatches, so that a lost push task does not wait for the same server.
func (n names) push(d feed.Dispatchable[feed.SliceRef]) string {
	pushes := n.pushes
	if d.Large {
		pushes = n.pushesLarge
	}
	count := uint64(len(pushes))
	// Reduced one by one, since the negative id of a replay would wrap in a sum.
	return pushes[(uint64(d.Ref.Post)%count+uint64(d.Ref.Task)%count+uint64(d.Dispatches)%count)%count]
}

// third returns in which third of a Cluster's slots, 0 to 2, the keys of a queue are. asynq puts the
// name in braces.
func third(name string) int { return hashslot.Of("{"+name+"}") * 3 / hashslot.Count }

// mostPrefix is the longest prefix in bytes.
const mostPrefix = 40

// ValidPrefix reports whether a prefix has only letters, digits and -_.: and is not too long.
func ValidPrefix(prefix string) bool {
	valid := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || slices.Contains([]rune("-_.:"), r)
	}
	return len(prefix) <= mostPrefix && !slices.ContainsFunc([]rune(prefix), func(r rune) bool { return !valid(r) })
}
