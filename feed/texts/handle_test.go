package texts_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/texts"
)

// imitations look like "alice", or like nothing, to a reader.
var imitations = map[string]string{
	"zero-width space":           "al\u200bice",
	"byte order mark":            "\ufeffalice",
	"bidi override":              "\u202ealice",
	"override of a mirror image": "\u202eecila\u202c",
	"Arabic line":                "alice\u0640",
	"Arabic letter mark":         "alice\u061c",
	"variation selector":         "alice\ufe0f",
	"tag characters":             "alice\U000e0061",
	"Hangul filler":              "alice\u3164",
	"braille blank":              "alice\u2800",
	"NUL":                        "alice\x00",
	"trailing space":             "alice ",
	"no-break space":             "alice\u00a0",
	"invalid UTF-8":              "alice\xff",
	"Cyrillic a":                 "\u0430lice",
	"Cyrillic throughout":        "\u0430\u04cf\u0456\u0441\u0435",
	"Cyrillic capital":           "\u0410lice",
	"small capitals":             "\u1d00\u029f\u026a\u1d04\u1d07",
	"a letter without case":      "\ua4eelice",
	"Greek alpha":                "\u03b1lice",
	"Greek lunate sigma":         "ali\u03f2e",
	"Cherokee capital":           "\u13aalice",
	"dotless i":                  "al\u0131ce",
	"capital I with a dot":       "al\u0130ce",
	"i and a dot above":          "ali\u0307ce",
	"capital I for l":            "aIice",
	"digit for l":                "a1ice",
	"dental click for l":         "a\u01c0ice",
	"Arabic alef for l":          "a\u0627ice",
	"vertical bar for l":         "a|ice",
	"line below":                 "alice\u0332",
	"line through":               "a\u0336l\u0336i\u0336c\u0336e\u0336",
	"full-width":                 "\uff41\uff4c\uff49\uff43\uff45",
	"mathematical":               "\U0001d41a\U0001d425\U0001d422\U0001d41c\U0001d41e",
	"Roman numeral":              "al\u2170ce",
	"long capitals":              "ALICE",
	"leading dot":                ".alice",
	"trailing dot":               "alice.",
	"one dot leader":             "alice\u2024",
	"at sign":                    "@alice",
	"empty":                      "",
	"only invisible":             "\u200b\u200b",
	"only blank braille":         "\u2800",
	"dot":                        ".",
	"two dots inside":            "al..ice",
	"three dots in one":          "al\u2026ice",
	"tag of HTML":                "<script>",
	"emoji":                      "alice🌊",
}

// No imitation is a new handle whose skeletons differ from those of what it imitates.
func TestNewHandle_RefusesOrFoldsImitations(t *testing.T) {
	alice := texts.Skeletons("alice")
	for name, s := range imitations {
		handle, fault := texts.NewHandle(s)
		free := !slices.ContainsFunc(texts.Skeletons(handle), func(s string) bool { return slices.Contains(alice, s) })
		if fault == "" && free {
			t.Errorf("%s: %+q is the new handle %+q with skeletons %+q, want a fault or one of %q", name, s, handle, texts.Skeletons(handle), alice)
		}
	}
}

// Handles of every script are accepted, and stored as they are.
func TestNewHandle_AcceptsOrdinaryHandles(t *testing.T) {
	for _, s := range []string{
		"a", "7", "alice", "AnnSmith", "ann_smith-7", "a.b", "_", "-", "josé", "Straße", "Łukasz", "Nguyễn", "пётр", "Ελένη", "名前",
		"東京tower", "さくらー", "한국어", "भारत", "ไทย", "שלום", "محمد", "علي١٢", "हिन्दी", strings.Repeat("x", 64), strings.Repeat("字", 64),
	} {
		if handle, fault := texts.NewHandle(s); handle != s || fault != "" {
			t.Errorf("%+q is the new handle %+q with fault %q, want itself", s, handle, fault)
		}
	}
	for _, s := range []string{strings.Repeat("x", 65), strings.Repeat("𐐀", 65), strings.Repeat("\ufdfa", 64), strings.Repeat("x", 1<<20), "\u0301a", "кате-a", "a\u0660"} {
		if handle, fault := texts.NewHandle(s); fault == "" {
			t.Errorf("%.80q is the new handle %.80q, want a fault", s, handle)
		}
	}
}

// What the data of the standard leads to a capital is a lookalike of the small letter.
func TestSkeletons_IgnoreCaseOfLookalikes(t *testing.T) {
	for a, b := range map[string]string{"max": "\ua4dfax", "bob": "b0b", "kate": "\u0138ate", "rn": "m", "MAX": "rnax"} {
		if !slices.ContainsFunc(texts.Skeletons(a), func(s string) bool { return slices.Contains(texts.Skeletons(b), s) }) {
			t.Errorf("%q has the skeletons %q and %q has %q, want one in common", a, texts.Skeletons(a), b, texts.Skeletons(b))
		}
	}
}

// Handles that differ to a reader have no skeleton in common.
func TestSkeletons_KeepDifferentHandlesApart(t *testing.T) {
	handles := []string{"alice", "alicia", "alise", "malice", "alice1", "alice_", "al_ice", "al.ice", "mail", "mall", "bill", "пётр", "петр", "petr", "josé", "jose", "名前"}
	for i := range 400 {
		handles = append(handles, "user"+strings.Repeat("x", i/100)+string(rune('0'+i%10))+string(rune('0'+i/10%10)))
	}
	owners := map[string]string{}
	for _, h := range handles {
		for _, s := range texts.Skeletons(h) {
			if other, taken := owners[s]; taken && other != h {
				t.Errorf("%q and %q have the skeleton %q in common", h, other, s)
			}
			owners[s] = h
		}
	}
}

// Folding twice is folding once, and a form of a handle folds like the handle.
func TestFold_IsOneForm(t *testing.T) {
	for _, forms := range [][]string{
		{"alice", "Alice", "ALICE", "ａｌｉｃｅ", "Ⓐlice", "𝐚lice"},
		{"strasse", "Straße", "STRASSE", "straẞe"},
		{"σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ"},
		{"é", "É", "e\u0301", "E\u0301"},
		{"ﬁn", "fin", "FIN"},
	} {
		for _, form := range forms {
			if got, want := texts.Fold(form), texts.Fold(forms[0]); got != want || texts.Fold(got) != got {
				t.Errorf("%+q folds to %+q, and that to %+q, want %+q", form, got, texts.Fold(got), want)
			}
		}
	}
}

// Fuzz: whatever comes in, an accepted handle is stored in a form that is accepted again
// and found by either form.
func FuzzNewHandle(f *testing.F) {
	for _, s := range imitations {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		handle, fault := texts.NewHandle(s)
		if fault != "" {
			return
		}
		again, fault := texts.NewHandle(handle)
		if again != handle || fault != "" {
			t.Errorf("%+q is stored as %+q, which is %+q with fault %q", s, handle, again, fault)
		}
		if texts.Fold(s) != texts.Fold(handle) {
			t.Errorf("%+q folds to %+q, and its stored form to %+q", s, texts.Fold(s), texts.Fold(handle))
		}
	})
}
