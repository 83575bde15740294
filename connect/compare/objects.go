package compare

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// pair is an object on both sides.
type pair struct {
	ours *entry
	// theirs are the records of the source, of which an object should have one at most.
	theirs []*entry
}

// examine compares the objects of some ranges one by one.
func (c *Comparison) examine(ctx context.Context, some []rangeOf) error {
	within := make(map[rangeOf]bool, len(some))
	var types feed.RecordTypes
	for _, r := range some {
		within[r] = true
		types = append(types, r.t)
	}
	types = slices.Compact(types)
	pairs := map[feed.Object]*pair{}
	at := func(e *entry) *pair {
		if !within[c.rangeOf(e.object)] {
			return nil
		}
		if pairs[e.object] == nil {
			pairs[e.object] = &pair{}
		}
		return pairs[e.object]
	}
	err := c.readTheirs(ctx, types, func(e *entry) {
		if p := at(e); p != nil {
			c.names.remember(e)
			p.theirs = append(p.theirs, e)
		}
	})
	if err != nil {
		return err
	}
	err = c.readOurs(ctx, types, func(e *entry) {
		if p := at(e); p != nil {
			p.ours = e
		}
	})
	if err != nil {
		return err
	}
	var list []*unequal
	for _, object := range slices.SortedFunc(maps.Keys(pairs), compareObjects) {
		if u := c.judge(pairs[object]); u != nil { //nolint:contextcheck // encoding a record reads nothing
			u.object = object
			list = append(list, u)
		}
	}
	return c.add(ctx, list)
}

func compareObjects(a, b feed.Object) int {
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
}

// unequal is an object that differs. A side on which it is not there is nil, unless its record is bad.
type unequal struct {
	object       feed.Object
	theirs, ours *entry
	reason       string
}

// judge returns nil for an object that is equal. With several records any of them may be the last
// that was applied.
func (c *Comparison) judge(p *pair) *unequal {
	u := &unequal{ours: p.ours}
	gone, equalParts := len(p.theirs) == 0, false
	for _, e := range p.theirs {
		switch fault := c.fault(e); {
		case fault != "":
			u.reason = "its record is bad: " + fault
			u.theirs = cmp.Or(u.theirs, e)
		case !e.there:
			gone = true
		case p.ours != nil && equal(e, p.ours) && e.record.Partial == nil:
			return nil
		case p.ours != nil && equal(e, p.ours):
			equalParts = true
		default:
			u.theirs = e
		}
	}
	if len(p.theirs) == 1 && p.ours != nil && lostParent(p.theirs[0], p.ours) {
		u.because("the source has lost what the post answers or shares; the first record of the post said it")
	}
	if gone && (p.ours == nil || isCancelled(p.ours)) || equalParts && u.theirs == nil {
		return nil
	}
	if u.theirs == nil && u.ours == nil {
		return nil
	}
	return u
}

// isCancelled reports whether an object is a cancelled session. One that its source has removed is
// cancelled.
func isCancelled(e *entry) bool { return e.record.Live != nil && e.record.Live.CancelledAt != 0 }

// lostParent reports whether a post differs only because its source does not know any more what it answers or shares,
// for the row was deleted.
func lostParent(theirs, ours *entry) bool {
	lost, kept := theirs.record.Post, ours.record.Post
	if lost == nil || kept == nil || lost.Parent() != 0 || lost.Kind != feed.KindPost || !theirs.there || kept.Parent() == 0 || kept.Kind == feed.KindPost {
		return false
	}
	post, again := *lost, *theirs
	post.Kind, post.ReplyTo, post.RepostOf = kept.Kind, kept.ReplyTo, kept.RepostOf
	again.record.Post = &post
	return equal(&again, ours)
}

func equal(theirs, ours *entry) bool {
	if theirs.record.Partial == nil {
		return bytes.Equal(theirs.line(), ours.line())
	}
	mine, err := membersOf(context.Background(), records.Format{}, ours)
	other, otherErr := membersOf(context.Background(), records.Format{}, theirs)
	return err == nil && otherErr == nil && len(fieldsOf(theirs, mine, other)) == 0
}

// members are the fields of a record as JSON, by name.
type members map[string]json.RawMessage

