package lrucache

import (
	"reflect"

	"github.com/tideline-feeds/tideline/feed"
)

// entryCost is what an entry takes besides its value: an element of the list, some
// 110 bytes with key, lifetime and cost, and about 70 of the maps, which are never
// quite full.
const entryCost = 180

// stringCost is what Go takes for each string in a slice besides its text.
const stringCost = 16

// postCost estimates what a content takes in memory, in bytes.
func postCost(p *feed.Post) int64 {
	n := entryCost + int64(reflect.TypeFor[feed.Post]().Size()) + int64(len(p.Text))
	for _, m := range p.Media {
		n += stringCost + int64(len(m))
	}
	return n
}

// userCost estimates what a profile takes in memory, in bytes.
func userCost(u *feed.User) int64 {
	return entryCost + int64(reflect.TypeFor[feed.User]().Size()) +
		int64(len(u.Handle)+len(u.Name)+len(u.AvatarURL))
}
