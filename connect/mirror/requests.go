package mirror

import (
	"slices"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed/records"
)

// ending returns the fields that say what ends: the key, and that only a request does where the rule makes nothing
// else. A request and the follow that it becomes may be rows of two tables.
func (r *rule) ending(o *outcome) []records.Member {
	members := slices.Clone(o.key())
	if r.MakesRequestsOnly() {
		members = append(members, records.Member{Name: stateField, Text: string(mapping.Requested)})
	}
	return members
}
