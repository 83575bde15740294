package feed

// IsNode marks a content as something the API finds by its global id.
func (*Post) IsNode() {}

// IsNode marks a user as something the API finds by its global id.
func (*User) IsNode() {}
