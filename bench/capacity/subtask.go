package capacity

import "math"

// Subtask returns the number of inboxes per subtask for a post with the given number of entries.
func (l Limits) Subtask(entries float64) float64 {
	runs := int(math.Ceil(entries / float64(l.SubtaskSize)))
	return float64(l.SubtaskSize * max(1, min(l.LongSubtask, runs/max(1, l.FewSubtasks))))
}

// perSubtask returns the share of an entry's cost that is overhead of its subtask, for subtasks of
// SubtaskSize inboxes. All statements are overhead, and about twenty of two thousand commands. The
// CPU shares come from ADR 13, where the subtasks of a publish to a million inboxes became four
// times as long. Worker, Redis and PostgreSQL took 0.81, 1.9 and 0.72 seconds before, and 0.51, 1.8
// and 0.39 after.
func perSubtask() Cost {
	return Cost{Statements: 1, Commands: 0.01, Worker: 0.5, Redis: 0.07, Postgres: 0.6}
}

// left returns the cost of an entry in subtasks of the given length, relative to subtasks of
// minimum length.
func (l Limits) left(subtask float64) Cost {
	shorter := 1 - float64(l.SubtaskSize)/subtask
	return perSubtask().with(Cost{}, func(part, _ float64) float64 { return 1 - shorter*part })
}

// worth converts the entries of one post into the equivalent number of entries in minimum-length
// subtasks.
func (l Limits) worth(entries float64) Cost { return l.left(l.Subtask(entries)).Times(entries) }
