package pagejson

import "strconv"

// For gqlgen's scalars, each appendX appends what graphql.MarshalX writes.

const hexDigits = "0123456789ABCDEF"

// appendString appends a quoted string. Like the executor, it copies invalid UTF-8 as it is.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := nextEscape(s, 0); i < len(s); i = nextEscape(s, start) {
		b = append(b, s[start:i]...)
		b = appendEscaped(b, s[i])
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// nextEscape returns the index of a byte to escape, at or after from; else the length of s.
func nextEscape(s string, from int) int {
	for i := from; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return i
		}
	}
	return len(s)
}

func appendEscaped(b []byte, c byte) []byte {
	switch c {
	case '\t':
		return append(b, '\\', 't')
	case '\r':
		return append(b, '\\', 'r')
	case '\n':
		return append(b, '\\', 'n')
	case '\\', '"':
		return append(b, '\\', c)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

func appendBoolean(b []byte, v bool) []byte { return strconv.AppendBool(b, v) }

func appendID(b []byte, id string) []byte { return appendString(b, id) }
