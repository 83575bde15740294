package live

// IsNode marks sessions as objects with a global id in the API.
func (*Session) IsNode() {}
