package feed

import (
	"context"
	"time"
)

// Cleaner drops rows that nobody asks for any more.
type Cleaner interface {
	// Cleanup drops at most limit plans, with their slices and events, that were
	// stored before plansBefore and are done, and at most limit idempotency keys that
	// were used before keysBefore. It returns whether there may be more of either.
	// Many calls at once do everything once.
	Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (more bool, err error)
}

// Leaders lets one of many processes do what all of them would otherwise do at the
// same time.
type Leaders interface {
	// Lead makes holder, or leaves him, the leader in name until d from now on the
	// store's clock, and says so; it returns false while somebody else is. Who leads
	// and does not call again in time has lost it: leading spares double work, and
	// nothing may depend on there being one leader only.
	Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error)
}
