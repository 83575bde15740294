package capacity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Human formats a number with three significant digits. From a thousand on it adds the suffix k, M,
// G or T.
func Human(f float64) string {
	units := []string{"", " k", " M", " G", " T"}
	for len(units) > 1 && f >= 999.5 {
		f /= 1000
		units = units[1:]
	}
	digits := 2
	switch {
	case f >= 99.95 || f == 0:
		digits = 0
	case f >= 9.995:
		digits = 1
	}
	return fmt.Sprintf("%.*f%s", digits, f, units[0])
}

// markdown formats rows as a table. The first row is the header.
func markdown(rows [][]string) string {
	var s strings.Builder
	for i, cells := range rows {
		s.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		if i == 0 {
			s.WriteString("|" + strings.Repeat(" --- |", len(cells)) + "\n")
		}
	}
	return s.String()
}

// Markdown returns the unit costs as a table.
func (c Coefficients) Markdown() string {
	rows := [][]string{{"what", "statements", "commands", "µs API", "µs worker", "µs Redis", "µs PostgreSQL"}}
	for _, line := range []struct {
		name string
		cost Cost
	}{
		{"a page, viewer state and posts cached", c.Again},
		{"a page, neither cached", c.First},
		{"a page without an inbox, and its build", c.Absent},
		{"a publish, without followers", c.Publish},
		{"every thousand inbox entries of a publish", c.Entry.Times(1000)},
		{"an idle second of an API process and a worker", c.Idle},
	} {
		l := line.cost
		rows = append(rows, []string{line.name, Human(l.Statements), Human(l.Commands), Human(l.API), Human(l.Worker), Human(l.Redis), Human(l.Postgres)})
	}
	memory := fmt.Sprintf("\nAfter its build, an inbox with *n* entries takes %.0f + %.1f *n* bytes of Redis. In use it takes %.2f times as much.\n",
		c.Inbox.Base, c.Inbox.PerEntry, c.Room)
	rowsOf := [][]string{{"table", "bytes per row, indexes included"}}
	for _, name := range tableNames() {
		rowsOf = append(rowsOf, []string{"`" + name + "`", fmt.Sprintf("%.0f", c.RowBytes[name])})
	}
	return markdown(rows) + memory + "\n" + markdown(rowsOf)
}

// tableNames returns the tables of the model, the largest first.
func tableNames() []string {
	return []string{
		"follows", "contents", "content_counters", "reactions", "users", "user_counters", "user_words",
		"events", "plans", "plan_slices",
	}
}

// Forecasts returns a table with one column per forecast.
func Forecasts(list []Forecast, replicas int) string {
	rows := [][]string{{"users"}}
	for _, f := range list {
		rows[0] = append(rows[0], Human(float64(f.Network.Users)))
	}
	for _, line := range slices.Concat(keptLines(replicas), happenLines(), serverLines()) {
		cells := []string{line.name}
		for _, f := range list {
			cells = append(cells, line.of(f))
		}
		rows = append(rows, cells)
	}
	return markdown(rows)
}

// forecastLine is a row of the forecast table.
type forecastLine struct {
	name string
	of   func(Forecast) string
}

// figure returns a row of formatted numbers, and count a row of integers.
func figure(name string, of func(Forecast) float64) forecastLine {
	return forecastLine{name, func(f Forecast) string { return Human(of(f)) }}
}

func count(name string, of func(Forecast) int) forecastLine {
	return forecastLine{name, func(f Forecast) string { return strconv.Itoa(of(f)) }}
}

// keptLines returns the rows on storage.
func keptLines(replicas int) []forecastLine {
	var out []forecastLine
	for _, name := range tableNames() {
		out = append(out, forecastLine{"`" + name + "`, rows; bytes", func(f Forecast) string {
			return Human(float64(f.Tables[name].Rows)) + "; " + Human(float64(f.Tables[name].Bytes)) + "B"
		}})
	}
	return append(out, []forecastLine{
		figure("SQL, total bytes", func(f Forecast) float64 { return f.SQLBytes }),
		figure("inboxes in Redis", func(f Forecast) float64 { return f.Inboxes }),
		figure("entries per inbox", func(f Forecast) float64 { return f.InboxEntries }),
		figure("Redis, bytes", func(f Forecast) float64 { return f.RedisBytes }),
		figure("Redis with replicas, bytes", func(f Forecast) float64 { return f.RedisBytes * float64(1+replicas) }),
	}...)
}

