package compare

import (
	"context"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/examine"
	"github.com/tideline-feeds/tideline/feed/records"
)

// Source are the records of a source as of one moment.
type Source interface {
	// Types are those of the records that the source can make; nil for those that it makes.
	Types() feed.RecordTypes
	// Read calls each with the records of some types, nil for all, and may call it with others. Every
	// call reads the same.
	Read(ctx context.Context, types feed.RecordTypes, each func(Made) error) error
	// Keys returns the keys ([Made]) of the objects that a line without an object may be about.
	Keys(line []byte) [][]byte
	// Advice says how to make an object of a type as the source has it. from is [Made.From]; empty if
	// the source does not have the object.
	Advice(t feed.RecordType, from string) string
}

// Made is a record that a source makes.
type Made struct {
	// Text is the record. If it cannot be made, Bad says why.
	Text []byte
	Bad  string
	// Key are the JSON members of the type and the key, if Text has none; nil if unknown.
	Key []byte
	// From says where it comes from, such as a table.
	From string
}

const (
	// ranges is the number of ranges of the hashes of objects, for each type. Each has one checksum.
	ranges    = 1 << rangeBits
	rangeBits = 16
	// heldMax is about how many objects are held at once.
	heldMax = 100_000
	// batchSize is the number of records whose ids are looked up together.
	batchSize = 1000
)

// Comparison compares a source with what is stored. It is for one use.
type Comparison struct {
	Source Source
	Stored feed.StoredSnapshot
	// Name is that of the source in dead letters.
	Name string
	// TextIDs reports that ids are text.
	TextIDs bool
	// Progress is called with numbers of objects that were read; nil for none.
	Progress func(n int)
	// Held replaces how many objects are held at once; 0 for the default.
	Held int

	seed   maphash.Seed
	now    int64
	names  *names
	sums   map[feed.RecordType]*sums
	result Result
}

// sums has the checksums of the objects of a type, of both sides: what is equal adds up to 0.
type sums struct {
	of           [ranges]uint64
	theirs, ours int
	// partial reports that records leave out fields, so checksums say nothing.
	partial bool
}

// rangeOf is a range of objects of a type.
type rangeOf struct {
	t  feed.RecordType
	at uint64
}

// Run reads both sides once, and the types that differ once more. What differs is compared object by
// object. After a pass that finds [ListMax] differences or more it stops.
func (c *Comparison) Run(ctx context.Context) (*Result, error) {
	c.seed, c.sums, c.result.Report = maphash.MakeSeed(), map[feed.RecordType]*sums{}, examine.NewReport[Difference](ListMax, ListMax)
	c.names = &names{stored: c.Stored, unknown: map[feed.IDKind]map[int64]feed.ExternalID{}}
	for _, t := range c.Source.Types() {
		c.sums[t] = &sums{}
	}
	delete(c.sums, feed.RecordSeen)
	var err error
	if c.now, err = c.Stored.Now(ctx); err != nil {
		return nil, err
	}
	if err := c.readTheirs(ctx, nil, c.addTheirs); err != nil {
		return nil, err
	}
	if err := c.readOurs(ctx, c.types(), c.addOurs); err != nil {
		return nil, err
	}
	c.result.Types = []Count{}
	for _, t := range c.types() {
		c.result.Types = append(c.result.Types, Count{t, c.sums[t].theirs, c.sums[t].ours})
	}
	if err := c.examineAll(ctx); err != nil {
		return nil, err
	}
	return &c.result, nil
}

// examineAll examines the ranges that differ.
func (c *Comparison) examineAll(ctx context.Context) error {
	for rest := c.differing(); len(rest) > 0; {
		if c.result.Full(false) {
			c.result.Rest = len(rest)
			break
		}
		some := c.fitting(rest)
		rest = rest[len(some):]
		if err := c.examine(ctx, some); err != nil {
			return err
		}
	}
	c.result.Different, _ = c.result.Sum(false)
	c.result.Excused, _ = c.result.Sum(true)
	return nil
}

// types returns the types that are compared.
func (c *Comparison) types() feed.RecordTypes {
	return slices.Sorted(maps.Keys(c.sums))
}

func (c *Comparison) readOurs(ctx context.Context, types feed.RecordTypes, each func(*entry)) error {
	n := 0
	return c.Stored.Objects(ctx, types, func(r feed.Record) error {
		each(&entry{record: r, object: r.Object(), there: true})
		if n++; n%batchSize == 0 {
			c.progress(batchSize)
			return ctx.Err()
		}
		return nil
	})
}

func (c *Comparison) readTheirs(ctx context.Context, types feed.RecordTypes, each func(*entry)) error {
	b := batch{Comparison: c, each: each}
	if err := c.Source.Read(ctx, types, func(m Made) error { return b.add(ctx, &m) }); err != nil {
		return err
	}
	return b.flush(ctx)
}

func (c *Comparison) progress(n int) {
	if c.Progress != nil {
		c.Progress(n)
	}
}

func (c *Comparison) rangeOf(o feed.Object) rangeOf {
	return rangeOf{o.Type, maphash.Comparable(c.seed, o) >> (64 - rangeBits)}
}

func (c *Comparison) addOurs(e *entry) {
	s := c.sums[e.object.Type]
	s.ours++
	s.of[c.rangeOf(e.object).at] -= maphash.Bytes(c.seed, e.line())
}

func (c *Comparison) addTheirs(e *entry) {
	switch e.object.Type {
	case "":
		c.result.Nameless++
		return
	case feed.RecordSeen:
		return
	}
	s := c.sums[e.object.Type]
	if s == nil {
		s = &sums{}
		c.sums[e.object.Type] = s
	}
	at := &s.of[c.rangeOf(e.object).at]
	switch {
	case e.bad != "":
		// Nothing that is stored has such a sum, so the object is examined.
		*at += maphash.String(c.seed, e.bad)
	case e.there:
		if e.record.Partial == nil || e.record.Completes() {
			s.theirs++
		}
		s.partial = s.partial || e.record.Partial != nil
		*at += maphash.Bytes(c.seed, e.line())
	}
}

// differing returns the ranges that differ.
func (c *Comparison) differing() []rangeOf {
	var list []rangeOf
	for _, count := range c.result.Types {
		s := c.sums[count.Type]
		for at, sum := range s.of {
			if sum != 0 || s.partial {
				list = append(list, rangeOf{count.Type, uint64(at)})
			}
		}
	}
	return list
}

// fitting returns the first ranges whose objects can be held at once.
func (c *Comparison) fitting(list []rangeOf) []rangeOf {
	limit := c.Held
	if limit == 0 {
		limit = heldMax
	}
	for i, r := range list {
		s := c.sums[r.t]
		if limit -= (s.theirs+s.ours)/ranges + 1; limit < 0 && i > 0 {
			return list[:i]
		}
	}
	return list
}

// names finds the external ids of numbers, also of those that only stand for ids that are not known
// here. It is the part of [feed.IDMap] that encoding needs.
type names struct {
	feed.IDMap
	stored  feed.StoredSnapshot
	unknown map[feed.IDKind]map[int64]feed.ExternalID
}

// ExternalIDs implements [feed.IDMap].
func (n *names) ExternalIDs(ctx context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	ids, err := n.stored.ExternalIDs(ctx, kind, numbers)
	if err != nil {
		return nil, err
	}
	for i, number := range numbers {
		if id, has := n.unknown[kind][number]; has {
			ids[i] = id
		}
	}
	return ids, nil
}

// format returns the form of records for people.
func (c *Comparison) format() records.Format {
	if c.TextIDs {
		return records.Format{IDs: c.names}
	}
	return records.Format{}
}
