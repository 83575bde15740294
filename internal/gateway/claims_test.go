package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// damagedClaims are JSON values that decoding would alter.
var damagedClaims = map[string]string{
	"high surrogate alone":  `"a\ud83d"`,
	"low surrogate alone":   `"\ude00a"`,
	"surrogates turned":     `"\ude00\ud83d"`,
	"invalid UTF-8":         "\"a\xff\"",
	"cut UTF-8":             "\"a\xf0\x9f\x98\"",
	"surrogate in UTF-8":    "\"\xed\xa0\xbd\"",
	"overlong encoding":     "\"\xc0\xaf\"",
	"beside a valid escape": `"\u00e9\ud83d"`,
}

func TestVerify_DropsDamagedClaims(t *testing.T) {
	for name, value := range damagedClaims {
		for _, claim := range []string{"preferred_username", "name", "picture"} {
			claims := map[string]string{"preferred_username": `"ann"`, "name": `"Ann \ud83d\ude00"`, "picture": `"https://example.org/a.png"`}
			claims[claim] = value
			body := `{"sub":"7","exp":1715950800,"preferred_username":` + claims["preferred_username"] + `,"name":` + claims["name"] + `,"picture":` + claims["picture"] + `}`
			got, err := testTokens().Verify(t.Context(), forge(hs256, body, testSecret))
			noError(t, err)
			want := map[string]string{"preferred_username": "ann", "name": "Ann 😀", "picture": "https://example.org/a.png"}
			want[claim] = ""
			have := map[string]string{"preferred_username": got.Handle, "name": got.Name, "picture": got.Picture}
			wantEqual(t, want, have, "%s in %s: claims", name, claim)
			wantEqual(t, claim, got.Damaged, "%s in %s: damaged claims", name, claim)
		}
	}
}

func TestIdentify_LogsDamagedClaimsOnce(t *testing.T) {
	log, out := newLog()
	h := Identify(Authenticator{Verifier: testTokens(), Attach: keep, Log: log}, http.NotFoundHandler())
	token := forge(hs256, `{"sub":"7","exp":1715950800,"name":"\ud83d","preferred_username":"ann"}`, testSecret)
	for range 3 {
		serve(h, withBearer(localRequest(http.MethodGet, "/graphql", ""), token))
	}
	wantEqual(t, 1, strings.Count(out.String(), "ignored claims that are not valid Unicode"), "the lines about claims")
	wantContains(t, out.String(), "claims=name", "user=7")
}
