package mirror

import (
	"slices"
	"strconv"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// Several rows may make one object, such as a login and a profile. The rule of one of them is whole, and its
// row decides whether the object is there. Those of the others are partial: they make parts. So that neither
// empties the fields of the other, all of their records name their own fields only.

// shareObjects marks the whole rules of types that have parts, too.
func (m *Mapper) shareObjects() {
	parts := map[string]bool{}
	for _, in := range m.inputs {
		for i := range in.rules {
			if r := &in.rules[i]; r.Has(partialField) {
				parts[r.Type] = true
			}
		}
	}
	for _, in := range m.inputs {
		for i := range in.rules {
			r := &in.rules[i]
			r.shared = parts[r.Type] && !r.Has(partialField) && effectOfHiding(r.Type) != ""
		}
	}
}

// share makes the record of a whole rule leave the fields of parts as they are. It names all of its own, and
// so makes an object that is not there.
func (r *rule) share(o *outcome) {
	if !r.shared || o.partial {
		return
	}
	for i := range r.Fields {
		if name := r.Fields[i].Name; !slices.Contains(r.keys, i) && !o.has(name) {
			o.Members = append(o.Members, null(name))
		}
	}
	if !o.has(deletedField) {
		o.Members = append(o.Members, null(deletedField))
	}
	o.Members = append(o.Members, truth(partialField, true))
}

// endOfPart returns the lines for an old row that made a part, unless the new row makes one of the same object:
// the fields of the part are empty, and the object stays. What says who may see it stays, too, and of a post, whose
// records need the author, all.
func (r *rule) endOfPart(o *outcome, next []outcome, i int) []Line {
	if next != nil && (next[i].err != nil || next[i].Type != "" && slices.Equal(next[i].key(), o.key())) || r.owner != "" {
		return nil
	}
	members := slices.Clone(o.key())
	for i := range r.Fields {
		if f := &r.Fields[i]; !slices.Contains(r.keys, i) && f.Name != partialField && !f.Decides() {
			members = append(members, null(f.Name))
		}
	}
	return []Line{{Made: records.Made{Type: r.Type, Members: append(members, truth(partialField, true))}}}
}

// canHidePart reports whether the rule makes parts that can hide their object without ending it.
func (r *rule) canHidePart() bool {
	return r.Has(partialField) && effectOfHiding(r.Type) != "" && !r.Has(effectOfHiding(r.Type))
}

// effectOfHiding is the field that hides an object of a type without ending it; empty for none.
func effectOfHiding(typ string) string {
	switch feed.RecordType(typ) {
	case feed.RecordUser:
		return "suspended"
	case feed.RecordPost:
		return "takenDown"
	}
	return ""
}

// hiddenPart returns a part that hides its object: as a decision says, or because of a doubt.
func (r *rule) hiddenPart(o outcome, doubt error) outcome {
	o.Members = append(o.Members, truth(effectOfHiding(r.Type), true), truth(partialField, true))
	o.doubt = doubt
	return o
}

func (o *outcome) has(name string) bool {
	return slices.ContainsFunc(o.Members, func(m records.Member) bool { return m.Name == name })
}

func member(name string, v mapping.FieldValue) records.Member {
	return records.Member{Name: name, Text: v.Text, JSON: v.JSON}
}

func null(name string) records.Member { return records.Member{Name: name, Text: "null", JSON: true} }

func truth(name string, is bool) records.Member {
	return records.Member{Name: name, Text: strconv.FormatBool(is), JSON: true}
}
