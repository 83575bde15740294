package model

import "github.com/tideline-feeds/tideline/feed"

// Node is an object with a global id: a *feed.Post, a *feed.User or a *live.Session.
type Node interface{ IsNode() }

// Viewer is the signed-in user.
type Viewer struct {
	// ID is never zero: an anonymous viewer has no Viewer.
	ID feed.UserID
}

// Role is what a token allows besides what every user may do. Each role includes the ones before it.
type Role int

// The roles; 0 is none.
const (
	RoleModerator Role = 1
	RoleAdmin     Role = 2
)

// Service is this service as a subgraph of a federation.
type Service struct {
	// SDL is the schema of the subgraph.
	SDL string
}

// UserError is one reason why a mutation was refused.
type UserError struct {
	// Code is one of the refusals of package feed.
	Code feed.Code
	// Message is for people.
	Message string
	// Field is the path of the input field at fault; nil if it is no single field.
	Field []string
}
