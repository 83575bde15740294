package bus

import (
	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// mapper makes the records of messages by a mapping.
type mapper struct{ *mapping.Mapping }

// ParseMapping reads a mapping file for messages.
func ParseMapping(text []byte) (ingest.Mapper, error) {
	m, err := mapping.Parse(text, mapping.Options{Fields: records.Fields, Variables: []mapping.Variable{
		{Name: "data"},
		{Name: "event", Type: mapping.Texts},
		{Name: "key", Type: mapping.Text},
		{Name: "subject", Type: mapping.Text},
		{Name: "headers", Type: mapping.Texts},
		{Name: "time", Type: mapping.Time},
	}})
	return mapper{m}, err
}

// Map implements [ingest.Mapper].
func (m mapper) Map(of *ingest.Message, kind string, attributes map[string]string, payload []byte) ([][]byte, error) {
	var data any
	if len(payload) > 0 {
		var err error
		if data, err = mapping.Value(payload); err != nil {
			return nil, err
		}
	}
	return m.Records(kind, map[string]any{
		"data": data, "event": attributes, "key": of.Key, "subject": of.Subject, "headers": of.Headers, "time": of.At,
	})
}
