package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// ingestResetVersionCommand lets a source send an object again whose version is wrong.
type ingestResetVersionCommand struct {
	app.DatabaseSettings
	Type string   `arg:"" help:"Type of the records: user, post, live, follow, mute, hide, block, like, favorite, list, list_member or counters."`
	IDs  []string `arg:"" name:"id" help:"Ids of the object, in the order of the record's fields, such as follower and followee; of counters, user or post, and the id."`
}

func (c *ingestResetVersionCommand) Run(ctx context.Context, o output) error {
	key, err := keyOf(c.Type, c.IDs)
	if err != nil {
		return err
	}
	if err := checkDatabase(c.DatabaseSettings, "ingest reset-version"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		object, err := storedObject(ctx, store, key)
		if err != nil {
			return err
		}
		was, found, err := store.ResetVersion(ctx, object)
		if err == nil && !found {
			err = fmt.Errorf("no version of %s %s is stored", c.Type, strings.Join(c.IDs, " "))
		}
		if err == nil {
			_, err = fmt.Fprintf(o.out, "forgot version %d (epoch %d) of %s %s; send its record again, with any version\n", was.Number, was.Epoch, c.Type, strings.Join(c.IDs, " "))
		}
		return err
	})
}

// keyOf returns a record that has only a key, as of an object that is gone.
func keyOf(typ string, ids []string) (records.Made, error) {
	shape, known := records.ShapeOf(typ)
	names := shape.Keys
	switch {
	case !known || typ == string(feed.RecordSeen):
		return records.Made{}, app.BadSetting("%q is not a type with versions", typ)
	case typ == string(feed.RecordCounters) && len(ids) == 2:
		names, ids = ids[:1], ids[1:]
	}
	if len(names) != len(ids) || len(ids) == 0 {
		return records.Made{}, app.BadSetting("a record of type %s is identified by its %s", typ, strings.Join(shape.Keys, " and its "))
	}
	made := records.Made{Type: typ, Members: []records.Member{{Name: "deletedAt", Text: "2000-01-01T00:00:00Z"}}}
	for i, name := range names {
		made.Members = append(made.Members, records.Member{Name: name, Text: ids[i]})
	}
	return made, nil
}

// storedObject returns the object of a record. It draws no numbers for ids that are not known.
func storedObject(ctx context.Context, store *sqlstore.Store, key records.Made) (feed.Object, error) {
	line := formatOf(store).Make(key)
	if line.Bad != "" {
		return feed.Object{}, app.BadSetting("%s", line.Bad)
	}
	for _, id := range line.Record.IDs {
		numbers, err := store.FindIDs(ctx, id.Kind, []feed.ExternalID{id.ID})
		if err != nil {
			return feed.Object{}, err
		}
		*id.At = numbers[0]
	}
	return line.Record.Object(), nil
}
