package delta

import (
	"cmp"
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Positions keeps where viewers have stopped reading their home feeds. Its fields are set before the
// first use.
type Positions struct {
	Store   feed.ReadPositions
	Changes *Reader
}

// devicesMax is more devices than people read on.
const devicesMax = 20

// Mark stores where viewer has stopped reading on a device, and returns it with the time. Errors are
// those of [feed.ReadPositions], [feed.CodeBadCursor] for a cursor or a token that is not of viewer's
// home feed without filter, and refusals of the name of the device.
func (p *Positions) Mark(ctx context.Context, viewer feed.UserID, device string, read feed.ReadPosition) (*feed.ReadPosition, error) {
	_, badCursor := feed.ParseCursor(read.Cursor, feed.FeedHome)
	_, badToken := feed.ParseSyncToken(read.SyncToken, viewer, feed.HomeAuthors, feed.Filter{})
	if err := cmp.Or(p.Changes.Policy.Device(device), badCursor, badToken); err != nil {
		return nil, err
	}
	at, err := p.Store.MarkRead(ctx, viewer, device, read, devicesMax)
	if err != nil {
		return nil, err
	}
	read.At = at
	return &read, nil
}

// Of returns the position of a device; nil if there is none.
func (p *Positions) Of(ctx context.Context, viewer feed.UserID, device string) (*feed.ReadPosition, error) {
	if err := p.Changes.Policy.Device(device); err != nil {
		return nil, err
	}
	return p.Store.ReadPosition(ctx, viewer, device)
}

// Unread returns how many posts by others were added since a position of viewer, up to
// Policy.CountMax. known is false if the changes since are a reset.
func (p *Positions) Unread(ctx context.Context, viewer feed.UserID, read *feed.ReadPosition) (n int, known bool, err error) {
	return p.Changes.NewCount(ctx, viewer, feed.HomeChangeQuery{Since: read.SyncToken}, viewer)
}
