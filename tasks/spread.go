package tasks

import "github.com/tideline-feeds/tideline/feed"

// pushQueues returns the names of the queues of subtasks. A queue is one list in Redis,
// and so on one server: in a Cluster, all subtasks would be that server's, and would wait
// for it when it is replaced.
//
// Three are as many as the fewest masters of a Cluster. Their slots are 297, 9892 and
// 13957, which fall to the first, the second and the last third of all slots, as three
// masters have them; and to different masters wherever there are more. More queues would
// not make a fan-out faster, since one takes thousands of subtasks a second and each of
// them is a thousand pushes.
// The first has the name that the only one has elsewhere.
func pushQueues(spread bool) []string {
	if !spread {
		return []string{QueuePush}
	}
	return []string{QueuePush, "push-2", "push-3"}
}

// pushQueue returns the queue of one dispatch of a subtask. Neighbouring subtasks go to
// different queues, and so does the next dispatch of the same one: what was lost with a
// server does not wait for that server again.
func pushQueue(names []string, d feed.Dispatchable[feed.SliceRef]) string {
	count := uint64(len(names))
	// Each for itself, since the name of a replay is below zero and would make a sum wrap.
	return names[(uint64(d.Ref.Post)%count+uint64(d.Ref.Task)%count+uint64(d.Dispatches)%count)%count]
}

// queues returns the names of all queues, when subtasks go to those with the given names.
func queues(pushes []string) []string {
	return append(append([]string{QueueDispatch}, pushes...), QueueBuild)
}
