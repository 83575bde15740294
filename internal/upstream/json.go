package upstream

import (
	"bytes"
	"encoding/json"
)

// forEachMember calls each for the members of a JSON object. It finds their ends by brackets and quotes
// alone, so malformed values end where they seem to. It returns false if the rest cannot be read.
func forEachMember(object []byte, each func(name string, value []byte)) bool {
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(object), []byte("{"))
	for isObject && string(bytes.TrimSpace(rest)) != "}" {
		var name string
		text := rest[:valueEnd(rest, ':')]
		if len(text) == len(rest) || json.Unmarshal(text, &name) != nil {
			return false
		}
		rest = rest[len(text)+1:]
		end := valueEnd(rest, ',')
		each(name, bytes.TrimSpace(rest[:end]))
		rest = bytes.TrimPrefix(rest[end:], []byte(","))
	}
	return isObject
}

// elements returns the elements of a JSON list, as far as there are resultsMax.
func elements(list []byte) (found [][]byte) {
	rest := list[1:]
	for len(found) < resultsMax {
		end := valueEnd(rest, ',')
		if element := bytes.TrimSpace(rest[:end]); len(element) > 0 {
			found = append(found, element)
		}
		if rest = rest[end:]; !bytes.HasPrefix(rest, []byte(",")) {
			break
		}
		rest = rest[1:]
	}
	return found
}

// valueEnd returns where a value ends: at a separator, or at the bracket that closes what is around it.
func valueEnd(text []byte, separator byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case depth == 0 && (c == separator || c == ']' || c == '}'):
			return i
		case c == ']' || c == '}':
			depth--
		}
	}
	return len(text)
}
