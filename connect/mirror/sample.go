package mirror

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/apply"
)

const (
	// sampleRows is how many rows of a table are tried, sampleShown how many are shown. idRows are
	// enough to know the ids.
	sampleRows  = 10_000
	sampleShown = 10
	idRows      = 100
)

// Sample is what rows of a table make.
type Sample struct {
	Table *Table
	// Line is that of the mapping file.
	Line int
	// Shown are the first rows, Read counts all that were tried.
	Shown []SampleRow
	Read  int
	// Bad are the reasons why records are bad, the most frequent first.
	Bad []BadSample
	// Rules say what each rule makes of the rows.
	Rules []RuleSample
}

// SampleRow is a row with its records.
type SampleRow struct {
	// Text is the row as JSON, with the columns that the rules use.
	Text  []byte
	Lines []Line
}

// BadSample is a reason, how many records it makes bad, and the first of their rows as JSON.
type BadSample struct {
	Reason string
	Count  int
	Row    []byte
}

// Samples are those of all tables.
type Samples struct {
	Tables []Sample
	// TextIDs reports that ids are not numbers.
	TextIDs bool
	// objects are those that the rows make.
	objects sampleObjects
}

// Sample tries the rules on rows of all tables. now is a time after those in the rows.
func (m *Mapper) Sample(ctx context.Context, q Querier, now time.Time) (Samples, error) {
	return m.sample(ctx, q, now, sampleRows)
}

// sample tries a number of rows of each table.
func (m *Mapper) sample(ctx context.Context, q Querier, now time.Time, rows int) (Samples, error) {
	all := Samples{objects: newObjects()}
	for _, in := range m.inputs {
		s := sampler{m: m, in: in, now: now, ids: &all, Sample: Sample{Table: in.table, Line: in.line, Rules: in.ruleSamples()}, bad: map[string]*BadSample{}}
		if err := s.read(ctx, q, rows); err != nil {
			return Samples{}, fmt.Errorf("read %s: %w", in.table.Quoted, err)
		}
		for _, b := range s.bad {
			s.Bad = append(s.Bad, *b)
		}
		slices.SortFunc(s.Bad, func(a, b BadSample) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Reason, b.Reason)) })
		all.Tables = append(all.Tables, s.Sample)
	}
	return all, nil
}

// sampler samples a table.
type sampler struct {
	Sample
	m   *Mapper
	in  *input
	now time.Time
	ids *Samples
	bad map[string]*BadSample
}

func (s *sampler) read(ctx context.Context, q Querier, rows int) error {
	used, names := s.m.used(s.Table)
	return texts(ctx, q, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(names, ", "), s.Table.Quoted, rows), func(row []Cell) error {
		s.row(used, row)
		return nil
	})
}

// texts calls each for the rows of a statement, with the texts that changes have, too. An error of
// each ends it.
func texts(ctx context.Context, q Querier, sql string, each func([]Cell) error) error {
	rows, err := q.Query(ctx, sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var row []Cell
		for _, text := range rows.RawValues() {
			row = append(row, Cell{Text: slices.Clone(text), Null: text == nil})
		}
		if err := each(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (s *sampler) row(t *Table, row []Cell) {
	for i, o := range s.m.evaluate(s.in, view{table: t, row: row}) {
		s.Rules[i].add(t, row, &o)
		s.ids.objects.add(&s.in.rules[i], &o)
	}
	lines := s.m.Lines(RowChange{Table: t, New: row}, s.now)
	for i := range lines {
		line := &lines[i]
		if line.Bad == "" {
			line.Row, line.Bad = line.Line(), s.check(line.Made)
		}
		if line.Bad == "" {
			continue
		}
		if s.bad[line.Bad] == nil {
			s.bad[line.Bad] = &BadSample{Reason: line.Bad, Row: s.in.rowText(t, row)}
		}
		s.bad[line.Bad].Count++
	}
	if s.Read++; s.Read <= sampleShown {
		s.Shown = append(s.Shown, SampleRow{s.in.rowText(t, row), lines})
	}
}

// textIDs is set where ids are texts; it is never asked.
type textIDs struct{ feed.IDMap }

// check returns what is wrong with a record in itself; empty if nothing is.
func (s *sampler) check(made records.Made) string {
	line := records.Format{IDs: textIDs{}}.Make(made)
	if bad := cmp.Or(line.Bad, line.Record.Unfit); bad != "" {
		return bad
	}
	r := line.Record
	for i, id := range r.IDs {
		if _, err := feed.ParseUserID(string(id.ID)); err != nil {
			s.ids.TextIDs = true
		}
		*id.At = int64(slices.IndexFunc(r.IDs[:i], func(other feed.IDRef) bool { return other.Kind == id.Kind && other.ID == id.ID }) + 1)
		if *id.At == 0 {
			*id.At = int64(i + 1)
		}
	}
	if r.Partial != nil && !r.Completes() {
		return "" // checked once it is whole
	}
	r.Partial = nil
	batch := feed.Batch{Records: []feed.Record{r}, Owned: append(feed.OwnedTypes(), feed.RecordCounters), Ordered: true}
	if _, done := apply.Check(&batch, feed.Millis(s.now)).Fold(&apply.Objects{}); len(done.Bad) > 0 {
		return done.Bad[0].Reason
	}
	return ""
}
