package capacity

import "math"

// Subtask returns to how many inboxes one subtask pushes when a post goes to so many.
func (l Limits) Subtask(entries float64) float64 {
	runs := int(math.Ceil(entries / float64(l.SubtaskSize)))
	return float64(l.SubtaskSize * max(1, min(l.LongSubtask, runs/max(1, l.FewSubtasks))))
}

// perSubtask is which part of what an entry costs is its share of what a subtask costs by
// itself, when that pushes to SubtaskSize inboxes: all statements, some twenty of two thousand
// commands, and of processor time what a publish to a million took less when its subtasks
// became four times as long (ADR 13 gives the seconds before, of worker, Redis and PostgreSQL:
// 0.81, 1.9 and 0.72, and after: 0.51, 1.8 and 0.39).
func perSubtask() Cost {
	return Cost{Statements: 1, Commands: 0.01, Worker: 0.5, Redis: 0.07, Postgres: 0.6}
}

// left returns which part of what an entry costs is left of it where subtasks push to so many
// inboxes each.
func (l Limits) left(subtask float64) Cost {
	shorter := 1 - float64(l.SubtaskSize)/subtask
	return perSubtask().with(Cost{}, func(part, _ float64) float64 { return 1 - shorter*part })
}

// worth returns how many entries of the shortest subtasks cost as much as so many do that one
// content becomes.
func (l Limits) worth(entries float64) Cost { return l.left(l.Subtask(entries)).Times(entries) }
