package guard

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

// Rate is what one kind of asker may spend: a bucket for each that holds Quota units of
// cost and fills up again within Window, evenly.
type Rate struct {
	// Name is what the headers call it: lower-case letters and hyphens.
	Name   string
	Quota  int
	Window time.Duration
	// Key says whose bucket it is, by the context of the request; empty for a request that
	// this rate does not concern.
	Key func(context.Context) string
}

// Budgets keeps how full buckets are. Its implementations may be called concurrently.
type Budgets interface {
	// Spend takes cost out of the bucket with the key, which holds quota when full, as it
	// is when it is new, and fills up within window. cost is at most quota. It returns what
	// is left. When less than cost is left it takes nothing, and returns in how long there
	// will be enough.
	Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (left int, wait time.Duration, err error)
}

// meter charges operations to budgets.
type meter struct {
	rates []Rate
	// names are those of the rates as headers have them, and policies say of each rate what the
	// header RateLimit-Policy does.
	names, policies []string
	shared          Budgets
	own             *Local
	hit             func(limit string)
	log             *slog.Logger
}

// newMeter makes the meter of a guard with these options, defaults filled in.
func newMeter(o Options) meter {
	var names, policies []string
	for _, rate := range o.Rates {
		names = append(names, strconv.Quote(rate.Name))
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", rate.Name, rate.Quota, seconds(rate.Window)))
	}
	return meter{rates: o.Rates, names: names, policies: policies, shared: o.Budgets, own: NewLocal(o.Now), hit: o.Hit, log: o.Log}
}

// charge takes cost out of the budgets of whoever asks, and says in the header what is
// left of them. It returns what is left of the first, -1 when none applies, or the
// refusal when one does not suffice.
func (m *meter) charge(ctx context.Context, header http.Header, cost int) (left int, overspent *gqlerror.Error) {
	left = -1
	var policies, states string
	for i := range m.rates {
		rate := &m.rates[i]
		key := rate.Key(ctx)
		if key == "" {
			continue
		}
		rest, wait := m.spend(ctx, rate, key, cost)
		if left < 0 {
			left = rest
		}
		policies = joined(policies, m.policies[i])
		states = joined(states, rate.state(m.names[i], rest))
		if wait > 0 {
			header.Set("Retry-After", strconv.Itoa(seconds(wait)))
			overspent = overspending(rate, cost, rest, wait)
			m.hit(rate.Name)
			break
		}
	}
	if states != "" {
		header["Ratelimit-Policy"] = []string{policies}
		header["Ratelimit"] = []string{states}
	}
	return left, overspent
}

// joined returns a list with one more element.
func joined(list, element string) string {
	if list == "" {
		return element
	}
	return list + ", " + element
}

// state returns what the header RateLimit says of a bucket in which left is left.
func (r *Rate) state(name string, left int) string {
	return name + ";r=" + strconv.Itoa(left) + ";t=" + strconv.Itoa(seconds(r.refill(left)))
}

// spend asks the shared budgets, and the process's own when those do not answer: a
// client may spend as much again with each process then, but not without end.
func (m *meter) spend(ctx context.Context, rate *Rate, key string, cost int) (left int, wait time.Duration) {
	key = rate.Name + ":" + key
	// An operation that is allowed can be paid for, if only by a full bucket.
	cost = min(cost, rate.Quota)
	if m.shared != nil {
		left, wait, err := m.shared.Spend(ctx, key, cost, rate.Quota, rate.Window)
		if err == nil {
			return left, wait
		}
		m.log.DebugContext(ctx, "budgets are counted by this process alone", "error", err)
	}
	return m.own.spend(key, cost, rate.Quota, rate.Window)
}

// refill returns how long a bucket takes to be full again when left is left in it.
func (r *Rate) refill(left int) time.Duration {
	return time.Duration(float64(r.Window) * float64(r.Quota-left) / float64(r.Quota))
}

// seconds rounds up: who comes back after that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func overspending(rate *Rate, cost, left int, wait time.Duration) *gqlerror.Error {
	refused := apierror.New(apierror.RateLimited, fmt.Sprintf("the operation costs %d and %d is left of the budget called %s; try again in %d s",
		cost, left, rate.Name, seconds(wait)))
	refused.Extensions["retryAfter"] = seconds(wait)
	return refused
}
