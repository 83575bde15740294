package ingest

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// Dead letters of a bus that keeps its messages have the place of the record instead of the line, which
// may have more than the mapping uses.

// keyMax is how much of the key of a message a letter keeps. It is longer than any id.
const keyMax = 256

// keyText is the text of a record without all but its type and key.
type keyText struct{ feed.RecordText }

// Line implements [feed.RecordText].
func (t keyText) Line() []byte { return keyOnly(t.RecordText.Line()) }

// keyOnly returns the type and the key of a line as JSON; nil if they are not known.
func keyOnly(line []byte) []byte {
	if key := records.KeyOf(line); key != nil {
		return fmt.Appendf(nil, "{%s}", key)
	}
	return nil
}

// Reread returns the line of a dead letter from the bus of its source. positions are those of the source.
// The error is a [*LostError] if the bus does not have it any more.
func Reread(ctx context.Context, b Bus, payloads Payloads, positions []feed.SourcePosition, l *feed.DeadLetter) ([]byte, error) {
	again, can := b.(Rereader)
	if !can {
		return nil, &LostError{Reason: "this kind of source cannot be read again"}
	}
	at := Place{Position: l.Position}
	for _, p := range positions {
		if p.Partition == l.Partition {
			at.Identity = p.Identity
		}
	}
	m, err := again.Message(ctx, l.Partition, at)
	if err != nil {
		return nil, err
	}
	lines := payloads.Lines(&m)
	switch i := l.Element - 1; {
	case i >= len(lines):
		return nil, &LostError{Reason: fmt.Sprintf("the message makes only %d records now; the mapping was another one", len(lines))}
	case lines[i].Bad != "":
		return nil, &LostError{Reason: lines[i].Bad}
	default:
		return lines[i].Text, nil
	}
}
