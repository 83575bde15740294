package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// SourceSettings say what belongs to the systems that send change records.
type SourceSettings struct {
	SourceOwns    string `env:"TIDELINE_SOURCE_OWNS" placeholder:"TYPES" help:"Types of records that sources own, separated by commas: user, follow, post, like, favorite, mute, hide, block, live, list, list_member; or none. The database keeps the value, which is also the default."`
	SourceOwnsWas string `env:"TIDELINE_SOURCE_OWNS_WAS" placeholder:"TYPES" help:"The types that the database has, to change them to those of --source-owns."`
	Counters      string `env:"TIDELINE_COUNTERS" placeholder:"MODE" help:"own counts what is stored, source shows the counters of records. The database keeps the value, which is also the default."`
	CountersWas   string `env:"TIDELINE_COUNTERS_WAS" placeholder:"MODE" help:"The value that the database has, to change it to own, which forgets the counters of records."`
	Users         string `env:"TIDELINE_USERS" placeholder:"MODE" help:"explicit hides users of a source until their record arrives, implicit shows them, without handle and name. The database keeps the value, which is also the default."`
	UsersWas      string `env:"TIDELINE_USERS_WAS" placeholder:"MODE" help:"The value that the database has, to change it to explicit, which hides users without a record."`
	PostsFrom     string `env:"TIDELINE_POSTS_FROM" placeholder:"URL" help:"Service that has the texts and media of posts, whose records then need none. Sources must own post. Set it in all processes."`
	UsersFrom     string `env:"TIDELINE_USERS_FROM" placeholder:"URL" help:"Service that has the profiles of users. Sources must own user. Set it in all processes."`
	CountersFrom  string `env:"TIDELINE_COUNTERS_FROM" placeholder:"URL" help:"Service that counts reactions, comments, reposts, follows and posts."`
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

// parseCounters returns an empty mode for an absent setting.
func parseCounters(flag, value string) (feed.CounterMode, error) {
	mode := feed.CounterMode(value)
	if mode != "" && mode != feed.CountersOwn && mode != feed.CountersSource {
		return "", BadSetting("%s must be %s or %s, not %.40q", flag, feed.CountersOwn, feed.CountersSource, value)
	}
	return mode, nil
}

func (s SourceSettings) parseCounters() (o sqlstore.CounterOwner, err error) {
	if o.Want, err = parseCounters("--counters", s.Counters); err == nil {
		o.Was, err = parseCounters("--counters-was", s.CountersWas)
	}
	return o, err
}

// parseUsers returns an empty mode for an absent setting.
func parseUsers(flag, value string) (feed.UserMode, error) {
	mode := feed.UserMode(value)
	if mode != "" && mode != feed.UsersExplicit && mode != feed.UsersImplicit {
		return "", BadSetting("%s must be %s or %s, not %.40q", flag, feed.UsersExplicit, feed.UsersImplicit, value)
	}
	return mode, nil
}

func (s SourceSettings) parseUsers() (c feed.UserModeChange, err error) {
	if c.Want, err = parseUsers("--users", s.Users); err == nil {
		c.Was, err = parseUsers("--users-was", s.UsersWas)
	}
	return c, err
}

// Check returns an error that names the first invalid setting.
func (s SourceSettings) Check() error {
	_, owners := s.parse()
	_, counters := s.parseCounters()
	_, users := s.parseUsers()
	return cmp.Or(owners, counters, users,
		checkUpstream("--posts-from", s.PostsFrom), checkUpstream("--users-from", s.UsersFrom), checkUpstream("--counters-from", s.CountersFrom))
}

func checkUpstream(flag, url string) error {
	if url != "" && !hasScheme(url, "http", "https") {
		return BadSetting("%s must start with http:// or https://, not %q", flag, schemeOf(url))
	}
	return nil
}

// Upstream returns the types of records whose content other services have.
func (s SourceSettings) Upstream() feed.RecordTypes {
	var types feed.RecordTypes
	if s.PostsFrom != "" {
		types = append(types, feed.RecordPost)
	}
	if s.UsersFrom != "" {
		types = append(types, feed.RecordUser)
	}
	return types
}

// checkOwned refuses services of types that Tideline owns, and would write itself.
func (s SourceSettings) checkOwned(owned feed.RecordTypes) error {
	for _, t := range s.Upstream() {
		if !owned.Has(t) {
			return BadSetting("--%ss-from needs a source that owns the type %[1]s; add it to --source-owns", t)
		}
	}
	return nil
}

// UseOwners returns the types that sources own in the database, counters included. It stores them, and
// the mode of users, at the first start, and refuses others than the stored ones with a [SettingError].
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
	if err != nil {
		return nil, err
	}
	if err := s.checkOwned(owned); err != nil {
		return nil, err
	}
	if changed {
		log.Warn("changed which types sources own; restart all other servers", "types", typesText(owned))
	}
	if err := s.useUsers(ctx, store, log); err != nil {
		return nil, err
	}
	mode, err := s.useCounters(ctx, store, log)
	if mode == feed.CountersSource {
		owned = append(owned, feed.RecordCounters)
	}
	return owned, err
}

func (s SourceSettings) useCounters(ctx context.Context, store *sqlstore.Store, log *slog.Logger) (feed.CounterMode, error) {
	o, err := s.parseCounters()
	if err != nil {
		return "", err
	}
	mode, changed, err := store.UseCounters(ctx, o)
	var differs *sqlstore.ErrCounters
	if errors.As(err, &differs) {
		return "", BadSetting("--counters is %s, but in this database it is %s; to change it, stop all servers and start them with --counters-was=%[2]s",
			differs.Wanted, differs.Stored)
	}
	if changed {
		log.Warn("changed where counters come from; restart all other servers", "counters", mode)
	}
	return mode, err
}

// useUsers stores whether users without a record are shown. Stores read it, so nothing else needs it.
func (s SourceSettings) useUsers(ctx context.Context, store feed.Presence, log *slog.Logger) error {
	c, err := s.parseUsers()
	if err != nil {
		return err
	}
	mode, changed, err := store.UseUsers(ctx, c)
	var differs *feed.UserModeDiffers
	if errors.As(err, &differs) {
		return BadSetting("--users is %s, but in this database it is %s; to change it, set --users-was=%[2]s", differs.Wanted, differs.Stored)
	}
	if changed {
		log.Warn("changed whether users without a record are shown; all inboxes are built again", "users", mode)
	}
	return err
}

func typesText(types feed.RecordTypes) string {
	if len(types) == 0 {
		return noTypes
	}
	return types.String()
}
