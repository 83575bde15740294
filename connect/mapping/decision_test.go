package mapping_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// decided is a rule with the members of a table of decisions.
func decided(typ, tables string) string {
	return "inputs:\n  a:\n    - type: " + typ + "\n      decides: " + tables + "\n      fields: {id: =data.id}\n"
}

func TestDecisions_SayWhoMaySee(t *testing.T) {
	const tables = `{data.who: {0: PUBLIC, 2: FOLLOWERS, 3: hidden}, data.draft: {true: hidden, false: shown, null: shown}, data.by: {null: shown, "*": hidden}, data.lang: nothing}`
	for data, want := range map[string]string{
		`{"id":1,"who":0,"draft":false,"by":null}`: `{"type":"post","id":"1","audience":"PUBLIC"}`,
		`{"id":1,"who":2,"draft":null,"by":null}`:  `{"type":"post","id":"1","audience":"FOLLOWERS"}`,
		`{"id":1,"who":3,"draft":false,"by":null}`: "",
		`{"id":1,"who":0,"draft":true,"by":null}`:  "",
		`{"id":1,"who":0,"draft":false,"by":17}`:   "",
		`{"id":1,"who":7,"draft":true,"by":null}`:  "", // hidden in any case
		`{"id":1,"who":7,"draft":false,"by":null}`: `{"type":"post","id":"1","unclear":"mapping, line 4: data.who is \"7\", which decides nothing in the mapping"}`,
		`{"id":1,"who":0,"draft":"no","by":null}`:  `{"type":"post","id":"1","unclear":"mapping, line 4: data.draft is \"no\", which decides nothing in the mapping"}`,
		`{"id":1,"who":null,"draft":null}`:         `{"type":"post","id":"1","unclear":"mapping, line 4: data.who is \"null\", which decides nothing in the mapping"}`,
		`{"id":1,"draft":null,"by":null}`:          `{"type":"post","id":"1","unclear":"mapping, line 4: no such key: who"}`,
		`{"id":1,"who":[0],"draft":null}`:          `{"type":"post","id":"1","unclear":"mapping, line 4: data.who is \"\", which decides nothing in the mapping"}`,
	} {
		if got := records(t, parse(t, decided("post", tables)), "a", data); got != want {
			t.Errorf("%s makes %s, want %s", data, got, want)
		}
	}
	for value, want := range map[string]string{"0": `,"private":false}`, "2": `,"private":true}`, "1": `}`} {
		got := records(t, parse(t, decided("user", "{data.who: {0: PUBLIC, 1: shown, 2: FOLLOWERS}}")), "a", `{"id":1,"who":`+value+`}`)
		if got != `{"type":"user","id":"1"`+want {
			t.Errorf("an account with %s makes %s", value, got)
		}
	}
}

func TestDecisions_HideNextToAnAudience(t *testing.T) {
	m := parse(t, "inputs:\n  a:\n    - {type: post, decides: {data.draft: {true: hidden, false: shown}}, fields: {id: =data.id, audience: FOLLOWERS}}")
	for draft, want := range map[string]string{"true": "", "false": `{"type":"post","id":"1","audience":"FOLLOWERS"}`} {
		if got := records(t, m, "a", `{"id":1,"draft":`+draft+`}`); got != want {
			t.Errorf("draft %s makes %s, want %s", draft, got, want)
		}
	}
}

func TestParse_RefusesUndecided(t *testing.T) {
	for file, want := range map[string]string{
		decided("post", "{data.who: DECIDE 0 (17 rows), data.lang: nothing}"):                                         `line 4: data.who is undecided (0 (17 rows)): write who may see which value`,
		decided("post", `{data.who: {0: PUBLIC, 1: DECIDE}}`):                                                         `line 4: 1 is undecided (no values are known)`,
		decided("post", "{data.who: perhaps}"):                                                                        `line 4: data.who needs a table such as`,
		decided("post", "{data.who: {0: REQUESTED}}"):                                                                 `line 4: "REQUESTED" says nothing about a post; write one of shown, PUBLIC, FOLLOWERS, hidden`,
		decided("like", "{data.who: {0: hidden}}"):                                                                    `line 3: records of type like are not decided about`,
		"inputs:\n  a:\n    - {type: post, when: DECIDE, fields: {id: =data.id}}":                                     `line 3: the condition is undecided`,
		"inputs:\n  a:\n    - {type: post, fields: {id: DECIDE which}}":                                               `line 3: the field id is undecided (which)`,
		"inputs:\n  a:\n    - {type: post, decides: {data.v: {0: PUBLIC}}, fields: {id: =data.id, audience: PUBLIC}}": `line 3: decisions set the field "audience"; remove it`,
	} {
		_, err := mapping.Parse([]byte(file), options())
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the mistakes of\n%sare %v, want %s", file, err, want)
		}
	}
}
