package records

import (
	"encoding/json"
	"fmt"
)

// Made is a record of which the values are known, without its text.
type Made struct {
	Type    string
	Members []Member
}

// Member is a field of a record, with its value: a text that is UTF-8, or with JSON set a valid JSON value.
type Member struct {
	Name, Text string
	JSON       bool
}

// Line implements [feed.RecordText]. [Format.Decode] returns the same record for it.
func (m Made) Line() []byte {
	line := fmt.Appendf(nil, `{"type":%q`, m.Type)
	for _, f := range m.Members {
		line = fmt.Appendf(line, `,"%s":`, f.Name)
		if f.JSON {
			line = append(line, f.Text...)
			continue
		}
		text, _ := json.Marshal(f.Text) // texts have JSON
		line = append(line, text...)
	}
	return append(line, '}')
}

// Make returns the record, or says why it is bad, as DecodeLine does for its line. The line itself is
// made only where it is needed.
func (f Format) Make(m Made) Line {
	members := make([]member, 1, 1+len(m.Members))
	members[0] = member{name: "type", text: m.Type}
	for _, of := range m.Members {
		if of.JSON {
			members = append(members, member{name: of.Name, value: json.RawMessage(of.Text)})
		} else {
			members = append(members, member{name: of.Name, text: of.Text})
		}
	}
	var line Line
	var err error
	if line.Record, err = f.decode(m.Type, members); err != nil && line.Record.Unfit == "" {
		line.Bad, line.Text = err.Error(), m.Line()
	}
	line.Record.Text = m
	return line
}
