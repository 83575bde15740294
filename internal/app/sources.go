package app

import "github.com/tideline-feeds/tideline/feed"

// SourceSettings say what belongs to the systems that send change records.
type SourceSettings struct {
	SourceOwns string `env:"TIDELINE_SOURCE_OWNS" placeholder:"LIST" help:"Comma-separated record types that another system owns, such as user,follow,post. It sends their objects as change records, to /ingest or as tasks."`
}

// Check returns an error that names the first invalid setting.
func (s SourceSettings) Check() error {
	if _, err := feed.ParseOwnedTypes(s.SourceOwns); err != nil {
		return BadSetting("--source-owns: %s", feed.Reason(err))
	}
	return nil
}

// Owned returns the types that sources own. The settings must be valid.
func (s SourceSettings) Owned() feed.RecordTypes {
	owned, _ := feed.ParseOwnedTypes(s.SourceOwns)
	return owned
}