// happenLines returns the rows on rates and load.
func happenLines() []forecastLine {
	return []forecastLine{
		figure("pages per second, mean", func(f Forecast) float64 { return f.Reads }),
		figure("… at the peak", func(f Forecast) float64 { return f.Reads * f.Habits.Peak }),
		figure("publishes per second, mean", func(f Forecast) float64 { return f.Publishes }),
		figure("inbox entries per publish, mean", func(f Forecast) float64 { return f.Pushed.Entries }),
		figure("slices per publish, mean", func(f Forecast) float64 { return f.Pushed.Slices }),
		figure("inbox pushes per second, mean", func(f Forecast) float64 { return f.Pushes }),
		figure("… at the peak", func(f Forecast) float64 { return f.Pushes * f.Habits.Peak }),
		figure("follow edges to authors above the push threshold, share", func(f Forecast) float64 { return f.Pushed.Pulled }),
		figure("Redis commands per second, peak", func(f Forecast) float64 { return f.Second.Commands }),
		figure("SQL statements per second, peak", func(f Forecast) float64 { return f.Second.Statements }),
		figure("processors busy at the peak: API", func(f Forecast) float64 { return f.Second.API / perSecond }),
		figure("… workers", func(f Forecast) float64 { return f.Second.Worker / perSecond }),
		figure("… Redis", func(f Forecast) float64 { return f.Second.Redis / perSecond }),
		figure("… PostgreSQL", func(f Forecast) float64 { return f.Second.Postgres / perSecond }),
	}
}

// serverLines returns the rows on servers and on the most followed user.
func serverLines() []forecastLine {
	return []forecastLine{
		figure("need / one shard of Redis: memory", func(f Forecast) float64 { return f.RedisMemory }),
		figure("… processor", func(f Forecast) float64 { return f.RedisBusy }),
		figure("need / one PostgreSQL server: disk", func(f Forecast) float64 { return f.SQLDisk }),
		figure("… processors", func(f Forecast) float64 { return f.SQLBusy }),
		count("**processors to provide: API**", func(f Forecast) int { return f.APICores }),
		count("**… workers**", func(f Forecast) int { return f.WorkerCores }),
		count("**shards of Redis**", func(f Forecast) int { return f.RedisShards }),
		count("**PostgreSQL servers that write**", func(f Forecast) int { return f.SQLServers }),
		figure("followers of the most followed user", func(f Forecast) float64 { return f.Top }),
		figure("inboxes that get a post by this user", func(f Forecast) float64 { return f.TopEntries }),
		figure("seconds to plan these pushes", func(f Forecast) float64 { return f.TopPlanned }),
		figure("seconds from publish to the last of these inboxes", func(f Forecast) float64 { return f.TopSeconds }),
	}
}

// Comparisons returns a table of predicted and measured figures.
func Comparisons(list []Compared) string {
	rows := [][]string{{"what", "predicted", "measured", "error"}}
	for _, c := range list {
		rows = append(rows, []string{c.Name, Human(c.Predicted), Human(c.Measured), fmt.Sprintf("%+.0f %%", 100*c.Off())})
	}
	return markdown(rows)
}

// SimulationTable returns a table of results with one column per simulation.
func SimulationTable(names []string, list []SimulationResult) string {
	rows := [][]string{append([]string{"simulated"}, names...)}
	for _, line := range []struct {
		name string
		of   func(SimulationResult) float64
	}{
		{"publishes", func(p SimulationResult) float64 { return float64(p.Publishes) }},
		{"slices", func(p SimulationResult) float64 { return float64(p.Slices) }},
		{"inbox entries", func(p SimulationResult) float64 { return float64(p.Entries) }},
		{"slots busy, %", func(p SimulationResult) float64 { return 100 * p.Busy }},
		{"from publish to last inbox, median, ms", func(p SimulationResult) float64 { return 1000 * p.P50 }},
		{"… 99th percentile, ms", func(p SimulationResult) float64 { return 1000 * p.P99 }},
		{"… longest, ms", func(p SimulationResult) float64 { return 1000 * p.Longest }},
		{"above the push threshold: median, ms", func(p SimulationResult) float64 { return 1000 * p.BigP50 }},
		{"… 99th percentile, ms", func(p SimulationResult) float64 { return 1000 * p.BigP99 }},
		{"wait of a slice, 99th percentile, ms", func(p SimulationResult) float64 { return 1000 * p.Waited }},
		{"waiting slices, maximum", func(p SimulationResult) float64 { return float64(p.Queued) }},
	} {
		cells := []string{line.name}
		for _, p := range list {
			cells = append(cells, Human(line.of(p)))
		}
		rows = append(rows, cells)
	}
	return markdown(rows)
}
