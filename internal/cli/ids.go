package cli

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/records"
)

// formatOf returns the format of records of a database.
func formatOf(store *sqlstore.Store) records.Format {
	if !store.TextIDs() {
		return records.Format{}
	}
	return records.Format{IDs: store}
}

// findID returns the number of an id of a what in a flag; 0 if the text is empty.
func findID(ctx context.Context, store *sqlstore.Store, kind feed.IDKind, flag, what, text string) (int64, error) {
	switch {
	case text == "":
		return 0, nil
	case !store.TextIDs():
		id, err := feed.ParsePostID(text)
		if err != nil {
			return 0, app.BadSetting("%s: %.40q is not a %s id; ids are whole numbers from 1", flag, text, what)
		}
		return int64(id), nil
	}
	found, err := store.FindIDs(ctx, kind, []feed.ExternalID{feed.ExternalID(text)})
	if err == nil && found[0] == 0 {
		err = app.BadSetting("%s: no %s has the id %.40q", flag, what, text)
	}
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// publicIDs returns ids as users know them.
type publicIDs struct{ users, posts, sessions map[int64]feed.ExternalID }

func (p publicIDs) user(id feed.UserID) string { return public(p.users, int64(id)) }

func (p publicIDs) post(id feed.PostID) string { return public(p.posts, int64(id)) }

func (p publicIDs) session(id int64) string { return public(p.sessions, id) }

func public(ids map[int64]feed.ExternalID, number int64) string {
	return string(feed.PublicID{Number: number, External: ids[number]}.Text())
}

// readPublicIDs reads the external ids of numbers; none where ids are numbers.
func readPublicIDs(ctx context.Context, store *sqlstore.Store, users, posts, sessions []int64) (p publicIDs, err error) {
	if !store.TextIDs() {
		return p, nil
	}
	read := func(kind feed.IDKind, numbers []int64) map[int64]feed.ExternalID {
		if err != nil {
			return nil
		}
		var ids []feed.ExternalID
		ids, err = store.ExternalIDs(ctx, kind, numbers)
		of := map[int64]feed.ExternalID{}
		for i, id := range ids {
			of[numbers[i]] = id
		}
		return of
	}
	p = publicIDs{read(feed.UserIDs, users), read(feed.PostIDs, posts), read(feed.LiveIDs, sessions)}
	return p, err
}
