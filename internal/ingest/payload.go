package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// PayloadLine is a record in a payload, or the reason why there is none.
type PayloadLine struct {
	Text []byte
	Bad  string
}

// Payloads turns messages into change records.
type Payloads struct{}

// Lines returns the records of a message: one, or those of an array. An empty payload, as Kafka has
// for deleted keys, has none.
func (p Payloads) Lines(m *Message) []PayloadLine {
	if m.Bad != "" {
		return bad(m.Payload, "%s", m.Bad)
	}
	text := bytes.TrimSpace(m.Payload)
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '[':
		return elements(text)
	}
	return []PayloadLine{{Text: text}}
}

func bad(text []byte, format string, args ...any) []PayloadLine {
	return []PayloadLine{{Text: text, Bad: fmt.Sprintf(format, args...)}}
}

// elements returns the elements of an array. A broken array has one bad line.
func elements(text []byte) []PayloadLine {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil {
		return bad(text, "not a JSON array: %v", err)
	}
	lines := make([]PayloadLine, len(list))
	for i, record := range list {
		lines[i].Text = record
	}
	return lines
}
