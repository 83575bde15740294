package memstore

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
