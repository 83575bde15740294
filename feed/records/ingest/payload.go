package ingest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// PayloadLine is a record in a payload, or the reason why there is none.
type PayloadLine struct {
	Text []byte
	Bad  string
	// decoded is the line of Text; nil if it is still to be decoded. Its number does not matter.
	decoded *records.Line
}

// DecodedLine returns a line that is decoded already.
func DecodedLine(line records.Line) PayloadLine {
	return PayloadLine{Text: line.Text, Bad: line.Bad, decoded: &line}
}

// Line returns the decoded line. It has no number yet.
func (l *PayloadLine) Line(format records.Format) records.Line {
	switch {
	case l.decoded != nil:
		return *l.decoded
	case l.Bad != "":
		return records.Line{Text: l.Text, Bad: l.Bad}
	}
	return format.DecodeLine(0, l.Text)
}

// Payloads turns messages into change records. A payload is a record, an array of records, or a
// CloudEvents 1.0 event with one of these as data, as JSON or with its attributes in headers.
type Payloads struct {
	// Mapping makes the records of all payloads, element by element; nil if they are records. The
	// kind of an event is its type, that of other payloads [messageKind].
	Mapping Mapper
}

const messageKind = "message"

// Mapper makes change records of payloads in a form of their own.
type Mapper interface {
	// Map returns the records of a payload of m, and an error that says which of them it cannot make.
	// kind is the kind of the payload; attributes are those of the event that has it, otherwise empty.
	Map(m *Message, kind string, attributes map[string]string, payload []byte) ([][]byte, error)
}

// Lines returns the records of a message. Without a mapping, an empty payload has none: Kafka has
// them for deleted keys.
func (p Payloads) Lines(m *Message) []PayloadLine {
	switch {
	case m.Bad != "":
		return bad(m.Payload, m.Bad)
	case m.Payload == nil && m.Lines != nil:
		return m.Lines
	}
	text := bytes.TrimSpace(m.Payload)
	if attributes := binaryEvent(m.Headers); attributes != nil {
		return p.event(m, attributes, text)
	}
	return p.each(text, func(text []byte) []PayloadLine {
		attributes, data, err := structuredEvent(text)
		switch {
		case err != nil:
			return bad(text, err.Error())
		case attributes != nil:
			return p.event(m, attributes, data)
		}
		return p.records(m, nil, text)
	})
}

func bad(text []byte, reason string) []PayloadLine {
	return []PayloadLine{{Text: text, Bad: reason}}
}

// each calls lines for a payload, or for each element of an array, also for one that is no JSON. An array
// without an end has a further, bad line.
func (p Payloads) each(text []byte, lines func([]byte) []PayloadLine) []PayloadLine {
	switch {
	case len(text) == 0 && p.Mapping == nil:
		return nil
	case len(text) == 0 || text[0] != '[':
		return lines(text)
	}
	list, fault := wellformed.Elements(text)
	var all []PayloadLine
	for _, element := range list {
		all = append(all, lines(element)...)
	}
	if fault != "" {
		all = append(all, bad(nil, "not a JSON array: "+fault)...)
	}
	return all
}

// event returns the records in the data of an event.
func (p Payloads) event(m *Message, attributes map[string]string, data []byte) []PayloadLine {
	if v := attributes["specversion"]; v != "1.0" {
		return bad(data, fmt.Sprintf("CloudEvents of version %.20q are not known; send version 1.0", v))
	}
	if t, _, _ := strings.Cut(attributes["datacontenttype"], ";"); t != "" && t != "application/json" && !strings.HasSuffix(t, "+json") {
		return bad(data, fmt.Sprintf("the data of the event is %.100q, and must be JSON", t))
	}
	return p.each(bytes.TrimSpace(data), func(text []byte) []PayloadLine { return p.records(m, attributes, text) })
}

// records maps a payload, or returns it. attributes are nil unless it is the data of an event.
func (p Payloads) records(m *Message, attributes map[string]string, text []byte) []PayloadLine {
	if p.Mapping == nil {
		return []PayloadLine{{Text: text}}
	}
	kind := messageKind
	if attributes != nil {
		kind = attributes["type"]
	} else {
		attributes = map[string]string{}
	}
	made, err := p.Mapping.Map(m, kind, attributes, text)
	lines := make([]PayloadLine, len(made))
	for i, record := range made {
		lines[i].Text = record
	}
	if err != nil {
		lines = append(lines, bad(text, err.Error())...)
	}
	return lines
}

// binaryEvent returns the attributes of an event that are headers, nil if there are none. Kafka
// joins the prefix by "_", NATS by "-".
func binaryEvent(headers map[string]string) map[string]string {
	attributes, event := map[string]string{}, false
	for name, value := range headers {
		name = strings.ToLower(name)
		switch attribute, is := cutPrefix(name, "ce_", "ce-"); {
		case is:
			attributes[attribute] = value
			event = event || attribute == "specversion"
		case name == "content-type":
			attributes["datacontenttype"] = value
		}
	}
	if !event {
		return nil
	}
	return attributes
}

func cutPrefix(name string, prefixes ...string) (rest string, found bool) {
	for _, prefix := range prefixes {
		if rest, found = strings.CutPrefix(name, prefix); found {
			return rest, true
		}
	}
	return name, false
}

// structuredEvent returns the attributes and the data of an envelope. Attributes are nil for a
// payload that is none: only envelopes have a specversion.
func structuredEvent(text []byte) (attributes map[string]string, data []byte, err error) {
	if !bytes.Contains(text, []byte(`"specversion"`)) {
		return nil, nil, nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members["specversion"] == nil {
		return nil, nil, nil
	}
	attributes = map[string]string{}
	for name, value := range members {
		switch name {
		case "data":
			data = value
		case "data_base64":
			if err := json.Unmarshal(value, &data); err != nil {
				return nil, nil, errors.New("the field data_base64 of the event is not base64; encode it as RFC 4648 says, with padding")
			}
		default:
			var text string
			if json.Unmarshal(value, &text) != nil {
				text = string(value) // a number or a boolean
			}
			attributes[name] = text
		}
	}
	return attributes, data, nil
}
