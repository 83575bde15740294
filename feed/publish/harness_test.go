package publish_test

import "github.com/tideline-feeds/tideline/feed/feedtest/fixture"

// The users of the tests.
const (
	ann       = fixture.Ann
	bob       = fixture.Bob
	cem       = fixture.Cem
	star      = fixture.Star
	moon      = fixture.Moon
	anonymous = fixture.Anonymous
)
