package live

// IsNode marks a session as something the API finds by its global id.
func (*Session) IsNode() {}
