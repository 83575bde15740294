package capacity

import "math"

// Habits are what users do.
type Habits struct {
	// Daily, Monthly and Kept are the shares of all users who were seen on a day, within
	// the lease of activity of thirty days, and within the sixty days that an inbox is kept.
	Daily, Monthly, Kept float64
	// Publishes is the mean number of posts per user and day. Reads is the number of pages that an
	// active user reads per day.
	Publishes, Reads float64
	// First is the share of reads by viewers new to the process.
	First float64
	// Returns is the share of all users who come back on a day and find no inbox.
	Returns float64
	// Peak is how many times the mean the busiest minute has.
	Peak float64
}

// Fleet has the capacity of the servers. These are choices, not measurements.
type Fleet struct {
	// Busy is the share of its processors that a server may use at the peak: half, so that the peak
	// may be twice as high, or half of the servers may be down.
	Busy float64
	// RedisBytes is the memory that one shard of Redis may fill. Replicas is the number of replicas
	// of each shard.
	RedisBytes float64
	Replicas   int
	// SQLBytes and SQLCores are the storage and the processors of one PostgreSQL server.
	SQLBytes, SQLCores float64
}

// DefaultFleet is of servers that are ordinary at the time of writing. A shard of 24 GB is
// small enough to be copied to a new replica in a few minutes.
func DefaultFleet() Fleet {
	return Fleet{Busy: 0.5, RedisBytes: 24e9, Replicas: 1, SQLBytes: 4e12, SQLCores: 32}
}

// Forecast is what a network takes.
type Forecast struct {
	Network Network
	Habits  Habits
	// Tables are rows and bytes of SQL.
	Tables   map[string]Table
	SQLBytes float64
	// Inboxes is the number of inboxes in Redis, InboxEntries their mean number of entries, and
	// RedisBytes the memory of all, without replicas.
	Inboxes, InboxEntries, RedisBytes float64
	Pushed                            Pushed
	// Reads, Publishes and Pushes are events a second in the mean, and Peak how many times
	// that the busiest minute has.
	Reads, Publishes, Pushes float64
	// Second is what a second of the busiest minute takes, of all processes together.
	Second Cost
	// RedisMemory, RedisBusy, SQLDisk and SQLBusy are how many servers' memory, processor,
	// disk and processors that is: what of them is largest breaks first.
	RedisMemory, RedisBusy, SQLDisk, SQLBusy float64
	// RedisShards and SQLServers are how many servers that takes, replicas not counted,
	// and APICores and WorkerCores processors, all of them as busy as the fleet allows.
	RedisShards, SQLServers, APICores, WorkerCores int
	// Top is the number of followers of the most followed user, and TopEntries the number of
	// inboxes that receive their posts. The plan is stored TopPlanned seconds after the publish,
	// and the last inbox has the post after TopSeconds, if nothing else is pending.
	Top, TopEntries, TopPlanned, TopSeconds float64
}

// Model is what forecasts are made with.
type Model struct {
	Coefficients
	Limits Limits
	Fleet  Fleet
}

// Forecast works out what a network with such habits takes.
func (m Model) Forecast(n Network, h Habits) Forecast {
	f := Forecast{Network: n, Habits: h, Pushed: n.PerPublish(m.Limits, h.Monthly)}
	users := float64(n.Users)
	f.Reads = users * h.Daily * h.Reads / daySeconds
	f.Publishes = users * h.Publishes / daySeconds
	f.Pushes = f.Publishes * f.Pushed.Entries
	f.Tables = m.tables(n, h, f.Pushed)
	for _, t := range f.Tables {
		f.SQLBytes += float64(t.Bytes)
	}
	f.Inboxes, f.InboxEntries = users*h.Kept, n.InboxEntries(m.Limits)
	f.RedisBytes = f.Inboxes * m.Room * m.Inbox.At(f.InboxEntries)
	m.size(&f)
	return f
}

// tables returns the rows and bytes of SQL: users with their counters and words, follow edges,
// posts with their reactions, and the fan-outs of some days. Posts with reactions have counters;
// the model assumes that all have some, which is the maximum.
func (m Model) tables(n Network, h Habits, p Pushed) map[string]Table {
	users := float64(n.Users)
	contents, plans := users*n.Contents, users*h.Publishes*m.Limits.PlansKept
	out := map[string]Table{}
	for name, rows := range map[string]float64{
		"users": users, "user_counters": users, "user_words": users * m.WordsPerUser,
		"follows": users * n.Follows, "contents": contents, "content_counters": contents,
		"reactions": contents * n.Reactions, "events": plans, "plans": plans, "plan_slices": plans * p.Subtasks,
	} {
		out[name] = Table{Rows: int64(math.Round(rows)), Bytes: int64(math.Round(rows * m.RowBytes[name]))}
	}
	return out
}

