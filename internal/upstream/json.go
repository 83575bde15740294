package upstream

import (
	"bytes"
	"encoding/json"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// forEachMember calls each for the members of a JSON object. It finds their ends by brackets and quotes
// alone, so malformed values end where they seem to. It returns false if the rest cannot be read.
func forEachMember(object []byte, each func(name string, value []byte)) bool {
	rest, isObject := bytes.CutPrefix(bytes.TrimSpace(object), []byte("{"))
	for isObject && string(bytes.TrimSpace(rest)) != "}" {
		var name string
		text := rest[:wellformed.ValueEnd(rest, ':')]
		if len(text) == len(rest) || json.Unmarshal(text, &name) != nil {
			return false
		}
		rest = rest[len(text)+1:]
		end := wellformed.ValueEnd(rest, ',')
		each(name, bytes.TrimSpace(rest[:end]))
		rest = bytes.TrimPrefix(rest[end:], []byte(","))
	}
	return isObject
}

// elements returns the elements of a JSON list, as far as there are resultsMax.
func elements(list []byte) (found [][]byte) {
	rest := list[1:]
	for len(found) < resultsMax {
		end := wellformed.ValueEnd(rest, ',')
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
