package memstore

// Server is a server of inboxes in memory that a test can make lose what it has. Make
// one with [NewServer].
type Server struct {
	Pulses
	saved Copy
}

// NewServer returns the server that keeps the inboxes.
func NewServer(in *Inboxes) *Server { return &Server{Pulses: NewPulses(in)} }

// Save puts a copy of all that the server has aside.
func (s *Server) Save() { s.saved = s.inboxes.Save() }

// Restore starts the server from what was put aside last, or from nothing.
func (s *Server) Restore() { s.inboxes.Load(s.saved) }

// Wipe starts the server from nothing.
func (s *Server) Wipe() { s.inboxes.Load(Copy{}) }
