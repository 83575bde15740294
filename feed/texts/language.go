package texts

import (
	"errors"
	"strings"

	"golang.org/x/text/language"
)

// IsLanguage reports whether a text is a well-formed BCP 47 tag. Its subtags may be unknown.
func IsLanguage(s string) bool {
	_, err := language.Parse(s)
	var unknown language.ValueError
	return (err == nil || errors.As(err, &unknown)) && !strings.Contains(s, "_") // a form of CLDR
}
