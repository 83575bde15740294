package http1

import "time"

// SetWriteWithin has a test wait for less.
func (s *Server) SetWriteWithin(within time.Duration) { s.writeWithin = within }

// SetArmedFor has a test set deadlines more often.
func (s *Server) SetArmedFor(long time.Duration) { s.armedFor = long }

// Left returns what is closed when no connection is served here.
func (s *Server) Left() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		s.left = make(chan struct{})
	}
	return s.left
}
