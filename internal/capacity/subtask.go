package capacity

import "math"

// Subtask returns to how many inboxes one subtask pushes when a content goes to so many.
func (l Limits) Subtask(entries float64) float64 {
	runs := int(math.Ceil(entries / float64(l.SubtaskSize)))
	return float64(l.SubtaskSize * max(1, min(l.LongSubtask, runs/max(1, l.FewSubtasks))))
}

// perSubtask is which part of what an entry costs is its share of what a subtask costs by
// itself, when that pushes to SubtaskSize inboxes: all statements, some twenty of two thousand
// commands, and of processor time what a publish to a million took less when its subtasks
// became four times as long (ADR 43 gives the seconds before, of worker, Redis and PostgreSQL:
// 0.81, 1.9 and 0.72, and after: 0.51, 1.8 and 0.39).
func perSubtask() Cost {
	return Cost{Statements: 1, Commands: 0.01, Worker: 0.5, Redis: 0.07, Postgres: 0.6}
}

// left returns which part of what an entry costs is left of it where subtasks push to so many
// inboxes each.
func (l Limits) left(subtask float64) Cost {
	part, shorter := perSubtask(), 1-float64(l.SubtaskSize)/subtask
	return Cost{Statements: 1, Commands: 1, API: 1, Worker: 1, Redis: 1, Postgres: 1}.Plus(part.Times(-shorter))
}

// of returns the given parts of c, or multiples.
func (c Cost) of(part Cost) Cost {
	return Cost{
		Statements: c.Statements * part.Statements, Commands: c.Commands * part.Commands,
		API: c.API * part.API, Worker: c.Worker * part.Worker, Redis: c.Redis * part.Redis, Postgres: c.Postgres * part.Postgres,
	}
}

// whole returns what c is the given parts of, or multiples, none of which may be 0.
func (c Cost) whole(part Cost) Cost {
	return c.of(Cost{
		Statements: 1 / part.Statements, Commands: 1 / part.Commands,
		API: 1 / part.API, Worker: 1 / part.Worker, Redis: 1 / part.Redis, Postgres: 1 / part.Postgres,
	})
}
