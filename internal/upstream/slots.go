package upstream

import (
	"bytes"
	"context"
	"encoding/json"

	"connectrpc.com/connect"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
)

const (
	// slotsRead is how many slots of a response are read: twice as many as a page may show.
	slotsRead = 2 * slots.Max
	// slotContentMax is in bytes, without white space.
	slotContentMax = 4 << 10
	// slotsBytes limits a response. The slots of a page, with every character escaped, take 240 KiB.
	slotsBytes = 256 << 10
)

// SlotPlacer places slots by a call of a SlotService for each page. It is safe for concurrent use.
type SlotPlacer struct {
	calls  *caller
	client tidelinev1connect.SlotServiceClient
}

// Slots returns a placer that calls the SlotService at a URL.
func (c *Client) Slots(url string, o CallOptions) *SlotPlacer {
	options := append(c.options[:len(c.options):len(c.options)], connect.WithReadMaxBytes(slotsBytes))
	return &SlotPlacer{newCaller(o), tidelinev1connect.NewSlotServiceClient(c.http, url, options...)}
}

// Place returns the slots of a page, or the problem. If only some slots break a rule, it returns the others,
// and [feed.UpstreamInvalid].
func (p *SlotPlacer) Place(ctx context.Context, page slots.Page) feed.Fetched[[]slots.Slot] {
	var response *tidelinev1.PlaceResponse
	err := p.calls.do(ctx, 1, func(ctx context.Context) error {
		return recovered(func() (err error) {
			response, err = unary(ctx, p.client.Place, placeRequest(page))
			return err
		})
	})
	if err != nil {
		p.calls.Trace.fetched(p.calls.Name, Counts{Missing: 1})
		return feed.Fetched[[]slots.Slot]{Problem: problemOf(err)}
	}
	p.calls.Trace.fetched(p.calls.Name, Counts{Read: 1})
	return judgeSlots(response.GetSlots(), page)
}

func placeRequest(page slots.Page) *tidelinev1.PlaceRequest {
	request := &tidelinev1.PlaceRequest{
		ViewerId: string(page.Viewer), Feed: page.Feed, Gap: int32(page.Gap), Entries: make([]*tidelinev1.PageEntry, len(page.Entries)),
	}
	for i, e := range page.Entries {
		request.Entries[i] = &tidelinev1.PageEntry{Id: string(e.ID), AuthorId: string(e.Author), Kind: string(e.Kind)}
	}
	return request
}

// judgeSlots returns the slots that the page may show.
func judgeSlots(found []*tidelinev1.Slot, page slots.Page) (f feed.Fetched[[]slots.Slot]) {
	var fit []slots.Slot
	for _, s := range found[:min(len(found), slotsRead)] {
		if slot, ok := slotOf(s); ok {
			fit = append(fit, slot)
		}
	}
	f.Value = slots.Spaced(fit, len(page.Entries), page.Gap)
	if len(f.Value) < len(found) {
		f.Problem = feed.UpstreamInvalid
	}
	return f
}

// slotOf returns a slot; false if it breaks a rule by itself.
func slotOf(s *tidelinev1.Slot) (slots.Slot, bool) {
	var content bytes.Buffer
	isObject := json.Compact(&content, []byte(s.GetContent())) == nil && content.Bytes()[0] == '{'
	ok := !isMalformed(s) && isObject && content.Len() <= slotContentMax &&
		feed.ExternalID(s.GetId()).Check() == nil && feed.ClientRules().Name(s.GetSource()) == nil
	return slots.Slot{ID: s.GetId(), After: int(s.GetAfter()), Source: s.GetSource(), Content: feed.CustomFields(content.String())}, ok
}
