package redisstore

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/tideline-feeds/tideline/feed"
)

// evictionChannel ignores databases, as every channel does: sites in other databases of one Redis
// hear each other, which costs some reads and does no harm.
const evictionChannel = "tideline:evict"

// evictionVersion changes if older processes would misread newer messages.
const evictionVersion = 1

// maxIDs makes a message of 20 kB, far below what Redis buffers for a slow listener.
const maxIDs = 1000

type eviction struct {
	posts []feed.PostID
	users []feed.UserID
}

func (ev eviction) size() int { return len(ev.posts) + len(ev.users) }

func (ev eviction) parts(n int) iter.Seq[eviction] {
	return func(yield func(eviction) bool) {
		for ev.size() > 0 {
			posts := min(n, len(ev.posts))
			users := min(n-posts, len(ev.users))
			if !yield(eviction{posts: ev.posts[:posts], users: ev.users[:users]}) {
				return
			}
			ev.posts, ev.users = ev.posts[posts:], ev.users[users:]
		}
	}
}

// evictionMessage is the message, such as {"v":1,"from":"…","posts":[7,12]}. Ids are numbers,
// because only this package reads them.
type evictionMessage struct {
	V     int           `json:"v"`
	From  string        `json:"from"`
	Posts []feed.PostID `json:"posts,omitempty"`
	Users []feed.UserID `json:"users,omitempty"`
}

func (ev eviction) encode(from string) []byte {
	// Numbers and strings always marshal.
	b, _ := json.Marshal(evictionMessage{V: evictionVersion, From: from, Posts: ev.posts, Users: ev.users})
	return b
}

// decodeEviction returns an error for an unknown version.
func decodeEviction(text string) (ev eviction, from string, err error) {
	// The version first, because the rest may differ in another one.
	var versioned struct{ V int }
	if err := json.Unmarshal([]byte(text), &versioned); err != nil {
		return eviction{}, "", fmt.Errorf("an eviction cannot be read: %w", err)
	}
	if versioned.V != evictionVersion {
		return eviction{}, "", fmt.Errorf("an eviction is of version %d, not %d", versioned.V, evictionVersion)
	}
	var m evictionMessage
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return eviction{}, "", fmt.Errorf("an eviction cannot be read: %w", err)
	}
	return eviction{posts: m.Posts, users: m.Users}, m.From, nil
}
