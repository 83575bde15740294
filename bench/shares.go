package bench

import (
	"strings"

	"github.com/google/pprof/profile"
)

// kinds are the categories of CPU time, with prefixes of function names. A sample belongs to the
// innermost function with a matching prefix; the longest prefix wins. Copying and map access have
// no category and count for their callers.
func kinds() []kind {
	return []kind{
		{"kernel: sending, receiving, waking threads", []string{"internal/runtime/syscall", "syscall.", "runtime.futex", "runtime.epoll", "runtime.write", "runtime.usleep", "runtime.osyield"}},
		{"memory allocation and garbage collection", []string{"runtime.mallocgc", "runtime.gc", "runtime.bgsweep", "runtime.bgscavenge", "runtime.scan", "runtime.mark", "runtime.sweep", "runtime.wb", "runtime.newobject", "runtime.growslice"}},
		{"Go scheduler", []string{"runtime.schedule", "runtime.findRunnable", "runtime.mcall", "runtime.park_m", "runtime.goready", "runtime.ready", "runtime.sysmon", "runtime.mstart", "runtime.chan", "runtime.selectgo", "runtime.sema"}},
		{"PostgreSQL: statements and rows", []string{"github.com/jackc/", "database/sql.", module + "/feed/sqlstore", module + "/internal/kit/batch"}},
		{"Redis: commands and replies", []string{"github.com/redis/", module + "/feed/redisstore"}},
		{"caches", []string{module + "/feed/lrucache", "github.com/hashicorp/"}},
		{"feed", []string{module + "/feed.", module + "/feed/"}},
		{"live feed", []string{module + "/feed/live."}},
		{"encoding of the response", []string{module + "/graph.", module + "/graph/"}},
		{"rest of GraphQL", []string{"github.com/99designs/", "github.com/vektah/", module + "/resolvers", module + "/internal/edge/apierror"}},
		{"tokens, limits, log, metrics", []string{module + "/internal/edge/gateway", module + "/internal/telemetry", module + "/internal/edge/guard", "github.com/golang-jwt/", "github.com/prometheus/", "log/slog."}},
		{"HTTP", []string{"net/http.", "net/textproto.", module + "/internal/edge/transport"}},
	}
}

// others is the category of all remaining samples.
const others = "other"

type kind struct {
	name     string
	prefixes []string
}

// Share is the part of a server's processor time that went to one kind of work.
type Share struct {
	What string `json:"what"`
	// Percent is relative to all samples.
	Percent float64 `json:"percent"`
}

// Shares divides the samples of a CPU profile into categories, in the order of the documentation.
// It includes empty categories, so that two profiles can be compared line by line.
func Shares(p *profile.Profile) []Share { return divide(p, kinds()) }

// divide divides the samples of a CPU profile into the given categories and all others.
func divide(p *profile.Profile, list []kind) []Share {
	spent := map[string]int64{}
	var all int64
	value := len(p.SampleType) - 1
	for _, s := range p.Sample {
		spent[kindOf(s, list)] += s.Value[value]
		all += s.Value[value]
	}
	out := make([]Share, 0, len(list)+1)
	for _, k := range append(list, kind{name: others}) {
		out = append(out, Share{k.name, 100 * float64(spent[k.name]) / float64(max(all, 1))})
	}
	return out
}

// kindOf returns the category of a sample.
func kindOf(s *profile.Sample, list []kind) string {
	for _, location := range s.Location {
		for _, line := range location.Line {
			if line.Function == nil {
				continue
			}
			if name, ok := named(line.Function.Name, list); ok {
				return name
			}
		}
	}
	return others
}

// named returns the category with the longest matching prefix.
func named(function string, list []kind) (name string, ok bool) {
	longest := 0
	for _, k := range list {
		for _, prefix := range k.prefixes {
			if len(prefix) > longest && strings.HasPrefix(function, prefix) {
				name, longest = k.name, len(prefix)
			}
		}
	}
	return name, longest > 0
}
