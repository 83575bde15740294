package capacity

import "math"

// Kind says whether a compared figure depends on the machine. Exact figures depend on the data and
// the program only. Timed figures also depend on the machine and its load.
type Kind int

// The kinds of figures.
const (
	Exact Kind = iota
	Timed
)

// Compared is a measured figure of a point with the model's prediction.
type Compared struct {
	Name                string
	Kind                Kind
	Predicted, Measured float64
}

// Off returns the relative error of the prediction: -0.1 is a tenth too low.
func (c Compared) Off() float64 {
	if c.Predicted == c.Measured {
		return 0
	}
	return c.Predicted/c.Measured - 1
}

// Tolerance is the maximum relative error of a prediction of an [Exact] figure.
const Tolerance = 0.20

// Within returns whether the prediction is within the tolerance.
func (c Compared) Within() bool { return math.Abs(c.Off()) <= Tolerance }

// Compare predicts the figures of a point from its numbers of users, follows, posts and publishes.
// It uses the exponents of the generator.
func Compare(c Coefficients, l Limits, p Point) []Compared {
	users := float64(p.Users)
	n := Network{
		Users: p.Users, Follows: float64(p.Follows) / users, Contents: float64(p.Contents) / users,
		Popularity: 0.375, Breadth: 1.8,
	}
	out := compareTables(c, p)
	entries := n.InboxEntries(l)
	out = append(out,
		Compared{"entries per inbox", Exact, entries, float64(p.Entries) / float64(p.Inboxes)},
		Compared{"bytes of all inboxes", Exact, float64(p.Inboxes) * c.Inbox.At(entries), float64(p.RedisBytes)},
		Compared{"memory of inboxes in use / after their build", Exact, c.Room, p.Room},
	)
	for _, of := range []struct {
		name                string
		predicted, measured Cost
	}{
		{"first read", c.First, p.First},
		{"read again", c.Again, p.Again},
		{"read without an inbox, and its build", c.Absent, p.Absent},
		{"ordinary publish", c.publishing(p.Ordinary.each(), l), p.Ordinary.Each},
		{"publish of the star", c.publishing(p.Star.each(), l), p.Star.Each},
	} {
		out = append(out, compareCosts(of.name, of.predicted, of.measured)...)
	}
	return out
}

// compareTables compares the rows and bytes of the tables that the import fills.
func compareTables(c Coefficients, p Point) []Compared {
	rows := map[string]float64{
		"users": float64(p.Users), "user_counters": float64(p.Users), "user_words": float64(p.Users) * c.WordsPerUser,
		"follows": float64(p.Follows), "contents": float64(p.Contents),
		// The network determines the rows of these two tables.
		"content_counters": float64(p.Tables["content_counters"].Rows), "reactions": float64(p.Tables["reactions"].Rows),
	}
	var out []Compared
	for _, name := range []string{"users", "user_counters", "user_words", "follows", "contents", "content_counters", "reactions"} {
		out = append(out,
			Compared{"rows of " + name, Exact, rows[name], float64(p.Tables[name].Rows)},
			Compared{"bytes of " + name, Exact, rows[name] * c.RowBytes[name], float64(p.Tables[name].Bytes)},
		)
	}
	return out
}

// compareCosts compares the costs of one operation. It skips measured values below a minimum: a few
// ticks of the kernel's clock are too coarse to compare.
func compareCosts(name string, predicted, measured Cost) []Compared {
	var out []Compared
	for _, f := range []struct {
		name                string
		kind                Kind
		predicted, measured float64
		least               float64
	}{
		{"statements", Exact, predicted.Statements, measured.Statements, 0.5},
		{"commands", Exact, predicted.Commands, measured.Commands, 0.5},
		{"µs of API processes", Timed, predicted.API, measured.API, 10},
		{"µs of workers", Timed, predicted.Worker, measured.Worker, 10},
		{"µs of Redis", Timed, predicted.Redis, measured.Redis, 10},
		{"µs of PostgreSQL", Timed, predicted.Postgres, measured.Postgres, 10},
	} {
		if f.measured >= f.least {
			out = append(out, Compared{name + ": " + f.name, f.kind, f.predicted, f.measured})
		}
	}
	return out
}
