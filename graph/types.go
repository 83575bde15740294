package graph

import "github.com/tideline-feeds/tideline/feed"

// Node is what has a global id: a *feed.Post, a *feed.User or a *live.Session.
type Node interface{ IsNode() }

// Viewer is the signed-in user.
type Viewer struct {
	// ID is never zero: nobody has no Viewer.
	ID feed.UserID
}

// UserError is one reason why a mutation was refused.
type UserError struct {
	// Code is one of the refusals of package feed.
	Code feed.Code
	// Message is fit for people.
	Message string
	// Field is the path of the input field at fault, nil when no single field is.
	Field []string
}
