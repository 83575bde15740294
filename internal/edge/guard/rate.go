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

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// Rate is a limit: each key has a bucket of Quota units, which refills evenly within Window.
type Rate struct {
	// Name is the name in headers: lower-case letters and hyphens.
	Name   string
	Quota  int
	Window time.Duration
	// Key returns the key of a request, by its context; empty if this limit does not apply.
	Key func(context.Context) string
}

// Budgets stores the buckets. It is safe for concurrent use.
type Budgets interface {
	// Spend takes cost from the bucket of a key and returns what is left. A bucket holds quota, is
	// full at first, and refills within window. cost is at most quota. If the bucket holds less
	// than cost, Spend takes nothing, and returns how long it takes until it holds enough.
	Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (left int, wait time.Duration, err error)
}

type meter struct {
	rates []Rate
	// names are the quoted names of the rates, and policies their elements of RateLimit-Policy.
	names, policies []string
	shared          Budgets
	own             *MemoryBudgets
	hit             func(limit string)
	log             *slog.Logger
}

func newMeter(o Options) meter {
	var names, policies []string
	for _, rate := range o.Rates {
		names = append(names, strconv.Quote(rate.Name))
		policies = append(policies, fmt.Sprintf("%q;q=%d;w=%d", rate.Name, rate.Quota, seconds(rate.Window)))
	}
	return meter{rates: o.Rates, names: names, policies: policies, shared: o.Budgets, own: NewMemoryBudgets(o.Now), hit: o.Hit, log: o.Log}
}

// charge takes cost from all budgets of a request, and sets the headers RateLimit and
// RateLimit-Policy. It returns the rest of the first budget, -1 if there is none, and an error if a
// budget does not suffice.
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
		policies = appendItem(policies, m.policies[i])
		states = appendItem(states, rate.state(m.names[i], rest))
		if wait > 0 {
			header.Set("Retry-After", strconv.Itoa(seconds(wait)))
			overspent = rateLimited(rate, cost, rest, wait)
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

func appendItem(list, element string) string {
	if list == "" {
		return element
	}
	return list + ", " + element
}

func (r *Rate) state(name string, left int) string {
	return name + ";r=" + strconv.Itoa(left) + ";t=" + strconv.Itoa(seconds(r.refill(left)))
}

// spend asks the shared budgets, or those of the process if they fail: then a client may spend its
// quota once with each process.
func (m *meter) spend(ctx context.Context, rate *Rate, key string, cost int) (left int, wait time.Duration) {
	key = rate.Name + ":" + key
	// A full bucket pays for every permitted operation.
	cost = min(cost, rate.Quota)
	if m.shared != nil {
		left, wait, err := m.shared.Spend(ctx, key, cost, rate.Quota, rate.Window)
		if err == nil {
			return left, wait
		}
		m.log.DebugContext(ctx, "shared budgets unavailable; the process counts alone", "error", err)
	}
	return m.own.spend(key, cost, rate.Quota, rate.Window)
}

func (r *Rate) refill(left int) time.Duration {
	return time.Duration(float64(r.Window) * float64(r.Quota-left) / float64(r.Quota))
}

// seconds rounds up, so that a client that waits as long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

func rateLimited(rate *Rate, cost, left int, wait time.Duration) *gqlerror.Error {
	refused := apierror.New(apierror.RateLimited, fmt.Sprintf("the operation costs %d, but %d is left of the budget %s; try again in %d s",
		cost, left, rate.Name, seconds(wait)))
	refused.Extensions["retryAfter"] = seconds(wait)
	return refused
}
