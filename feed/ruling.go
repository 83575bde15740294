package feed

import "fmt"

// Ruling is what becomes of one record of a batch: it is new, known, different, updated or
// bad. Stores make one with [RuleNew], [RuleBad] or [RuleStored], and count it with
// [Applied.Add].
type Ruling struct {
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

// RuleNew is the ruling on a record whose object is new.
func RuleNew() Ruling { return Ruling{kind: recordNew} }

// RuleBad is the ruling on a record that is left out, and why.
func RuleBad(format string, args ...any) Ruling {
	return Ruling{kind: recordBad, reason: fmt.Sprintf(format, args...)}
}

// RuleStored is the ruling on a record whose object is stored and differs in d. apply gives the
// object the record's content, if update says so, or returns why it cannot.
func RuleStored(d Difference, update bool, apply func() error) Ruling {
	switch {
	case d.None():
		return Ruling{kind: recordKnown}
	case !update:
		return Ruling{kind: recordDifferent, difference: d}
	}
	if err := apply(); err != nil {
		return RuleBad("%s", Reason(err))
	}
	return Ruling{kind: recordUpdated, difference: d}
}

// Add adds what became of a record.
func (a *Applied) Add(r *Record, is Ruling) {
	switch is.kind {
	case recordNew:
		a.Stored++
	case recordKnown:
		a.Known++
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
