package capacity

import (
	"math"
	"time"
)

// Cost is what something takes, of whatever it is said of: one read, one publish, one
// second of doing nothing.
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

// Plus returns c and d together.
func (c Cost) Plus(d Cost) Cost {
	return c.with(d, func(a, b float64) float64 { return a + b })
}

// Times returns n times c.
func (c Cost) Times(n float64) Cost {
	return c.with(Cost{}, func(a, _ float64) float64 { return n * a })
}

// of returns the given parts of c, or multiples.
func (c Cost) of(part Cost) Cost {
	return c.with(part, func(a, b float64) float64 { return a * b })
}

// whole returns what c is the given parts of, or multiples, none of which may be 0.
func (c Cost) whole(part Cost) Cost {
	return c.with(part, func(a, b float64) float64 { return a / b })
}

// atLeastZero returns c with nothing below zero: what is measured as a difference of two
// large numbers may come out so.
func (c Cost) atLeastZero() Cost { return c.with(Cost{}, math.Max) }

// with returns what f makes of each of the figures of c and d.
func (c Cost) with(d Cost, f func(a, b float64) float64) Cost {
	return Cost{
		Statements: f(c.Statements, d.Statements), Commands: f(c.Commands, d.Commands),
		API: f(c.API, d.API), Worker: f(c.Worker, d.Worker), Redis: f(c.Redis, d.Redis), Postgres: f(c.Postgres, d.Postgres),
	}
}

// Table is how much of SQL something takes: rows, and bytes with all indexes.
type Table struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"`
}

// Line is the memory of an inbox by its entries: Base + PerEntry × entries, in bytes.
type Line struct {
	Base     float64 `json:"base"`
	PerEntry float64 `json:"perEntry"`
}

// Publishes has the cost of posts that were published and pushed.
type Publishes struct {
	// Count is how many were published, and Entries how many inbox entries they became.
	Count   int64 `json:"count"`
	Entries int64 `json:"entries"`
	// Each is the mean cost of one of them, to its last inbox.
	Each Cost `json:"each"`
	// Seconds is the median of what one took, from the publish to its last inbox, where
	// they were published one after the other; 0 where they were not.
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
	// Tables are those of SQL after the import, and, of events, plans and plan_slices,
	// after the publishes below.
	Tables map[string]Table `json:"tables"`

	// Inboxes are filled with Entries in all, and RedisBytes is what Redis takes more then
	// (used_memory). Built is the memory of an inbox as it was built, and Room how many
	// times as much inboxes take after some posts were pushed to them: Redis makes room
	// for more when it appends.
	Inboxes    int64   `json:"inboxes"`
	Entries    int64   `json:"entries"`
	RedisBytes int64   `json:"redisBytes"`
	Built      Line    `json:"builtInbox"`
	Room       float64 `json:"room"`

	// Idle is what one API process and one worker take in a second in which nothing is
	// asked of them; it is not in the costs below.
	Idle Cost `json:"idleSecond"`
	// First is a read of a page by a viewer new to the process, Again by a known viewer, and Absent
	// by one without an inbox, with the build that follows. The reads come one after the other or
	// at a low rate, because concurrent reads share statements.
	First  Cost `json:"firstRead"`
	Again  Cost `json:"readAgain"`
	Absent Cost `json:"readWithoutInbox"`
	// Ordinary has posts of random users, and Star posts of the most followed user.
	Ordinary Publishes `json:"ordinary"`
	Star     Publishes `json:"star"`
}

// Points are the measured ones, in ascending order of users.
type Points []Point

// Put returns the points with p, in place of an earlier point of as many users.
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

// daySeconds is how many seconds a day has.
const daySeconds = float64(24 * time.Hour / time.Second)
