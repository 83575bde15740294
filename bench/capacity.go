package bench

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Capacity is the measurement of a network of one size.
type Capacity struct {
	Commit    string `json:"commit"`
	Date      string `json:"date"`
	Machine   string `json:"machine"`
	Users     int64  `json:"users"`
	Follows   int64  `json:"follows"`
	Contents  int64  `json:"contents"`
	Followers int64  `json:"starFollowers"`
	// ImportSeconds and RecordsPerSecond measure the program's import. They are 0 if the network
	// was stored in another way.
	ImportSeconds    float64 `json:"importSeconds"`
	RecordsPerSecond float64 `json:"recordsPerSecond"`
	DatabaseBytes    int64   `json:"databaseBytes"`
	// Inboxes is the number of filled inboxes, and RedisBytes the memory of Redis with them.
	Inboxes         int64   `json:"inboxes"`
	RedisBytes      int64   `json:"redisBytes"`
	BytesPerEntry   float64 `json:"bytesPerEntry"`
	ReadsPerSecond  float64 `json:"readsPerSecond"`
	ReadP50Millis   float64 `json:"readP50Millis"`
	ReadP99Millis   float64 `json:"readP99Millis"`
	BuildP50Millis  float64 `json:"absentInboxP50Millis"`
	FanoutPerSecond float64 `json:"fanoutEntriesPerSecond"`
	// LastSeconds is the time from a publish of the star until the last follower can read the post.
	// AloneSeconds is the time of the same pushes with Redis alone.
	LastSeconds  float64 `json:"publishToLastSeconds"`
	AloneSeconds float64 `json:"redisAloneSeconds"`
}

// Growth has the measurements of networks of several sizes, in ascending order.
type Growth struct {
	Sizes []Capacity `json:"sizes"`
}

// Put stores the measurement of one size in place of an earlier one.
func (g *Growth) Put(c Capacity) {
	g.Sizes = slices.DeleteFunc(g.Sizes, func(old Capacity) bool { return old.Users == c.Users })
	g.Sizes = append(g.Sizes, c)
	slices.SortFunc(g.Sizes, func(a, b Capacity) int { return cmp.Compare(a.Users, b.Users) })
}

// heads are the lines that state the origin of each size's figures.
func heads() []head {
	return []head{
		{"commit", func(c Capacity) string { return c.Commit }},
		{"date", func(c Capacity) string { return c.Date }},
		{"machine", func(c Capacity) string { return c.Machine }},
	}
}

// head is a line of text.
type head struct {
	name string
	of   func(Capacity) string
}

// figure is a line of numbers, one per size.
type figure struct {
	name string
	of   func(Capacity) float64
}

// text formats the figure of a size, or a dash if it was not measured.
func (f figure) text(c Capacity) string {
	if n := f.of(c); n > 0 {
		return Number(n)
	}
	return "–"
}

// growthFigures are the lines of the table.
func growthFigures() []figure {
	return []figure{
		{"users", func(c Capacity) float64 { return float64(c.Users) }},
		{"follows", func(c Capacity) float64 { return float64(c.Follows) }},
		{"posts", func(c Capacity) float64 { return float64(c.Contents) }},
		{"import, seconds", func(c Capacity) float64 { return c.ImportSeconds }},
		{"import, records per second", func(c Capacity) float64 { return c.RecordsPerSecond }},
		{"database, MB", func(c Capacity) float64 { return float64(c.DatabaseBytes) / 1e6 }},
		{"inboxes in Redis", func(c Capacity) float64 { return float64(c.Inboxes) }},
		{"Redis, MB", func(c Capacity) float64 { return float64(c.RedisBytes) / 1e6 }},
		{"Redis, bytes per entry", func(c Capacity) float64 { return c.BytesPerEntry }},
		{"warm pages per second", func(c Capacity) float64 { return c.ReadsPerSecond }},
		{"warm page, p50, ms", func(c Capacity) float64 { return c.ReadP50Millis }},
		{"warm page, p99, ms", func(c Capacity) float64 { return c.ReadP99Millis }},
		{"page without an inbox, p50, ms", func(c Capacity) float64 { return c.BuildP50Millis }},
		{"followers of the star", func(c Capacity) float64 { return float64(c.Followers) }},
		{"fan-out, entries per second", func(c Capacity) float64 { return c.FanoutPerSecond }},
		{"from publish to last follower, seconds", func(c Capacity) float64 { return c.LastSeconds }},
		{"the same pushes with Redis alone, seconds", func(c Capacity) float64 { return c.AloneSeconds }},
		{"publish / pushes with Redis alone (goal: ≤ 1.2)", func(c Capacity) float64 { return c.LastSeconds / c.AloneSeconds }},
	}
}

// Table writes a readable table with a column per size.
func (g *Growth) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, f := range growthFigures() {
		cells := []string{f.name}
		for _, c := range g.Sizes {
			cells = append(cells, f.text(c))
		}
		if _, err := fmt.Fprintln(t, strings.Join(cells, "\t")+"\t"); err != nil {
			return err
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range g.Sizes {
		if _, err := fmt.Fprintf(w, "\n%d users: commit %s, %s, %s", c.Users, c.Commit, c.Date, c.Machine); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Charts returns charts of the growth by file name.
func (g *Growth) Charts() map[string]Chart {
	series := func(name string, of func(Capacity) float64) Series {
		s := Series{Name: name}
		for _, c := range g.Sizes {
			// Leave out figures that were not measured.
			if n := of(c); n > 0 {
				s.Users, s.Figures = append(s.Users, float64(c.Users)), append(s.Figures, n)
			}
		}
		return s
	}
	return map[string]Chart{
		"capacity-reads.svg": {Title: "Reading a page", Unit: "milliseconds", Series: []Series{
			series("warm, p50", func(c Capacity) float64 { return c.ReadP50Millis }),
			series("warm, p99", func(c Capacity) float64 { return c.ReadP99Millis }),
			series("without an inbox, p50", func(c Capacity) float64 { return c.BuildP50Millis }),
		}},
		"capacity-fanout.svg": {Title: "From publish to the last follower", Unit: "seconds", Series: []Series{
			series("Tideline", func(c Capacity) float64 { return c.LastSeconds }),
			series("Redis alone", func(c Capacity) float64 { return c.AloneSeconds }),
		}},
		"capacity-memory.svg": {Title: "Size of the data", Unit: "megabytes", Series: []Series{
			series("PostgreSQL", func(c Capacity) float64 { return float64(c.DatabaseBytes) / 1e6 }),
			series("Redis", func(c Capacity) float64 { return float64(c.RedisBytes) / 1e6 }),
		}},
		"capacity-rates.svg": {Title: "Rates", Unit: "per second", Series: []Series{
			series("records imported", func(c Capacity) float64 { return c.RecordsPerSecond }),
			series("warm pages read", func(c Capacity) float64 { return c.ReadsPerSecond }),
			series("inbox entries pushed", func(c Capacity) float64 { return c.FanoutPerSecond }),
		}},
	}
}
