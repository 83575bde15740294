package feedtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// handle draws one of few handles, in two forms that are the same. They move between users.
func (m *source) handle() string { return []string{"h", "H"}[m.random.IntN(2)] + m.word() }

// word draws a word that only this history has.
func (m *source) word() string { return fmt.Sprintf("w%dx%d", m.number, m.random.IntN(3)) }

// compareLookups compares the results of look-ups by handle and of searches with the source's tables.
func (m *source) compareLookups() {
	for n := range 3 {
		word := fmt.Sprintf("w%dx%d", m.number, n)
		var owner *feed.User
		var found []feed.UserID
		for _, id := range m.users() {
			row, ok := m.rows[feed.Object{Type: feed.RecordUser, A: int64(id)}]
			if !ok || isGone(row) {
				continue
			}
			u := &row.User.User
			if u.Name == word {
				found = append(found, id)
			}
			if strings.EqualFold(u.Handle, "h"+word) && (owner == nil || u.CreatedAt < owner.CreatedAt) {
				owner = u // the first of equal times has the smallest id
			}
		}
		got := must(m.Users.UserByHandle(m.ctx, "h"+word))
		if got != nil {
			got.Flag = feed.FlagNone // no field of a record
		}
		m.same("the user with the handle h"+word, got, owner)
		keys := must(m.Profiles.SearchUsers(m.ctx, feed.SearchWords("", word), all()))
		m.same("the users named "+word, slices.Sorted(slices.Values(each(keys, func(k feed.Key) feed.UserID { return feed.UserID(k.ID) }))), found)
	}
}
