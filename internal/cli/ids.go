package cli

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// formatOf returns the format of records of a database.
func formatOf(store *sqlstore.Store) records.Format {
	if !store.TextIDs() {
		return records.Format{}
	}
	return records.Format{IDs: store}
}

// finderOf finds the numbers of ids; nil where ids are numbers.
func finderOf(store *sqlstore.Store) feed.IDFinder {
	if !store.TextIDs() {
		return nil
	}
	return store
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

// read reads the public ids of what a report names.
func read(ctx context.Context, store *sqlstore.Store, named feed.Named) (feed.PublicIDs, error) {
	return named.Read(ctx, finderOf(store))
}
