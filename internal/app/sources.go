package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// SourceSettings say what belongs to the systems that send change records.
type SourceSettings struct {
	SourceOwns    string `env:"TIDELINE_SOURCE_OWNS" placeholder:"TYPES" help:"Types of records that sources own, separated by commas: user, follow, post, like, favorite, mute, hide, block, live; or none. The database keeps the value, which is also the default."`
	SourceOwnsWas string `env:"TIDELINE_SOURCE_OWNS_WAS" placeholder:"TYPES" help:"The types that the database has, to change them to those of --source-owns."`
}

// noTypes is the list without types. An empty text is an absent setting.
const noTypes = "none"

// parseTypes returns nil for an absent setting.
func parseTypes(flag, list string) (feed.RecordTypes, error) {
	switch strings.TrimSpace(list) {
	case "":
		return nil, nil
	case noTypes:
		return feed.RecordTypes{}, nil
	}
	types, err := feed.ParseOwnedTypes(list)
	if err != nil {
		return nil, BadSetting("%s: %s", flag, feed.Reason(err))
	}
	return types, nil
}

func (s SourceSettings) parse() (o sqlstore.Owners, err error) {
	if o.Want, err = parseTypes("--source-owns", s.SourceOwns); err == nil {
		o.Was, err = parseTypes("--source-owns-was", s.SourceOwnsWas)
	}
	return o, err
}

// Check returns an error that names the first invalid setting.
func (s SourceSettings) Check() error {
	_, err := s.parse()
	return err
}

// UseOwners returns the types that sources own in the database. It stores them at the first start,
// and refuses other types than the stored ones with a [SettingError].
func (s SourceSettings) UseOwners(ctx context.Context, store *sqlstore.Store, log *slog.Logger) (feed.RecordTypes, error) {
	o, err := s.parse()
	if err != nil {
		return nil, err
	}
	owned, changed, err := store.UseOwners(ctx, o)
	var differs *sqlstore.ErrOwners
	if errors.As(err, &differs) {
		return nil, BadSetting("--source-owns is %s, but in this database sources own %s; to change it, stop all servers and start them with --source-owns-was=%[2]s",
			typesText(differs.Wanted), typesText(differs.Stored))
	}
	if changed {
		log.Warn("changed which types sources own; restart all other servers", "types", typesText(owned))
	}
	return owned, err
}

func typesText(types feed.RecordTypes) string {
	if len(types) == 0 {
		return noTypes
	}
	return types.String()
}
