package wellformed

import "bytes"

// Elements splits a JSON array, by quotes and brackets alone, so an element that is no JSON ends where
// it seems to. fault says what is wrong with the array itself; empty if nothing is.
func Elements(array []byte) (list [][]byte, fault string) {
	from := array[1:]
	for {
		end := ValueEnd(from, ',')
		if element := bytes.TrimSpace(from[:end]); len(element) > 0 {
			list = append(list, element)
		}
		switch {
		case end == len(from):
			return list, "the array has no end"
		case from[end] == ',':
			from = from[end+1:]
			continue
		case from[end] == ']' && len(bytes.TrimSpace(from[end+1:])) == 0:
			return list, ""
		}
		return list, "text follows the end of the array"
	}
}

// ValueEnd returns where a JSON value ends that may be malformed: at a separator, or at a bracket that it
// does not open.
func ValueEnd(text []byte, separator byte) int {
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