// perSecond is how many microseconds a processor has in a second.
const perSecond = 1e6

// size works out what a second of the peak takes, and how many servers.
func (m Model) size(f *Forecast) {
	work := m.work(*f)
	// Each process takes a little also when nothing happens. Nearly all of that is the
	// workers', who look for tasks.
	workers := float64(m.servers(work.Worker))
	idle := m.Idle.Times(workers)
	idle.API = m.Idle.API * float64(m.servers(work.API))
	f.Second = work.Plus(idle)
	f.APICores, f.WorkerCores = m.servers(f.Second.API), m.servers(f.Second.Worker)
	f.RedisMemory, f.RedisBusy = f.RedisBytes/m.Fleet.RedisBytes, m.busy(f.Second.Redis)
	f.SQLDisk, f.SQLBusy = f.SQLBytes/m.Fleet.SQLBytes, m.busy(f.Second.Postgres/m.Fleet.SQLCores)
	f.RedisShards = max(1, int(math.Ceil(max(f.RedisMemory, f.RedisBusy))))
	f.SQLServers = max(1, int(math.Ceil(max(f.SQLDisk, f.SQLBusy))))
	f.Top = f.Network.Top()
	f.TopEntries = m.Limits.pushed(f.Top, f.Habits.Monthly)
	f.TopPlanned, f.TopSeconds = m.planning(f.TopEntries), m.topSeconds(*f)
}

// work returns what users make of a second of the peak.
func (m Model) work(f Forecast) Cost {
	h := f.Habits
	read := m.First.Times(h.First).Plus(m.Again.Times(1 - h.First))
	return read.Times(f.Reads).
		Plus(m.publishing(f.Pushed.Entries, m.Limits).Times(f.Publishes)).
		Plus(m.Absent.Times(float64(f.Network.Users) * h.Returns / daySeconds)).
		Times(h.Peak)
}

// busy returns how many processors, no busier than they may be, spend so many microseconds a
// second.
func (m Model) busy(micros float64) float64 { return micros / perSecond / m.Fleet.Busy }

// servers is busy in whole ones: one at least.
func (m Model) servers(micros float64) int { return max(1, int(math.Ceil(m.busy(micros)))) }

// topSeconds returns how long the most followed user's post is on its way, when the fleet
// has nothing else to do: it is planned, and then its subtasks run side by side, as many as
// the fleet can.
func (m Model) topSeconds(f Forecast) float64 {
	size := m.Limits.Subtask(f.TopEntries)
	rounds := math.Ceil(math.Ceil(f.TopEntries/size) / float64(m.AtOnce(f)))
	return m.planning(f.TopEntries) + rounds*m.pushing(size, size)
}

// walking is which part of an entry's cost in PostgreSQL is the plan's, which walks along all
// followers in their index: 0.09 to 0.14 µs a follower, by what PostgreSQL counted for that
// statement, of 1 to 2 for all statements.
const walking = 0.1

// planning returns how many seconds it takes to plan a publish to so many inboxes. One task
// does it from the first follower to the last, however large the fleet is.
func (m Model) planning(entries float64) float64 {
	once := m.Publish
	return (once.Worker + once.Redis + once.Postgres + walking*entries*m.Entry.Postgres) / perSecond
}

// pushing returns how many seconds one slot takes to push to so many inboxes in subtasks of
// some length: worker, Redis and PostgreSQL one after the other, as it is with one connection.
func (m Model) pushing(entries, subtask float64) float64 {
	c := m.Entry.of(m.Limits.left(subtask))
	return entries * (c.Worker + c.Redis + c.Postgres - walking*m.Entry.Postgres) / perSecond
}

// AtOnce returns how many subtasks a fleet runs at once: as many as the workers have slots
// for, and no more than keep their processors, all shards of Redis or all of PostgreSQL busy.
// It is one at least.
func (m Model) AtOnce(f Forecast) int {
	c, all := m.Entry, perSecond*m.pushing(1, float64(m.Limits.SubtaskSize))
	out := float64(f.WorkerCores * m.Limits.Slots)
	for _, limit := range []struct{ micros, servers float64 }{
		{c.Worker, float64(f.WorkerCores)},
		{c.Redis, float64(f.RedisShards)},
		{c.Postgres, float64(f.SQLServers) * m.Fleet.SQLCores},
	} {
		if limit.micros > 0 {
			out = min(out, limit.servers*all/limit.micros)
		}
	}
	return max(1, int(out))
}
