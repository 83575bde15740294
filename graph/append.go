package graph

import (
	"encoding/base64"
	"strconv"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// The functions here write values as JSON behind what is in b already. Each appendX writes
// what the executor's MarshalX does, which encoders are generated to rely on.

const hexDigits = "0123456789ABCDEF"

// appendString writes a text in quotes. Bytes that are no UTF-8 go through as they are, as
// the executor lets them.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := plain(s, 0); i < len(s); i = plain(s, start) {
		b = append(b, s[start:i]...)
		b = appendEscaped(b, s[i])
		start = i + 1
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// plain returns where the first byte at or behind from is that must be escaped; the length
// of s when there is none.
func plain(s string, from int) int {
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

func appendInt32(b []byte, n int32) []byte { return strconv.AppendInt(b, int64(n), 10) }

func appendCount(b []byte, n int64) []byte { return appendInt32(b, asInt32(n)) }

// appendDateTime writes RFC 3339 in UTC with exactly three fraction digits. The package time
// is fast at whole seconds only.
func appendDateTime(b []byte, ms int64) []byte {
	t := time.UnixMilli(ms).UTC()
	b = append(b, '"')
	b = t.AppendFormat(b, time.RFC3339)
	b[len(b)-1] = '.'
	fraction := t.Nanosecond() / int(time.Millisecond)
	return append(b, byte('0'+fraction/100), byte('0'+fraction/10%10), byte('0'+fraction%10), 'Z', '"')
}

func appendPostID(b []byte, id feed.ContentID) []byte { return appendGlobalID(b, typePost, int64(id)) }

func appendUserID(b []byte, id feed.UserID) []byte { return appendGlobalID(b, typeUser, int64(id)) }

func appendLiveSessionID(b []byte, id live.ID) []byte { return appendGlobalID(b, typeLive, int64(id)) }

func appendGlobalID(b []byte, typ string, id int64) []byte {
	b = append(b, '"')
	b = appendBareGlobalID(b, typ, id)
	return append(b, '"')
}

func appendBareGlobalID(b []byte, typ string, id int64) []byte {
	var room [maxGlobalID]byte
	plain := append(room[:0], typ...)
	plain = append(plain, ':')
	return base64.RawURLEncoding.AppendEncode(b, strconv.AppendInt(plain, id, 10))
}

func appendPostDatabaseID(b []byte, id feed.ContentID) []byte { return appendDecimal(b, int64(id)) }

func appendUserDatabaseID(b []byte, id feed.UserID) []byte { return appendDecimal(b, int64(id)) }

func appendLiveSessionDatabaseID(b []byte, id live.ID) []byte { return appendDecimal(b, int64(id)) }

func appendDecimal(b []byte, id int64) []byte {
	b = append(b, '"')
	b = strconv.AppendInt(b, id, 10)
	return append(b, '"')
}
