package shadow

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// The parts of a mapping file.
const (
	partMethod  = "request.method"
	partPath    = "request.path"
	partQuery   = "request.query"
	partHeaders = "request.headers"
	partBody    = "request.body"
	partPosts   = "page.posts"
	partNext    = "page.next"
	partID      = "post.id"
	partTime    = "post.publishedAt"
)

// The variables of expressions.
const (
	envVariable     = "env"
	viewerVariable  = "viewer"
	cursorVariable  = "cursor"
	numberVariable  = "number"
	bodyVariable    = "body"
	headersVariable = "headers"
	postVariable    = "post"
)

func parts() []mapping.Part {
	request := []mapping.Variable{
		{Name: viewerVariable, Type: mapping.Text}, {Name: cursorVariable}, {Name: numberVariable}, {Name: envVariable, Type: mapping.Texts},
	}
	page := []mapping.Variable{
		{Name: bodyVariable},
		{Name: headersVariable, Type: mapping.Texts},
		{Name: viewerVariable, Type: mapping.Text},
		{Name: cursorVariable},
		{Name: numberVariable},
	}
	post := []mapping.Variable{{Name: postVariable}, {Name: bodyVariable}}
	return []mapping.Part{
		{Name: partMethod, Form: mapping.ValueForm},
		{Name: partPath, Form: mapping.ListForm, Variables: request},
		{Name: partQuery, Form: mapping.ObjectForm, Variables: request},
		{Name: partHeaders, Form: mapping.ObjectForm, Variables: request},
		{Name: partBody, Variables: request},
		{Name: partPosts, Form: mapping.ExpressionForm, Required: true, Variables: page},
		{Name: partNext, Form: mapping.ExpressionForm, Variables: page},
		{Name: partID, Form: mapping.ExpressionForm, Required: true, Variables: post},
		{Name: partTime, Form: mapping.ExpressionForm, Variables: post},
	}
}

// Map says how the endpoint of another system is asked, and where its answer has what. It is safe
// for concurrent use.
type Map struct {
	parts map[string]*mapping.Template
	// method is that of requests.
	method string
	// env has the environment variables that expressions name.
	env map[string]string
}

// ParseMap returns the map of a file. lookup returns the value of an environment variable. The error
// is of type [mapping.Mistakes].
func ParseMap(text []byte, lookup func(name string) (string, bool)) (*Map, error) {
	templates, err := mapping.ParseTemplates(text, parts())
	if err != nil {
		return nil, err
	}
	m := &Map{parts: templates, env: map[string]string{}}
	var mistakes mapping.Mistakes
	fail := func(line int, format string, args ...any) {
		mistakes = append(mistakes, mapping.Mistake{Line: line, Text: fmt.Sprintf(format, args...)})
	}
	m.readMethod(fail)
	for _, name := range []string{partPath, partQuery, partHeaders, partBody} {
		if t := templates[name]; t != nil {
			m.readEnv(t, lookup, fail)
		}
	}
	return m, mistakes.Err()
}

func (m *Map) readMethod(fail func(line int, format string, args ...any)) {
	t, body := m.parts[partMethod], m.parts[partBody]
	if t == nil {
		if m.method = http.MethodGet; body != nil {
			m.method = http.MethodPost
		}
		return
	}
	value, err := t.Value(nil)
	if err != nil {
		fail(t.Line, "the method must be GET or POST, and not an expression")
		return
	}
	m.method, _ = mapping.PlainText(value)
	switch {
	case m.method != http.MethodGet && m.method != http.MethodPost:
		fail(t.Line, "the method must be GET or POST, not %.40q", m.method)
	case m.method == http.MethodGet && body != nil:
		fail(body.Line, "a request with the method GET has no body")
	}
}

// readEnv reads the environment variables that the expressions of a template name.
func (m *Map) readEnv(t *mapping.Template, lookup func(string) (string, bool), fail func(line int, format string, args ...any)) {
	for e := range t.Expressions() {
		names, whole := e.Uses(envVariable)
		if whole {
			fail(e.Line, "name environment variables, as in env.OLD_FEED_TOKEN")
		}
		for _, name := range slices.Compact(names) {
			value, set := lookup(name)
			if !set {
				fail(e.Line, "the environment variable %s is not set", name)
			}
			m.env[name] = value
		}
	}
}
