package gateway

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// payloadToken returns the token in the payload of connection_init, and whether there is one. Names
// are compared without case, hyphens and underscores. The accepted forms are
//
//	{"Authorization": "Bearer TOKEN"}
//	{"headers": {"Authorization": "Bearer TOKEN"}}
//	{"token": "TOKEN"}, also as authToken, accessToken or bearerToken, and with "Bearer "
//
// The error is [feed.CodeUnauthenticated] if there are several, if one is malformed, or if another
// field looks like a credential: such a client must not become anonymous.
func payloadToken(payload map[string]any) (token string, given bool, err error) {
	found := credentialsOf(payload)
	for name, value := range payload {
		if headers, ok := value.(map[string]any); ok && foldName(name) == "headers" {
			found = append(found, slices.DeleteFunc(credentialsOf(headers), func(c credential) bool { return !c.needsScheme })...)
		}
	}
	switch {
	case len(found) > 1:
		return "", true, refused("connection_init has several tokens", nil)
	case len(found) == 1:
		token, err = found[0].token()
		return token, true, err
	}
	if name, ok := findCredential(payload); ok {
		return "", true, feed.Errorf(feed.CodeUnauthenticated,
			`the field %+.20q of connection_init is unknown; send {"Authorization": "Bearer TOKEN"}`, name)
	}
	return "", false, nil
}

// payloadActFor returns the values of [ActForHeader] in the payload of connection_init, also in its
// headers. A value that is not text becomes an invalid id. The error is [feed.CodeBadInput] for
// other fields whose names begin like that, such as [ActForEncodedHeader]: a service that sends one
// must not act as itself.
func payloadActFor(payload map[string]any) ([]string, error) {
	users, err := actForIn(payload)
	for name, value := range payload {
		if headers, ok := value.(map[string]any); ok && foldName(name) == "headers" {
			more, inHeaders := actForIn(headers)
			users, err = append(users, more...), cmp.Or(err, inHeaders)
		}
	}
	return users, err
}

func actForIn(object map[string]any) (users []string, err error) {
	for name, value := range object {
		switch folded := foldName(name); {
		case folded == foldName(ActForHeader):
			user, _ := value.(string)
			users = append(users, user)
		case strings.HasPrefix(folded, foldName(ActForHeader)):
			err = feed.Errorf(feed.CodeBadInput, "the field %+.30q of connection_init is unknown; send %s with the id as it is", name, ActForHeader)
		}
	}
	return users, err
}

type credential struct {
	name  string
	value any
	// needsScheme reports that the value must begin with the scheme Bearer.
	needsScheme bool
}

func credentialsOf(object map[string]any) []credential {
	var found []credential
	for name, value := range object {
		switch folded := foldName(name); {
		case folded == "authorization":
			found = append(found, credential{name, value, true})
		case slices.Contains([]string{"token", "authtoken", "accesstoken", "bearertoken"}, folded):
			found = append(found, credential{name, value, false})
		}
	}
	return found
}

func (c credential) token() (string, error) {
	text, _ := c.value.(string)
	token, bearer := bearerOf(text)
	if !bearer && !c.needsScheme {
		token = text
	}
	switch {
	case token != "":
		return token, nil
	case c.needsScheme:
		return "", feed.Errorf(feed.CodeUnauthenticated, `the field %+.20q of connection_init must be "Bearer TOKEN"`, c.name)
	}
	return "", feed.Errorf(feed.CodeUnauthenticated, "the field %+.20q of connection_init must be a token or be omitted", c.name)
}

func foldName(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// findCredential returns the name of a field, at any depth, whose name or value looks like a
// credential.
func findCredential(object map[string]any) (string, bool) {
	for name, value := range object {
		if namesCredential(name) || holdsCredential(value) {
			return name, true
		}
	}
	return "", false
}

func holdsCredential(value any) bool {
	switch v := value.(type) {
	case string:
		_, bearer := bearerOf(strings.TrimSpace(v))
		return bearer || looksLikeToken(v)
	case map[string]any:
		_, found := findCredential(v)
		return found
	case []any:
		return slices.ContainsFunc(v, holdsCredential)
	}
	return false
}

// namesCredential reports whether a name looks like that of a credential, except for "author".
func namesCredential(name string) bool {
	folded := foldName(name)
	for _, word := range []string{
		"token", "jwt", "bearer", "credential", "password", "passwd", "secret", "cookie", "apikey", "authoriz", "authoris",
	} {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return strings.Contains(strings.ReplaceAll(folded, "author", ""), "auth")
}

func looksLikeToken(text string) bool {
	return strings.HasPrefix(strings.TrimSpace(text), "eyJ") && strings.Count(text, ".") == 2
}
