package sqlstore

// NumberFrom sets the number of changes from which a batch numbers them itself.
func NumberFrom(n int) Option { return func(s *Store) { s.numberFrom = n } }
