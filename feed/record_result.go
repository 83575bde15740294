package feed

import "fmt"

// RecordResult is what becomes of one record of a batch: it is new, known, different, updated or
// bad. Stores make one with [ResultNew], [ResultBad] or [ResultStored], and count it with
// [Applied.Add].
type RecordResult struct {
	kind       rulingKind
	reason     string
	difference Difference
}

type rulingKind int

const (
	recordNew rulingKind = iota
	recordKnown
	recordDifferent
	recordUpdated
	recordBad
)

// ResultNew is the ruling on a record whose object is new.
func ResultNew() RecordResult { return RecordResult{kind: recordNew} }

// ResultBad is the ruling on a record that is left out, and why.
func ResultBad(format string, args ...any) RecordResult {
	return RecordResult{kind: recordBad, reason: fmt.Sprintf(format, args...)}
}

// ResultStored is the ruling on a record whose object is stored and differs in d. apply gives the
// object the record's content, if update says so, or returns why it cannot.
func ResultStored(d Difference, update bool, apply func() error) RecordResult {
	switch {
	case d.None():
		return RecordResult{kind: recordKnown}
	case !update:
		return RecordResult{kind: recordDifferent, difference: d}
	}
	if err := apply(); err != nil {
		return ResultBad("%s", Reason(err))
	}
	return RecordResult{kind: recordUpdated, difference: d}
}

// Add adds what became of a record.
func (a *Applied) Add(r *Record, is RecordResult) {
	switch is.kind {
	case recordNew:
		a.Stored++
	case recordKnown:
		a.Unchanged++
	case recordDifferent:
		d := is.difference
		d.Line, d.Object = r.Line, r.Object()
		a.Different = append(a.Different, d)
	case recordUpdated:
		a.AddUpdated(r, is.difference)
	case recordBad:
		a.Bad = append(a.Bad, BadRecord{Line: r.Line, Reason: is.reason})
	}
}
