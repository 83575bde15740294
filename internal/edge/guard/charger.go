package guard

import (
	"context"
	"time"
)

// Charger charges requests that are no operations to the budgets of operations. It is safe for
// concurrent use.
type Charger struct{ meter meter }

// NewCharger returns a charger with the rates and budgets of options.
func NewCharger(o Options) *Charger { return &Charger{newMeter(o)} }

// Charge takes cost from the budgets of a request. If one does not suffice, it returns how long it
// takes until it does, and takes nothing from that one and those after it.
func (c *Charger) Charge(ctx context.Context, cost int) (wait time.Duration) {
	for i := range c.meter.rates {
		rate := &c.meter.rates[i]
		key := rate.Key(ctx)
		if key == "" {
			continue
		}
		if _, wait := c.meter.spend(ctx, rate, key, cost); wait > 0 {
			c.meter.hit(rate.Name)
			return wait
		}
	}
	return 0
}
