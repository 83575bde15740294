package memstore

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// Pulses is [feed.Pulses] of inboxes in memory: one server, which a test can make lose
// what it has.
type Pulses struct{ inboxes *Inboxes }

var _ feed.Pulses = Pulses{}

// NewPulses returns the pulse of the inboxes.
func NewPulses(in *Inboxes) Pulses { return Pulses{in} }

// Read implements [feed.Pulses].
func (p Pulses) Read(ctx context.Context) ([]feed.Pulse, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.inboxes.mu.Lock()
	defer p.inboxes.mu.Unlock()
	return []feed.Pulse{{Server: "memory", Number: p.inboxes.number, Run: strconv.Itoa(p.inboxes.run)}}, nil
}

// Raise implements [feed.Pulses].
func (p Pulses) Raise(ctx context.Context, was feed.Pulse, next int64) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	p.inboxes.mu.Lock()
	defer p.inboxes.mu.Unlock()
	if p.inboxes.number != was.Number {
		return false, nil
	}
	p.inboxes.number = next
	return true, nil
}

// Copy is what inboxes were at a moment, like the files of a server that were put
// aside.
type Copy struct {
	viewers map[feed.UserID]*inbox
	notes   map[feed.UserID][]byte
	number  int64
}

// Save returns a copy of what is there.
func (s *Inboxes) Save() Copy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Copy{viewers: clonedInboxes(s.viewers), notes: maps.Clone(s.notes), number: s.number}
}

// Load is a start from a copy; from the zero Copy it is one from nothing.
func (s *Inboxes) Load(c Copy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewers, s.number = clonedInboxes(c.viewers), c.number
	s.notes = map[feed.UserID][]byte{}
	maps.Copy(s.notes, c.notes)
	s.run++
}

func clonedInboxes(all map[feed.UserID]*inbox) map[feed.UserID]*inbox {
	clones := map[feed.UserID]*inbox{}
	for viewer, old := range all {
		in := *old
		in.entries = slices.Clone(in.entries)
		clones[viewer] = &in
	}
	return clones
}
