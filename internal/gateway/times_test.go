package gateway

import (
	"bytes"
	"strings"
	"testing"
)

// The library would convert such numbers to times of the past, or read them from text.
func TestVerify_RefusesWrongTimesByName(t *testing.T) {
	for _, claim := range []string{"exp", "nbf", "iat"} {
		for _, value := range []string{"9223372036854775807", "1e19", "-1e19", "1e999", "9007199254740993000", `"1715950800"`, `"soon"`, "true", "[1]", "{}"} {
			body := strings.Replace(`{"sub":"7","exp":1715950800}`, "}", `,"`+claim+`":`+value+"}", 1)
			_, err := testTokens().Verify(t.Context(), forge(hs256, body, testSecret))
			if want := "the token's " + claim + " must be a number of seconds up to 2^53"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", body, err, want)
			}
		}
	}
}

// A stranger, who has no valid signature, learns nothing about the claims.
func TestVerify_TellsStrangersNothingOfTimes(t *testing.T) {
	_, err := testTokens().Verify(t.Context(), forge(hs256, `{"sub":"7","exp":1e19}`, bytes.Repeat([]byte("x"), MinSecret)))
	if err == nil || strings.Contains(err.Error(), "exp") {
		t.Errorf("the error is %v, want one that does not name exp", err)
	}
}

func TestVerify_TakesExactTimes(t *testing.T) {
	for _, times := range []string{`"exp":1715950800`, `"exp":1715950800.5`, `"exp":9007199254740992`, `"exp":1715950800,"nbf":null,"iat":0`} {
		if _, err := testTokens().Verify(t.Context(), forge(hs256, `{"sub":"7",`+times+`}`, testSecret)); err != nil {
			t.Errorf("%s: %v", times, err)
		}
	}
}

// Otherwise a token of the secret with such a time would be verified by the key set, which names no
// claim.
func TestAlgorithm_IsReadWithWrongTimes(t *testing.T) {
	for _, value := range []string{"1e999", `"soon"`, "{}"} {
		if got := algorithm(forge(hs256, `{"sub":"7","exp":`+value+`}`, testSecret)); got != "HS256" {
			t.Errorf("with exp %s the algorithm is %q", value, got)
		}
	}
}
