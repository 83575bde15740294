package tideline

import "context"

// ReadPosition returns where the viewer has stopped reading the home feed on a device, whose name may
// be empty; nil if [Client.MarkRead] has stored nothing.
func (c *Client) ReadPosition(ctx context.Context, device string) (*Position, error) {
	got, err := ReadPosition(ctx, c, &device)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return got.Viewer.ReadPosition, nil
}

// MarkRead stores where the viewer has stopped reading the home feed on a device, whose name may be
// empty: the cursor of an entry, and the sync token of the page or change that the client holds. The
// newest call wins.
func (c *Client) MarkRead(ctx context.Context, device, cursor, syncToken string) (*Position, error) {
	got, err := MarkHomeRead(ctx, c, MarkHomeReadInput{Cursor: cursor, SyncToken: syncToken, Device: &device})
	if err != nil {
		return nil, err
	}
	return got.MarkHomeRead.ReadPosition, Refused(got.MarkHomeRead.UserErrors)
}
