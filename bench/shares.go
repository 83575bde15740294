package bench

import (
	"strings"

	"github.com/google/pprof/profile"
)

// kinds are what a server's processor time is spent on, and how the names of the functions
// begin that do it. A sample counts for the first function, from the innermost outwards,
// that is named here: copying bytes and looking into maps is the business of who does it.
// Of two beginnings of one name the longer counts.
func kinds() []kind {
	return []kind{
		{"the kernel: sending, receiving, waking threads", []string{"internal/runtime/syscall", "syscall.", "runtime.futex", "runtime.epoll", "runtime.write", "runtime.usleep", "runtime.osyield"}},
		{"allocating memory, and collecting it", []string{"runtime.mallocgc", "runtime.gc", "runtime.bgsweep", "runtime.bgscavenge", "runtime.scan", "runtime.mark", "runtime.sweep", "runtime.wb", "runtime.newobject", "runtime.growslice"}},
		{"Go's scheduler", []string{"runtime.schedule", "runtime.findRunnable", "runtime.mcall", "runtime.park_m", "runtime.goready", "runtime.ready", "runtime.sysmon", "runtime.mstart", "runtime.chan", "runtime.selectgo", "runtime.sema"}},
		{"PostgreSQL: statements and their rows", []string{"github.com/jackc/", "database/sql.", module + "/feed/sqlstore", module + "/internal/batch"}},
		{"Redis: commands and their answers", []string{"github.com/redis/", module + "/feed/redisstore"}},
		{"the caches", []string{module + "/feed/lrucache", "github.com/hashicorp/"}},
		{"the feed itself", []string{module + "/feed.", module + "/feed/"}},
		{"the live feed itself", []string{module + "/feed/live."}},
		{"writing the answer", []string{module + "/graph.", module + "/graph/"}},
		{"GraphQL around it", []string{"github.com/99designs/", "github.com/vektah/", module + "/resolvers"}},
		{"tokens, limits, log, metrics", []string{module + "/internal/gateway", module + "/internal/telemetry", module + "/resolvers/guard", "github.com/golang-jwt/", "github.com/prometheus/", "log/slog."}},
		{"HTTP", []string{"net/http.", "net/textproto.", module + "/resolvers/transport"}},
	}
}

// others is the name of what is of none of the kinds.
const others = "all else"

type kind struct {
	name     string
	prefixes []string
}

// Share is the part of a server's processor time that went to one kind of work.
type Share struct {
	What string `json:"what"`
	// Percent is of all samples.
	Percent float64 `json:"percent"`
}

// Shares tells what the samples of a processor profile were spent on, in the order in which
// documentation lists it. Kinds that nothing was spent on are among them, so that two
// profiles can be compared line by line.
func Shares(p *profile.Profile) []Share {
	list := kinds()
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

// kindOf returns the name of what a sample was spent on.
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

// named returns the kind with the longest beginning of a function's name.
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
