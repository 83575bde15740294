package capacity

import "math"

// Habits describe the activity of users.
type Habits struct {
	// Daily, Monthly and Kept are shares of all users. Daily users are seen on a given day, Monthly
	// users within the activity lease of thirty days. Kept users have an inbox because they were
	// seen within sixty days.
	Daily, Monthly, Kept float64
	// Publishes is the mean number of posts per user and day. Reads is the number of pages that an
	// active user reads per day.
	Publishes, Reads float64
	// First is the share of reads by viewers new to the process.
	First float64
	// Returns is the share of all users who return on a given day and have no inbox.
	Returns float64
	// Peak is the ratio of the busiest minute to the mean.
	Peak float64
}

// Fleet has the capacity of the servers. These are choices, not measurements.
type Fleet struct {
	// Busy is the maximum CPU utilisation of a server at the peak. At one half, the load may double
	// or half of the servers may fail.
	Busy float64
	// RedisBytes is the memory that one shard of Redis may fill. Replicas is the number of replicas
	// of each shard.
	RedisBytes float64
	Replicas   int
	// SQLBytes and SQLCores are the storage and the processors of one PostgreSQL server.
	SQLBytes, SQLCores float64
}

// DefaultFleet returns common server sizes. A 24 GB shard of Redis can be copied to a new replica
// in a few minutes.
func DefaultFleet() Fleet {
	return Fleet{Busy: 0.5, RedisBytes: 24e9, Replicas: 1, SQLBytes: 4e12, SQLCores: 32}
}

// Forecast is the predicted load and size of a network.
type Forecast struct {
	Network Network
	Habits  Habits
	// Tables has the rows and bytes of each SQL table.
	Tables   map[string]Table
	SQLBytes float64
	// Inboxes is the number of inboxes in Redis, and InboxEntries their mean number of entries.
	// RedisBytes is the memory of all inboxes, without replicas.
	Inboxes, InboxEntries, RedisBytes float64
	Pushed                            Pushed
	// Reads, Publishes and Pushes are mean events per second.
	Reads, Publishes, Pushes float64
	// Second is the cost of one second of the busiest minute, summed over all processes.
	Second Cost
	// RedisMemory, RedisBusy, SQLDisk and SQLBusy are the numbers of servers that each resource
	// requires: memory, CPU, disk and CPU. The largest is the bottleneck.
	RedisMemory, RedisBusy, SQLDisk, SQLBusy float64
	// RedisShards and SQLServers are the required numbers of servers, without replicas. APICores
	// and WorkerCores are the required processors at the utilisation that the fleet allows.
	RedisShards, SQLServers, APICores, WorkerCores int
	// Top is the number of followers of the most followed user, and TopEntries the number of
	// inboxes that receive their posts. The plan is stored TopPlanned seconds after the publish,
	// and the last inbox has the post after TopSeconds, if nothing else is pending.
	Top, TopEntries, TopPlanned, TopSeconds float64
}

// Model combines the inputs of a forecast.
type Model struct {
	Coefficients
	Limits Limits
	Fleet  Fleet
}

// Forecast predicts the load and size of a network with the given habits.
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

// tables returns the rows and bytes of the SQL tables. Only posts with reactions have counters; the
// model assumes the maximum, that all posts have some.
func (m Model) tables(n Network, h Habits, p Pushed) map[string]Table {
	users := float64(n.Users)
	contents, plans := users*n.Contents, users*h.Publishes*m.Limits.PlansKept
	out := map[string]Table{}
	for name, rows := range map[string]float64{
		"users": users, "user_counters": users, "user_words": users * m.WordsPerUser,
		"follows": users * n.Follows, "contents": contents, "content_counters": contents,
		"reactions": contents * n.Reactions, "events": plans, "plans": plans, "plan_slices": plans * p.Slices,
	} {
		out[name] = Table{Rows: int64(math.Round(rows)), Bytes: int64(math.Round(rows * m.RowBytes[name]))}
	}
	return out
}

// perSecond is how many microseconds a processor has in a second.
const perSecond = 1e6

// size computes the cost of a second of the peak and the number of servers.
func (m Model) size(f *Forecast) {
	work := m.work(*f)
	// Idle processes cost a little too. Nearly all of it is workers that poll for tasks.
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

// work returns the cost of the users' activity in one second of the peak.
func (m Model) work(f Forecast) Cost {
	h := f.Habits
	read := m.First.Times(h.First).Plus(m.Again.Times(1 - h.First))
	return read.Times(f.Reads).
		Plus(m.publishing(f.Pushed.Entries, m.Limits).Times(f.Publishes)).
		Plus(m.Absent.Times(float64(f.Network.Users) * h.Returns / daySeconds)).
		Times(h.Peak)
}

// busy converts microseconds of CPU time per second into processors at the allowed utilisation.
func (m Model) busy(micros float64) float64 { return micros / perSecond / m.Fleet.Busy }

// servers rounds busy up to a whole number, at least one.
func (m Model) servers(micros float64) int { return max(1, int(math.Ceil(m.busy(micros)))) }

// topSeconds returns the fan-out time of a post by the most followed user in an idle fleet. One
// task plans the post, and then the fleet runs its slices in parallel.
func (m Model) topSeconds(f Forecast) float64 {
	size := m.Limits.SliceFor(f.TopEntries)
	rounds := math.Ceil(math.Ceil(f.TopEntries/size) / float64(m.AtOnce(f)))
	return m.planning(f.TopEntries) + rounds*m.pushing(size, size)
}

// walking is the planner's share of an entry's cost in PostgreSQL. The plan scans the index of
// followers: PostgreSQL counted 0.09 to 0.14 µs per follower for that statement. All statements
// together take 1 to 2 µs.
const walking = 0.1

// planning returns the seconds to plan a publish to the given number of inboxes. One task reads all
// followers, so a larger fleet does not shorten it.
func (m Model) planning(entries float64) float64 {
	once := m.Publish
	return (once.Worker + once.Redis + once.Postgres + walking*entries*m.Entry.Postgres) / perSecond
}

// pushing returns the seconds that one slot takes to push to the given number of inboxes, in
// slices of size inboxes. Worker, Redis and PostgreSQL run in sequence, because a
// slot has one connection.
func (m Model) pushing(entries, size float64) float64 {
	c := m.Entry.of(m.Limits.left(size))
	return entries * (c.Worker + c.Redis + c.Postgres - walking*m.Entry.Postgres) / perSecond
}

// AtOnce returns the number of slices that a fleet runs concurrently, at least one. The limits
// are the slots of the workers and the processors of workers, Redis and PostgreSQL.
func (m Model) AtOnce(f Forecast) int {
	c, all := m.Entry, perSecond*m.pushing(1, float64(m.Limits.SliceSize))
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
