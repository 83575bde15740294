package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// resultsMax is how many results of a response are decoded. A service answers each id once; twice as
// many leave room for repeated and unknown ones.
const resultsMax = 2 * batchMax

// codec decodes each result of a response by itself, so that one that is malformed is [Invalid] and
// leaves the others as they are. name is that of Connect's codec that it replaces.
type codec struct{ name string }

const (
	jsonCodec  = "json"
	protoCodec = "proto"
)

// Name implements [connect.Codec].
func (c codec) Name() string { return c.name }

// Marshal implements [connect.Codec].
func (c codec) Marshal(message any) ([]byte, error) {
	m, isProto := message.(proto.Message)
	switch {
	case !isProto:
		return nil, fmt.Errorf("%T is no message", message)
	case c.name == jsonCodec:
		return protojson.Marshal(m)
	}
	return proto.Marshal(m)
}

// Unmarshal implements [connect.Codec].
func (c codec) Unmarshal(data []byte, message any) error {
	m, isProto := message.(proto.Message)
	if !isProto {
		return fmt.Errorf("%T is no message", message)
	}
	response := m.ProtoReflect()
	if !hasResults(response.Descriptor()) {
		return c.decode(data, m)
	}
	return c.split(data, func(name string, number protowire.Number, results [][]byte) {
		field := response.Descriptor().Fields().ByNumber(number)
		if field == nil {
			field = response.Descriptor().Fields().ByJSONName(name)
		}
		if field == nil {
			return
		}
		list := response.Mutable(field).List()
		for _, text := range results[:min(len(results), resultsMax-min(list.Len(), resultsMax))] {
			list.Append(c.result(text, list))
		}
	})
}

// hasResults reports whether a message has nothing but lists of results.
func hasResults(d protoreflect.MessageDescriptor) bool {
	for i := range d.Fields().Len() {
		if f := d.Fields().Get(i); !f.IsList() || f.Message() == nil || f.Message().Fields().ByName("id") == nil {
			return false
		}
	}
	return d.Fields().Len() > 0
}

func (c codec) decode(data []byte, m proto.Message) error {
	if c.name == jsonCodec {
		return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, m)
	}
	return proto.Unmarshal(data, m)
}

// result decodes an element of a list of results. If that fails, it returns one with the id and [malformed].
func (c codec) result(text []byte, list protoreflect.List) protoreflect.Value {
	result := list.NewElement()
	if c.decode(text, result.Message().Interface()) == nil {
		return result
	}
	result = list.NewElement()
	m := result.Message()
	m.Set(m.Descriptor().Fields().ByName("id"), protoreflect.ValueOfString(c.id(text)))
	m.SetUnknown(malformed())
	return result
}

// malformed returns an unknown field that no service sends: the last one of a reserved range.
func malformed() protoreflect.RawFields {
	return protowire.AppendVarint(protowire.AppendTag(nil, 19999, protowire.VarintType), 1)
}

func isMalformed(m proto.Message) bool {
	return bytes.Equal(m.ProtoReflect().GetUnknown(), malformed())
}

// id returns the id of a malformed result; empty if that is malformed, too.
func (c codec) id(text []byte) (id string) {
	if c.name == jsonCodec {
		forEachMember(text, func(name string, value []byte) {
			if name == "id" && json.Unmarshal(value, &id) != nil {
				id = string(value) // such as a number
			}
		})
		return strings.ToValidUTF8(id, "")
	}
	forEachField(text, func(number protowire.Number, value []byte) {
		if number == 1 {
			id = strings.ToValidUTF8(string(value), "")
		}
	})
	return id
}

// split calls each with the lists of a response, whose results it separates without decoding them. In
// JSON a list has a name, otherwise a number. What follows a malformed part is lost; the response is
// malformed if it has nothing else.
func (c codec) split(data []byte, each func(name string, number protowire.Number, results [][]byte)) error {
	var whole bool
	lists, others := 0, 0
	if c.name == jsonCodec {
		whole = forEachMember(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), func(name string, value []byte) {
			switch {
			case bytes.HasPrefix(value, []byte("[")):
				lists++
				each(name, 0, elements(value))
			case string(value) != "null":
				others++
			}
		})
	} else {
		whole = forEachField(data, func(number protowire.Number, value []byte) {
			lists++
			each("", number, [][]byte{value})
		})
	}
	if lists == 0 && (others > 0 || !whole) {
		return errors.New("the response has no list of results")
	}
	return nil
}

// forEachField calls each for the fields of a message that have a length. It returns false if the rest
// cannot be read.
func forEachField(data []byte, each func(number protowire.Number, value []byte)) bool {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return false
		}
		size := protowire.ConsumeFieldValue(number, kind, data[n:])
		if size < 0 {
			return false
		}
		if kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(data[n:])
			each(number, value)
		}
		data = data[n+size:]
	}
	return true
}
