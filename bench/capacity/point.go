package capacity

import (
	"math"
	"time"
)

// Cost is the cost of one operation, such as a read, a publish or an idle second.
type Cost struct {
	// Statements are SQL statements as PostgreSQL counts them, with BEGIN and COMMIT. Commands are
	// Redis commands as Redis counts them, with those within scripts.
	Statements float64 `json:"statements"`
	Commands   float64 `json:"commands"`
	// API, Worker, Redis and Postgres are microseconds of processor time, user and system.
	API      float64 `json:"apiMicros"`
	Worker   float64 `json:"workerMicros"`
	Redis    float64 `json:"redisMicros"`
	Postgres float64 `json:"postgresMicros"`
}

// Plus returns the sum of c and d.
func (c Cost) Plus(d Cost) Cost {
	return c.with(d, func(a, b float64) float64 { return a + b })
}

// Times returns n times c.
func (c Cost) Times(n float64) Cost {
	return c.with(Cost{}, func(a, _ float64) float64 { return n * a })
}

// of multiplies each figure of c by the same figure of part.
func (c Cost) of(part Cost) Cost {
	return c.with(part, func(a, b float64) float64 { return a * b })
}

// whole divides each figure of c by the same figure of part, none of which may be 0.
func (c Cost) whole(part Cost) Cost {
	return c.with(part, func(a, b float64) float64 { return a / b })
}

// atLeastZero sets negative figures to zero. The difference of two large measurements may be
// negative.
func (c Cost) atLeastZero() Cost { return c.with(Cost{}, math.Max) }

// with applies f to each pair of figures of c and d.
func (c Cost) with(d Cost, f func(a, b float64) float64) Cost {
	return Cost{
		Statements: f(c.Statements, d.Statements), Commands: f(c.Commands, d.Commands),
		API: f(c.API, d.API), Worker: f(c.Worker, d.Worker), Redis: f(c.Redis, d.Redis), Postgres: f(c.Postgres, d.Postgres),
	}
}

// Table is the size of an SQL table: rows, and bytes including all indexes.
type Table struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// Line is the memory of an inbox in bytes: Base + PerEntry × entries.
type Line struct {
	Base     float64 `json:"base"`
	PerEntry float64 `json:"perEntry"`
}

// Publishes has the cost of posts that were published and pushed.
type Publishes struct {
	// Count is the number of posts, and Entries the number of inbox entries that they produced.
	Count   int64 `json:"count"`
	Entries int64 `json:"entries"`
	// Each is the mean cost of one post, until its last inbox has it.
	Each Cost `json:"each"`
	// Seconds is the median time from a publish until the last inbox has the post. It is 0 unless
	// the posts were published one after the other.
	Seconds float64 `json:"seconds,omitempty"`
}

// Point has the measurements of a network of one size, with place and method.
type Point struct {
	Commit  string `json:"commit"`
	Command string `json:"command"`
	Date    string `json:"date"`
	Machine string `json:"machine"`

	Users    int64 `json:"users"`
	Follows  int64 `json:"follows"`
	Contents int64 `json:"contents"`
	// Tables has the sizes of the SQL tables after the import. The sizes of events, plans and
	// plan_slices are from after the publishes below.
	Tables map[string]Table `json:"tables"`

	// Entries is the number of entries of all inboxes, and RedisBytes the growth of used_memory
	// when they are filled. Built is the memory of a newly built inbox. Room is the growth factor
	// after some pushes, because Redis over-allocates on append.
	Inboxes    int64   `json:"inboxes"`
	Entries    int64   `json:"entries"`
	RedisBytes int64   `json:"redisBytes"`
	Built      Line    `json:"builtInbox"`
	Room       float64 `json:"room"`

	// Idle is the cost of one idle second of one API process and one worker. The costs below
	// exclude it.
	Idle Cost `json:"idleSecond"`
	// First is a page read by a viewer new to the process, and Again by a known viewer. Absent is a
	// read without an inbox, including the build that follows. Reads run in sequence or at a low
	// rate, because concurrent reads share statements.
	First  Cost `json:"firstRead"`
	Again  Cost `json:"readAgain"`
	Absent Cost `json:"readWithoutInbox"`
	// Ordinary has posts of random users, and Star posts of the most followed user.
	Ordinary Publishes `json:"ordinary"`
	Star     Publishes `json:"star"`
}

// Points are measurements in ascending order of users.
type Points []Point

// Put returns the points with p added. p replaces an earlier point with the same number of users.
func (l Points) Put(p Point) Points {
	out := make(Points, 0, len(l)+1)
	for _, old := range l {
		if old.Users < p.Users {
			out = append(out, old)
		}
	}
	out = append(out, p)
	for _, old := range l {
		if old.Users > p.Users {
			out = append(out, old)
		}
	}
	return out
}

// daySeconds is the number of seconds of a day.
const daySeconds = float64(24 * time.Hour / time.Second)
