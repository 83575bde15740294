package memstore

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

// Pulses implements [feed.Pulses] for [Inboxes], as the pulse of one server.
type Pulses struct{ inboxes *Inboxes }

var _ feed.Pulses = Pulses{}

// NewPulses returns the pulses of the inboxes.
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

// Copy is a copy of all data of [Inboxes], like the files of a saved server.
type Copy struct {
	viewers      map[feed.UserID]*inbox
	viewerStates map[feed.UserID][]byte
	number       int64
}

// Save returns a copy of the data.
func (s *Inboxes) Save() Copy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Copy{viewers: clonedInboxes(s.viewers), viewerStates: maps.Clone(s.viewerStates), number: s.number}
}

// Load simulates a restart of the server with the data of a copy. The zero Copy is empty.
func (s *Inboxes) Load(c Copy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.viewers, s.number = clonedInboxes(c.viewers), c.number
	s.viewerStates = map[feed.UserID][]byte{}
	maps.Copy(s.viewerStates, c.viewerStates)
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

// Server simulates a server of inboxes that can lose data. Use [NewServer].
type Server struct {
	Pulses
	saved Copy
}

// NewServer returns the server of the inboxes.
func NewServer(in *Inboxes) *Server { return &Server{Pulses: NewPulses(in)} }

// Save copies all data of the server.
func (s *Server) Save() { s.saved = s.inboxes.Save() }

// Restore restarts the server with the last copy, or without data.
func (s *Server) Restore() { s.inboxes.Load(s.saved) }

// Wipe restarts the server without data.
func (s *Server) Wipe() { s.inboxes.Load(Copy{}) }
