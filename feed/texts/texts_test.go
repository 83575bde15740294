package texts_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// A text is blank if and only if nothing of it can be seen.
func TestIsBlank_SeesNothingVisible(t *testing.T) {
	for name, s := range map[string]string{
		"empty": "", "spaces": "  ", "tabs and line breaks": "\t\r\n\v\f", "no-break space": "\u00a0", "ideographic space": "\u3000",
		"next line": "\u0085", "separators of lines": "\u2028\u2029", "zero-width space": "\u200b", "joiners": "\u200c\u200d",
		"byte order mark": "\ufeff", "word joiner": "\u2060", "soft hyphen": "\u00ad", "bidi override": "\u202e", "isolates": "\u2066\u2069",
		"Hangul filler": "\u3164", "Hangul jamo fillers": "\u115f\u1160", "half-width filler": "\uffa0", "braille blank": "\u2800",
		"variation selector": "\ufe0f", "tags": "\U000e0041\U000e007f", "Mongolian separator": "\u180e", "grapheme joiner": "\u034f",
		"Khmer inherent vowels": "\u17b4\u17b5", "musical controls": "\U0001d173", "annotations": "\ufff9\ufffb", "control characters": "\x01\x7f",
		"invisible operators": "\u2061\u2064", "mixed": " \u200b\u3164\u2800\n",
	} {
		if !texts.IsBlank(s) {
			t.Errorf("%s: %+q is not blank, want blank", name, s)
		}
	}
	for _, s := range []string{"a", " . ", "\u200b!", "🌊", "👩\u200d🚀", "\u3164x", "\u0301", "\u0600", "\ufffd", "\u06dd"} {
		if texts.IsBlank(s) {
			t.Errorf("%+q is blank, want not blank", s)
		}
	}
}

func TestIsLanguage_TakesWellFormedTags(t *testing.T) {
	for s, want := range map[string]bool{
		"en": true, "pt-BR": true, "zh-Hant-TW": true, "de-1996": true, "PT-br": true, "qq-ZZ": true, "x-klingon": true, "i-klingon": true,
		"": false, "e": false, "pt_BR": false, "Portuguese": false, "en-": false, "*": false, "en US": false, "é": false,
	} {
		if got := texts.IsLanguage(s); got != want {
			t.Errorf("%q counts as a language: %t, want %t", s, got, want)
		}
	}
}

// A name or title is one visible line that does not reorder what is around it.
func TestLabelFault_RefusesHiddenCharacters(t *testing.T) {
	for s, want := range map[string]string{
		"": "visible", " \u200b ": "visible", "\u3164": "visible", "\u2800": "visible",
		"a\x00": "NUL", "a\xff": "UTF-8", "a\xed\xa0\x80": "UTF-8",
		"a\nb": "control", "a\tb": "control", "a\u0085b": "control", "a\u2028b": "control", "\x1b[31m": "control",
		"a\u202eb": "direction", "a\u2066b\u2069": "direction", "a\u200f": "direction", "\u061ca": "direction",
	} {
		if got := texts.LabelFault(s); !strings.Contains(got, want) {
			t.Errorf("the fault of %+q is %q, want one about %q", s, got, want)
		}
	}
	for _, s := range []string{"Ann", "José", "名前 \"quoted\"", "<b>", "علی\u200cرضا", "👩\u200d🚀", "🏴\U000e0067\U000e0062\U000e007f", "a\ufffdb"} {
		if got := texts.LabelFault(s); got != "" {
			t.Errorf("the fault of %+q is %q, want none", s, got)
		}
	}
}
