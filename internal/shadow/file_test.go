package shadow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/mapping"
	"github.com/tideline-feeds/tideline/internal/shadow"
)

// minimal is a file without optional parts.
const minimal = "page: {posts: =body.items, next: =body.next}\npost: {id: =post.id, publishedAt: =post.at}\n"

func environment(name string) (string, bool) {
	value, set := map[string]string{"OLD_TOKEN": "very secret", "ONE": "1"}[name]
	return value, set
}

func TestParseMap_NamesEachMistake(t *testing.T) {
	for name, c := range map[string]struct{ file, want string }{
		"no YAML":           {"page: [", "not YAML or JSON: line 1:"},
		"an empty file":     {"", "line 1: the file is empty"},
		"missing parts":     {"page: {}", `line 1: "post" is missing|line 1: "posts" is missing`},
		"an unknown part":   {minimal + "request:\n  body: 1\n  url: x\n", `line 5: "url" is not known here`},
		"a constant":        {"page: {posts: items}\npost: {id: =post.id}", `line 1: "=" and an expression must be here`},
		"a query as text":   {minimal + "request:\n  query: limit=20\n", "line 4: an object must be here"},
		"a path as text":    {minimal + "request:\n  path: /feed\n", "line 4: a list must be here"},
		"no method":         {minimal + "request:\n  method: PUT\n", `line 4: the method must be GET or POST, not "PUT"`},
		"a method by user":  {minimal + "request:\n  method: =viewer\n", `line 4: the expression "viewer": undeclared reference`},
		"GET with a body":   {minimal + "request:\n  method: GET\n  body: {a: 1}\n", "line 5: a request with the method GET has no body"},
		"no such variable":  {minimal + "request:\n  headers:\n    A: =env.OTHER\n", "line 5: the environment variable OTHER is not set"},
		"all variables":     {minimal + "request:\n  headers:\n    A: =string(size(env))\n", "line 5: name environment variables"},
		"a wrong variable":  {"page: {posts: =post.items}\npost: {id: =post.id}", "line 1: the expression \"post.items\": undeclared reference to 'post'"},
		"a wrong syntax":    {minimal + "request:\n  body:\n    a: [1, =viewer +]\n", `line 5: the expression "viewer +"`},
		"a part that is it": {minimal + "request: []\n", "line 3: an object must be here"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := shadow.ParseMap([]byte(c.file), environment)
			var mistakes mapping.Mistakes
			if !errors.As(err, &mistakes) {
				t.Fatalf("the error is %v", err)
			}
			for _, want := range strings.Split(c.want, "|") {
				if !strings.Contains(err.Error()+"\n", strings.TrimSpace(want)) {
					t.Errorf("the error is\n%v\nwant %q", err, want)
				}
			}
		})
	}
}
