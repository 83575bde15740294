package bench

import "github.com/google/pprof/profile"

// Part is the CPU time that a page takes for one purpose, in microseconds.
type Part struct {
	What   string  `json:"what"`
	Micros float64 `json:"micros"`
}

// exactness is the purpose of feeds that neither lack nor repeat posts.
const exactness = "exactness"

// purposes are the parts of a page with prefixes of function names, for [kindOf]. The runtime and
// the kernel have no purpose of their own and count for their callers.
func purposes() []kind {
	return []kind{
		{"GraphQL", []string{"github.com/99designs/", "github.com/vektah/", module + "/resolvers", module + "/internal/edge/apierror", module + "/internal/edge/transport", module + "/graph.", module + "/graph/"}},
		// SQL is read for versions of viewers, and each second for counters.
		{exactness, []string{module + "/feed.", module + "/feed/timeline", module + "/feed/viewercache", module + "/feed/sqlstore", module + "/internal/kit/batch", "github.com/jackc/", "database/sql."}},
		{"visibility", []string{module + "/feed.Judge", module + "/feed.(*verdict)", module + "/feed/viewercache.(*state).Edges", module + "/feed/viewercache.edges"}},
		{"limits", []string{module + "/internal/edge/guard", module + "/internal/kit/fairshare"}},
		{"HTTP and stores", []string{"net/http.", "github.com/redis/", "github.com/golang-jwt/", "github.com/prometheus/", "log/slog.", module + "/feed/redisstore", module + "/feed/lrucache", module + "/feed/viewercache.(*state).Posts", module + "/internal/edge/gateway", module + "/internal/telemetry"}},
	}
}

// Parts divides the CPU time of a page in the server by a CPU profile. sql is the time of the page
// in PostgreSQL. It counts as exactness, because a feed from caches alone reads no SQL. Garbage
// collection in the background has no known purpose.
func Parts(p *profile.Profile, server, sql float64) []Part {
	var out []Part
	for _, s := range divide(p, purposes()) {
		part := Part{s.What, s.Percent / 100 * server}
		if s.What == exactness {
			part.Micros += sql
		}
		out = append(out, part)
	}
	return out
}
