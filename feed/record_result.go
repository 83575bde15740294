package feed

import (
	"fmt"
	"strings"
)

// RecordResult is the outcome of applying one record. Stores count it with [Applied.Add].
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
	recordOutdated
	recordBad
)

// ResultNew is the result of a record whose object is new.
func ResultNew() RecordResult { return RecordResult{kind: recordNew} }

// ResultBad is the result of a record that was not applied, with the reason.
func ResultBad(format string, args ...any) RecordResult {
	return RecordResult{kind: recordBad, reason: fmt.Sprintf(format, args...)}
}

// ResultKnown is the result of a record that changes nothing.
func ResultKnown() RecordResult { return RecordResult{kind: recordKnown} }

// ResultOutdated is the result of a record with a lower version than one before it.
func ResultOutdated() RecordResult { return RecordResult{kind: recordOutdated} }

// ResultUpdated is the result of a record that changed some fields of its object.
func ResultUpdated(fields ...string) RecordResult {
	return RecordResult{kind: recordUpdated, difference: Difference{Fields: fields}}
}

// Outcome names the result of a record.
type Outcome string

// The outcomes, as metrics name them.
const (
	OutcomeStored    Outcome = "stored"
	OutcomeUnchanged Outcome = "unchanged"
	OutcomeDifferent Outcome = "different"
	OutcomeUpdated   Outcome = "updated"
	OutcomeOutdated  Outcome = "outdated"
	OutcomeBad       Outcome = "bad"
)

// Outcome returns the name of the result.
func (is RecordResult) Outcome() Outcome {
	switch is.kind {
	case recordNew:
		return OutcomeStored
	case recordDifferent:
		return OutcomeDifferent
	case recordUpdated:
		return OutcomeUpdated
	case recordOutdated:
		return OutcomeOutdated
	case recordBad:
		return OutcomeBad
	}
	return OutcomeUnchanged
}

// OutcomeCounts counts records by type and outcome. Lines that are no records have no type.
type OutcomeCounts map[TypedOutcome]int

// TypedOutcome is the outcome of a record of a type.
type TypedOutcome struct {
	Type    RecordType
	Outcome Outcome
}

// Changes reports whether the record changes its object.
func (is RecordResult) Changes() bool { return is.kind == recordNew || is.kind == recordUpdated }

// Bad reports whether the record was not applied.
func (is RecordResult) Bad() bool { return is.kind == recordBad }

// ResultStored is the result for a stored object. With update it calls apply to change the object.
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

// Add counts the result of a record.
func (a *Applied) Add(r *Record, is RecordResult) {
	switch is.kind {
	case recordNew:
		a.Stored++
	case recordKnown:
		a.Unchanged++
	case recordDifferent:
		d := is.difference
		d.Line, d.Object = r.Line, r.Name()
		a.Different = append(a.Different, d)
	case recordUpdated:
		a.AddUpdated(r, is.difference)
	case recordOutdated:
		a.Outdated++
	case recordBad:
		a.Bad = append(a.Bad, BadRecord{Line: r.Line, Reason: is.reason})
	}
}

// reasonBytes is the length of a reason. It may quote what was sent.
const reasonBytes = 500

// ShortReason returns the reason why a line is bad as a text that can be stored, without the end of a
// long one.
func ShortReason(text string) string {
	if len(text) > reasonBytes {
		text = strings.ToValidUTF8(text[:reasonBytes], "") + "…"
	}
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD") // PostgreSQL stores neither
}
