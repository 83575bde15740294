package texts

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

const (
	// HandleMax is the length in code points: room for a name and a domain in one line of a phone.
	HandleMax = 64
	// HandleBytes is the length of a handle in bytes.
	HandleBytes = HandleMax * utf8.UTFMax
)

const (
	faultHandleLength = "must have 1 to 64 characters"
	faultHandleHidden = "must not contain invisible or control characters"
	faultHandleSet    = "must consist of letters, digits, _, - and ."
	faultHandleDots   = "must not begin or end with a dot, nor have two dots in a row"
	faultHandleMark   = "must not begin with a combining mark"
)

// HandleFault returns what is wrong with the characters of s as a handle. A new handle must also
// pass [NewHandle].
func HandleFault(s string) string {
	if s == "" || len(s) > HandleBytes {
		return faultHandleLength
	}
	if fault := PlainFault(s); fault != "" {
		return fault
	}
	hidden := func(r rune) bool { return isControl(r) || isBidiControl(r) || isInvisible(r) }
	if strings.ContainsFunc(s, hidden) {
		return faultHandleHidden
	}
	s = norm.NFKC.String(s)
	first, _ := utf8.DecodeRuneInString(s)
	switch {
	case utf8.RuneCountInString(s) > HandleMax:
		return faultHandleLength
	case strings.ContainsFunc(s, hidden):
		return faultHandleHidden
	case strings.ContainsFunc(s, func(r rune) bool { return !inHandle(r) }):
		return faultHandleSet
	case strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.Contains(s, ".."):
		return faultHandleDots
	case unicode.IsMark(first):
		return faultHandleMark
	}
	return ""
}

func inHandle(r rune) bool {
	switch r {
	case '_', '-', '.':
		return true
	case '\u0640', '\u07fa':
		// These stretch the line between two letters. RFC 5892 disallows them in identifiers too.
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// Fold returns s for comparisons without case and compatibility variants: Unicode's NFKC with
// full case folding (definition D146 of the standard).
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	fold := cases.Fold()
	once := norm.NFKC.String(fold.String(norm.NFD.String(s)))
	return norm.NFKC.String(fold.String(once))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