// membersOf returns nil for no entry.
func membersOf(ctx context.Context, f records.Format, e *entry) (members, error) {
	if e == nil {
		return nil, nil
	}
	line, err := f.Encode(ctx, compared(e.record))
	if err != nil {
		return nil, err
	}
	var m members
	err = json.Unmarshal(line, &m)
	return m, err
}

// fieldsOf returns the fields that differ, sorted. Of a partial record, only its fields count.
func fieldsOf(theirs *entry, a, b members) []string {
	names := map[string]bool{}
	for _, m := range []members{a, b} {
		for name := range m {
			names[name] = true
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		left := name == "n" || theirs.record.Partial != nil && !slices.Contains(theirs.record.Partial, name)
		if !left && !bytes.Equal(a[name], b[name]) {
			list = append(list, name)
		}
	}
	return list
}

// add explains what it can and adds it all to the report.
func (c *Comparison) add(ctx context.Context, list []*unequal) error {
	if len(list) == 0 {
		return nil
	}
	if err := c.explain(ctx, list); err != nil {
		return err
	}
	for _, u := range list {
		found := []Difference{{Type: u.object.Type, Explained: u.reason}}
		if !c.result.Full(u.reason != "") {
			var err error
			if found, err = c.describe(ctx, u); err != nil {
				return err
			}
		}
		c.result.Add(found)
	}
	return nil
}

// describe returns a difference for each field, or one for an object that one side lacks.
func (c *Comparison) describe(ctx context.Context, u *unequal) ([]Difference, error) {
	theirs, err := membersOf(ctx, c.format(), u.theirs)
	if err != nil {
		return nil, err
	}
	ours, err := membersOf(ctx, c.format(), u.ours)
	if err != nil {
		return nil, err
	}
	from := ""
	known := theirs
	if u.theirs != nil {
		from = u.theirs.from
	} else {
		known = ours
	}
	d := Difference{Type: u.object.Type, IDs: idsOf(u.object.Type, known), Explained: u.reason}
	if d.Explained == "" {
		d.Advice = c.Source.Advice(u.object.Type, from)
	}
	if u.theirs == nil || u.ours == nil || u.theirs.bad != "" {
		d.Theirs, d.Ours = textOf(theirs), textOf(ours)
		if u.theirs != nil && u.theirs.bad != "" {
			d.Theirs = ""
		}
		return []Difference{d}, nil
	}
	var list []Difference
	for _, name := range fieldsOf(u.theirs, theirs, ours) {
		d := d
		d.Field, d.Theirs, d.Ours = name, string(theirs[name]), string(ours[name])
		if d.Explained == "" && isFixed(u, name) {
			d.Advice = fixedAdvice
		}
		list = append(list, d)
	}
	if len(list) == 0 { // only what is stored with the object differs
		d.Field, d.Theirs, d.Ours = "id", string(externalOf(&u.theirs.record)), string(externalOf(&u.ours.record))
		list = append(list, d)
	}
	return list, nil
}

const fixedAdvice = "this never changes; give the object another id in the source"

// isFixed reports whether no record can change a field.
func isFixed(u *unequal, name string) bool {
	switch {
	case u.ours.record.Post != nil:
		return slices.Contains([]string{"author", "kind", "replyTo", "repostOf", "publishedAt"}, name)
	case u.ours.record.List != nil:
		return name == "owner"
	case u.ours.record.Live != nil:
		l := u.ours.record.Live
		return name == "host" || name == "startedAt" && l.StartedAt != 0 || name == "endedAt" && l.EndedAt != 0 || name == "cancelledAt" && l.CancelledAt != 0
	}
	return false
}

// textOf returns members as one object; empty for none.
func textOf(m members) string {
	if m == nil {
		return ""
	}
	delete(m, "n")
	text, _ := json.Marshal(m) // members are JSON
	return string(text)
}

// idsOf returns the ids that identify an object, from its members. Those of counters follow what they
// identify.
func idsOf(t feed.RecordType, m members) []string {
	shape, _ := records.ShapeOf(string(t))
	var ids []string
	for _, name := range shape.Keys {
		var id string
		if json.Unmarshal(m[name], &id) != nil {
			continue
		}
		if t == feed.RecordCounters {
			ids = append(ids, name)
		}
		ids = append(ids, id)
	}
	return ids
}
