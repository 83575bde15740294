package feed

import (
	"context"
	"fmt"
	"strconv"
)

// IDRef is an external id in a record, and the place of its number.
type IDRef struct {
	Kind IDKind
	ID   ExternalID
	// At is 0, or the number that the id should have, until [NumberRecords] stores its number.
	At *int64
}

// NumberRecords stores the numbers of all external ids in records, and draws those of new ids. Each
// way in calls it between decoding and applying. An id that has a number keeps it. The result is the
// records to apply, and those whose wanted number another id has.
func NumberRecords(ctx context.Context, ids IDMap, list []Record) (fit []Record, bad []Rejected, err error) {
	refs := map[IDKind][]IDRef{}
	for i := range list {
		for _, ref := range list[i].IDs {
			refs[ref.Kind] = append(refs[ref.Kind], ref)
		}
	}
	for kind, of := range refs {
		wanted := make([]NumberedID, len(of))
		for i, ref := range of {
			wanted[i] = NumberedID{ref.ID, *ref.At}
		}
		numbers, err := ids.DrawIDs(ctx, kind, wanted)
		if err != nil {
			return nil, nil, err
		}
		for i, ref := range of {
			*ref.At = numbers[i]
		}
	}
	fit = make([]Record, 0, len(list))
	for i := range list {
		if r := &list[i]; r.numbered() {
			fit = append(fit, *r)
		} else {
			bad = append(bad, Rejected{Line: r.Line, Text: r.LineText(), Reason: "another id of this kind has the number in the field n"})
		}
	}
	return fit, bad, nil
}

func (r *Record) numbered() bool {
	for _, ref := range r.IDs {
		if *ref.At == 0 {
			return false
		}
	}
	return true
}

// PublicID returns the id in the record with a number.
func (r *Record) PublicID(kind IDKind, number int64) PublicID {
	id := PublicID{Number: number}
	for _, ref := range r.IDs {
		if ref.Kind == kind && *ref.At == number {
			id.External = ref.ID
		}
	}
	return id
}

// Name names the object of the record for people, by external ids where ids are text.
func (r *Record) Name() string {
	o := r.Object()
	if len(r.IDs) == 0 {
		return o.String()
	}
	name := fmt.Sprintf("%s %s", o.label(), quoteID(r.IDs[0].ID))
	if len(r.IDs) > 1 && o.B != 0 {
		name += " " + quoteID(r.IDs[1].ID)
	}
	return name
}

// String returns the id for messages, quoted if it is hard to tell from the text around it.
func (id PublicID) String() string { return quoteID(id.Text()) }

// MarshalText implements [encoding.TextMarshaler] for ids in JSON.
func (id PublicID) MarshalText() ([]byte, error) { return []byte(id.Text()), nil }

// quoteID quotes ids that are hard to tell from the text around them.
func quoteID(id ExternalID) string {
	for _, c := range id {
		if c <= ' ' || c == '"' || !strconv.IsPrint(c) {
			return strconv.Quote(string(id))
		}
	}
	return string(id)
}
