package feed

// IsNode marks posts as objects with a global id in the API.
func (*Post) IsNode() {}

// IsNode marks users as objects with a global id in the API.
func (*User) IsNode() {}
