package mirror

import (
	"slices"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed/records"
)

// A request to follow and the follow that it becomes may be rows of two tables. The end of the request's row names
// its state, so that it does not end the follow.

// ending returns the fields that say what ends: the key, and that only a request does.
func (o *outcome) ending() []records.Member {
	members := slices.Clone(o.key())
	if o.text(stateField) == string(mapping.Requested) {
		members = append(members, records.Member{Name: stateField, Text: string(mapping.Requested)})
	}
	return members
}

// addState adds the state of a follow, if it is known.
func (r *rule) addState(o *outcome, variables map[string]any) {
	for i := range r.Fields {
		if f := &r.Fields[i]; f.Name == stateField {
			if v, has, err := f.Eval(variables); has && err == nil {
				o.Members = append(o.Members, member(stateField, v))
			}
		}
	}
	if verdict, err := r.Verdict(variables, nil); err == nil {
		for _, f := range verdict.Fields {
			o.Members = append(o.Members, member(f.Name, f.Value))
		}
	}
}
