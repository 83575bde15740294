package gateway

import (
	"net/http"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Only the header of a request may be encoded. A service that is not understood must not act as
// itself.
func TestConnect_RefusesEncodedUser(t *testing.T) {
	a := Authenticator{Verifier: testTokens(), Attach: keep}
	service := "Bearer " + mustSign(t, content)
	for name, payload := range map[string]map[string]any{
		"a field":          {"Authorization": service, "Tideline-Act-For-Encoded": "7"},
		"another spelling": {"authorization": service, "tidelineActForEncoded": "7"},
		"in headers":       {"headers": map[string]any{"Authorization": service, "Tideline-Act-For-Encoded": "7"}},
		"beside the id":    {"Authorization": service, "Tideline-Act-For": "7", "Tideline-Act-For-Encoded": "7"},
		"another end":      {"Authorization": service, "Tideline-Act-For-User": "7"},
	} {
		ctx, _, err := a.Connect(opened(t, a, localRequest(http.MethodGet, "/graphql", "")), payload)
		if feed.CodeOf(err) != feed.CodeBadInput || ctx != nil {
			t.Errorf("%s: %v, want BAD_USER_INPUT", name, err)
		}
	}
}
