package tasks

import "github.com/tideline-feeds/tideline/feed"

// pushQueues returns the names of the queues of subtasks. A queue is one list, and so on one
// server: in a Cluster one master would have all subtasks.
//
// Three queues are as many as the fewest masters of a Cluster. Their slots 297, 9892 and 13957
// are in different thirds of all slots, and so on different masters. More would not make a
// fan-out faster, since one takes thousands of subtasks a second. The first has the name of the
// only one elsewhere.
func pushQueues(spread bool) []string {
	if !spread {
		return []string{QueuePush}
	}
	return []string{QueuePush, "push-2", "push-3"}
}

// pushQueue returns the queue of one dispatch of a subtask. Neighbouring subtasks and repeated
// dispatches go to different queues, so a lost subtask does not wait for the same server again.
func pushQueue(names []string, d feed.Dispatchable[feed.SliceRef]) string {
	count := uint64(len(names))
	// Reduced one by one, since the negative id of a replay would wrap in a sum.
	return names[(uint64(d.Ref.Post)%count+uint64(d.Ref.Task)%count+uint64(d.Dispatches)%count)%count]
}

// queues returns the names of all queues, given those of subtasks.
func queues(pushes []string) []string {
	return append(append([]string{QueueDispatch}, pushes...), QueueBuild)
}
