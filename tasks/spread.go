package tasks

import "github.com/tideline-feeds/tideline/feed"

// pushQueues returns the names of the queues of push tasks. Three are as many as the fewest masters
// of a Cluster, and their slots 297, 9892 and 13957 are on different masters.
func pushQueues(spread bool) []string {
	if !spread {
		return []string{QueuePush}
	}
	return []string{QueuePush, "push-2", "push-3"}
}

// pushQueue moves repeated dispatches, so that a lost push task does not wait for the same server.
func pushQueue(names []string, d feed.Dispatchable[feed.SliceRef]) string {
	count := uint64(len(names))
	// Reduced one by one, since the negative id of a replay would wrap in a sum.
	return names[(uint64(d.Ref.Post)%count+uint64(d.Ref.Task)%count+uint64(d.Dispatches)%count)%count]
}

func queues(pushes []string) []string {
	return append(append([]string{QueueDispatch}, pushes...), QueueBuild)
}
