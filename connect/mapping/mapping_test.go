package mapping_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

func options() mapping.Options {
	return mapping.Options{
		Fields: func(typ string) ([]string, bool) {
			return []string{"id", "author", "text", "tags", "publishedAt", "audience", "deletedAt", "version", "partial"}, slices.Contains([]string{"post", "user", "like"}, typ)
		},
		Variables: []mapping.Variable{{Name: "data"}, {Name: "key", Type: mapping.Text}, {Name: "headers", Type: mapping.Texts}, {Name: "time", Type: mapping.Time}},
	}
}

const articles = `
inputs:
  article:
    - type: post
      when: data.state != "draft"
      fields:
        id: =data.id
        author: =data.author.id
        text: =data.title + " by " + headers["by"]
        tags: =data.tags.filter(t, t != "x")
        publishedAt: =millis(data.at)
        deletedAt: '=data.state == "gone" ? time : null'
        version: =data.version
        partial: true
    - type: user
      fields: {id: "=data.author.id", text: 7, tags: [a, b]}
  ignored: []
`

func parse(t *testing.T, text string) *mapping.Mapping {
	t.Helper()
	m, err := mapping.Parse([]byte(text), options())
	check(t, err)
	return m
}

func variables(t *testing.T, data string) map[string]any {
	t.Helper()
	v, err := mapping.Value([]byte(data))
	check(t, err)
	return map[string]any{
		"data": v, "key": "k", "headers": map[string]string{"by": "ann"}, "time": time.Date(2026, 5, 1, 12, 0, 0, 7e6, time.UTC),
	}
}

func records(t *testing.T, m *mapping.Mapping, kind, data string) string {
	t.Helper()
	list, err := m.Records(kind, variables(t, data))
	check(t, err)
	var out []string
	for _, r := range list {
		out = append(out, string(r))
	}
	return strings.Join(out, "\n")
}

func TestRecords_FollowRules(t *testing.T) {
	m := parse(t, articles)
	user := `{"type":"user","id":"9223372036854775807","text":"7","tags":["a","b"]}`
	for data, want := range map[string]string{
		`{"id":12345678901234567890,"state":"live","title":"<\"é\"","tags":["x","y"],"at":1700000000123,"version":3.0,"author":{"id":9223372036854775807}}`: `{"type":"post","id":"12345678901234567890","author":"9223372036854775807","text":"\u003c\"é\" by ann","tags":["y"],"publishedAt":"2023-11-14T22:13:20.123Z","version":"3","partial":true}` + "\n" + user,
		`{"id":"a","state":"gone","title":"","tags":[],"at":0,"version":1,"author":{"id":"9223372036854775807"}}`:                                           `{"type":"post","id":"a","author":"9223372036854775807","text":" by ann","tags":[],"publishedAt":"1970-01-01T00:00:00.000Z","deletedAt":"2026-05-01T12:00:00.007Z","version":"1","partial":true}` + "\n" + user,
		`{"state":"draft","author":{"id":"9223372036854775807"}}`:                                                                                           user,
	} {
		if diff := cmp.Diff(want, records(t, m, "article", data)); diff != "" {
			t.Error(diff)
		}
	}
	if got := records(t, m, "ignored", `{}`); got != "" {
		t.Errorf("an ignored input makes %s", got)
	}
}

func TestRecords_ReportsFailures(t *testing.T) {
	rule := func(field string) string {
		return "inputs:\n  a:\n    - type: like\n      fields:\n        id: " + field
	}
	for name, c := range map[string]struct{ file, kind, want string }{
		"a missing key":      {rule("=data.nothing"), "a", "mapping, line 5: no such key: nothing"},
		"an unknown kind":    {rule("x"), "b", `the mapping has no input "b"`},
		"a fraction":         {rule("=1.5"), "a", "1.5 is not a whole number"},
		"a duration":         {rule(`=duration("1s")`), "a", "cannot be in a record"},
		"a costly one":       {rule("'=data.list.all(a, data.list.all(b, data.list.all(c, a + b + c >= 0)))'"), "a", "cost limit"},
		"no condition":       {"inputs:\n  a:\n    - {type: like, when: data.list, fields: {}}", "a", "line 3: the condition is a list"},
		"the wrong overload": {rule("=millis(data.text)"), "a", "no such overload"},
	} {
		t.Run(name, func(t *testing.T) {
			list := "[" + strings.Repeat("1,", 200) + "1]"
			_, err := parse(t, c.file).Records(c.kind, variables(t, `{"text":"x","list":`+list+`}`))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
		})
	}
}

func TestRecords_ReadTimesOfIDs(t *testing.T) {
	const when = "2024-05-01T12:00:00.123Z"
	for expression, want := range map[string]string{
		// The number of milliseconds since 1970 is 1714564800123.
		`snowflakeTime(data.id, 1288834974657, 22)`:                     when,
		`snowflakeTime(string(data.id), 1288834974657, 22)`:             when,
		`snowflakeTime(data.id, 0, 0)`:                                  "is not between the years 1970 and 9999",
		`snowflakeTime("x7", 0, 16)`:                                    `snowflakeTime: "x7" is no whole number`,
		`snowflakeTime(-1, 0, 16)`:                                      `"-1" is no whole number`,
		`snowflakeTime(1, 0, 63)`:                                       "0 to 62 lower bits, not 63",
		`snowflakeTime(1714564800123 * 65536 + 7, 0, 16)`:               when,
		`ulidTime(data.ulid)`:                                           when,
		`ulidTime("01HW")`:                                              `ulidTime: "01HW" has less than 10 digits`,
		`ulidTime("01HWTUUUUU0000000000000000")`:                        "has a digit that is none of 0123",
		`base36Time(data.aid, 946684800000)`:                            when,
		`base36Time("9st000!!00", 946684800000)`:                        "has a digit that is none of 0123",
		`base36Time(data.id, 0)`:                                        "no such overload",
		`parseTime("2024-05-01 14:00:00.123 +0200", data.layout)`:       when,
		`parseTime("1.5.2024 12:00", "2.1.2006 15:04")`:                 "2024-05-01T12:00:00.000Z",
		`parseTime("1.5.2024", "2.1.2006 15:04")`:                       `parseTime: "1.5.2024" does not have the layout "2.1.2006 15:04"`,
		`parseTime(data.ulid.replace("0", data.layout), "2.1.2006 15")`: "at most 100 bytes",
		`millis(1714564800123)`:                                         when,
		`base36Time("zzzzzzzz", 9223372036854775807)`:                   "is not between the years 1970 and 9999",
	} {
		file := "inputs:\n  a:\n    - type: like\n      fields:\n        publishedAt: '=" + expression + "'"
		got, err := parse(t, file).Records("a", variables(t, `{"id":1785640309871345671,"ulid":"01HWT0D7KV0000000000000000","aid":"9srbxc3f01","layout":"2006-01-02 15:04:05.000 -0700"}`))
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && !strings.Contains(string(got[0]), `"publishedAt":"`+want+`"`) {
			t.Errorf("%s makes %s, %v, want %s", expression, got, err, want)
		}
	}
}

// Each takes gigabytes or minutes if its cost is counted afterwards, or not at all.
func TestRecords_BoundWorkBeforeIt(t *testing.T) {
	const long, half, short = 900_000, 300_000, 1_000
	input := fmt.Sprintf(`{"long":%q,"half":%q,"list":[%s1]}`, strings.Repeat("a", long), "b"+strings.Repeat("a", half)+"b", strings.Repeat("1,", short))
	for _, expression := range []string{
		`data.long.replace("", data.long)`,
		`data.long.replace("a", data.long, 5000)`,
		`data.list.map(x, data.long).join(",")`,
		`data.list.map(x, "").join(data.long)`,
		`"%s".format([data.list.map(x, data.long)])`,
		`"%s".format([{"a": data.list.map(x, {"b": data.long})}])`,
		`data.list.map(x, "%s".format([data.long]))`,
		`data.list.map(x, data.long + data.long)`,
		`data.list.all(x, size(data.long) > 0)`,
		`data.list.all(x, data.long < data.long + "b")`,
		`(data.long + data.long).split("")`,
		`data.long.indexOf(data.half.substring(1))`,
		`data.long.lastIndexOf(data.half)`,
		`data.long.matches(data.half)`,
		`data.long.contains(data.long + "b")`,
		`7 in ` + doubled("data.list", 24),
		doubled("data.list", 24),
		doubled("data.long", 24),
		`data.list.map(x, data.long)`,
		`{"a": data.list.map(x, data)}`,
	} {
		m := parse(t, "inputs:\n  a:\n    - type: like\n      fields:\n        tags: '="+strings.ReplaceAll(expression, "'", "''")+"'\n")
		variables := variables(t, input)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		list, err := m.Records("a", variables)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), "cost limit") && !strings.Contains(err.Error(), "the value is longer than") {
			t.Errorf("%.80s makes %d records, %v", expression, len(list), err)
		}
		// Some of the arguments are copied, up to the limit.
		if made := after.TotalAlloc - before.TotalAlloc; made > 64*long {
			t.Errorf("%.80s allocates %d MiB", expression, made>>20)
		}
	}
}

// doubled returns an expression that appends a value to itself, so many times.
func doubled(value string, times int) string {
	return "[" + value + "]" + strings.Repeat(".map(x, x + x)", times) + "[0]"
}

func TestRecords_PriceAllowsLongTexts(t *testing.T) {
	long := strings.Repeat("a b", 50_000)
	m := parse(t, `{"inputs": {"a": [{"type": "post", "fields": {"text": "=data.t.replace(\"a\", \"cd\").split(\" \").join(\"-\") + \"%s\".format([data.t])"}}]}}`)
	want := `{"type":"post","text":"` + strings.ReplaceAll(strings.ReplaceAll(long, "a", "cd"), " ", "-") + long + `"}`
	if got := records(t, m, "a", fmt.Sprintf(`{"t":%q}`, long)); got != want {
		t.Errorf("a long text makes %d bytes, want %d", len(got), len(want))
	}
}

func TestRecords_OtherInputsHaveAnAsterisk(t *testing.T) {
	m := parse(t, `{"inputs": {"*": [{"type": "post", "fields": {"id": "=key"}}]}}`)
	if got := records(t, m, "any", `null`); got != `{"type":"post","id":"k"}` {
		t.Errorf("the records are %s", got)
	}
}

func TestParse_NamesLinesOfMistakes(t *testing.T) {
	_, err := mapping.Parse([]byte(`
inputs:
  a:
    - type: article
      fields: {}
    - type: post
      when: 1 + 1
      fields:
        id: =dta.id
        color: red
        text: {a: 1}
        tags: [a, [b]]
        version: ~
    - when: true
      other: 1
  a: []
  b: 7
more: 1
`), options())
	want := `line 4: "article" is not a type of records
line 6: records of type post have no field "color"
line 7: the condition "1 + 1" is a int, and must be true or false
line 9: the expression "dta.id": undeclared reference to 'dta' (did you mean 'data'?)
line 11: a field is a text, a number, true, false, a list of texts, or "=" and an expression
line 12: a constant list has texts only
line 13: a field is a text, a number, true, false, a list of texts, or "=" and an expression
line 14: "type" is missing
line 14: "fields" is missing
line 15: "other" is not known here
line 16: "a" is here twice
line 17: a list of rules must be here; an empty one ignores the input
line 18: "more" is not known here`
	if err == nil {
		t.Fatal("a file with mistakes is accepted")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
}

func TestParse_RefusesOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":          "line 1: the file is empty",
		"a: [":      "not YAML or JSON: line",
		"7":         "line 1: an object must be here",
		"inputs: 7": "line 1: an object must be here",
	} {
		if _, err := mapping.Parse([]byte(text), options()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the error is %v, want %q", text, err, want)
		}
	}
}

func TestValue_RefusesOtherTexts(t *testing.T) {
	for _, text := range []string{"", "x", "1 2", `{"a":1}]`} {
		if v, err := mapping.Value([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, v)
		}
	}
}

func TestUses_NamesMembers(t *testing.T) {
	for source, want := range map[string]string{
		`data.a + data["b c"] + headers["x"]`:                  "a, b c",
		`data.list.exists(e, e == data.x) ? key : data.list.y`: "list, list, x",
		`has(data.a)`:       "a",
		`key`:               "",
		`data[key]`:         "whole",
		`headers[data]`:     "whole",
		`"a" in data`:       "whole",
		`[data].size() > 0`: "whole",
	} {
		m := parse(t, "inputs:\n  a:\n    - {type: post, fields: {id: '="+source+"'}}")
		names, whole := m.Inputs[0].Rules[0].Fields[0].Uses("data")
		slices.Sort(names)
		got := strings.Join(names, ", ")
		if whole {
			got = "whole"
		}
		if got != want {
			t.Errorf("%s uses %q, want %q", source, got, want)
		}
	}
}

func TestParse_ReadsZones(t *testing.T) {
	o := options()
	o.Zone = true
	m, err := mapping.Parse([]byte("zone: Europe/Berlin\ninputs: {}"), o)
	if err != nil || m.Zone.String() != "Europe/Berlin" {
		t.Errorf("the zone is %v, the error %v", m.Zone, err)
	}
	for _, zone := range []string{"Berlin", "Local", "''"} {
		if _, err := mapping.Parse([]byte("inputs: {}\nzone: "+zone), o); err == nil || !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("the zone %s has the error %v", zone, err)
		}
	}
	if _, err := mapping.Parse([]byte("zone: UTC\ninputs: {}"), options()); err == nil {
		t.Error("a zone is accepted where there is none")
	}
}

func TestRecords_UseMembersAndFailures(t *testing.T) {
	o := options()
	o.Variables = []mapping.Variable{{Name: "row", Type: mapping.Members}}
	m, err := mapping.Parse([]byte("inputs:\n  a:\n    - {type: like, fields: {id: =row.n, publishedAt: =row.at, text: =row.bad}}\n  b:\n    - {type: like, fields: {id: =row.n, publishedAt: =row.at, tags: =row.list}}"), o)
	check(t, err)
	row := map[string]any{"row": map[string]any{
		"n": int64(7), "at": time.Date(2026, 5, 1, 12, 0, 0, 7e6, time.UTC), "list": []any{"x", int64(1)}, "bad": mapping.Failure(errors.New("too old")),
	}}
	if _, err := m.Records("a", row); err == nil || err.Error() != "mapping, line 3: too old" {
		t.Errorf("the error is %v", err)
	}
	list, err := m.Records("b", row)
	if want := `{"type":"like","id":"7","publishedAt":"2026-05-01T12:00:00.007Z","tags":["x","1"]}`; err != nil || string(list[0]) != want {
		t.Errorf("the records are %s, the error %v", list, err)
	}
}

// Without an audience the post would be for everyone, and without a record it would stay as it is.
func TestRecords_SayThatTheyAreUnclear(t *testing.T) {
	m := parse(t, `
inputs:
  a:
    - {type: post, when: 'data.v != "x"', fields: {id: =data.id, audience: '=data.v == 2 ? "FOLLOWERS" : data.v == 1 ? "PUBLIC" : data.none'}}
`)
	for data, want := range map[string]string{
		`{"id":7,"v":1}`:             `"audience":"PUBLIC"}`,
		`{"id":7,"v":2}`:             `"audience":"FOLLOWERS"}`,
		`{"id":7,"v":3}`:             `"unclear":"mapping, line 4: no such key: none"}`,
		`{"id":7}`:                   `"unclear":"mapping, line 4: no such key: v"}`,
		`{"id":7,"v":3,"none":null}`: `"unclear":"mapping, line 4: the field \"audience\" is null, which does not say who may see the object"}`,
	} {
		list, err := m.Records("a", variables(t, data))
		if want := `{"type":"post","id":"7",` + want; err != nil || string(list[0]) != want {
			t.Errorf("%s makes %s, the error is %v", data, list, err)
		}
	}
}

// Members as they are have a way of their own, with the same result.
func TestRecords_PlainMembersEqualOthers(t *testing.T) {
	o := options()
	o.Variables = []mapping.Variable{{Name: "row", Type: mapping.Members}}
	m, err := mapping.Parse([]byte("inputs:\n  plain:\n    - {type: like, fields: {id: =row.v}}\n  other:\n    - {type: like, fields: {id: '=[row.v][0]'}}"), o)
	check(t, err)
	for _, v := range []any{
		nil, "", "a\n\"<\u2028é\xff", int64(-1 << 63), uint64(1 << 63), 7.0, true, time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.FixedZone("", 3600)),
		[]any{"x"},
		mapping.Failure(errors.New("no")), 1.5,
	} {
		row := map[string]any{"row": map[string]any{"v": v}}
		plain, err := m.Records("plain", row)
		other, otherErr := m.Records("other", row)
		if (err == nil) != (otherErr == nil) || !slices.EqualFunc(plain, other, bytes.Equal) {
			t.Errorf("%v: %s (%v) and %s (%v)", v, plain, err, other, otherErr)
		}
	}
	if _, err := m.Records("plain", map[string]any{"row": map[string]any{}}); err == nil {
		t.Error("a missing member is no error")
	}
}

func TestRecords_ObjectsKeepNumbers(t *testing.T) {
	const data = `{"id": 7, "more": {"n": 1, "big": 9007199254740993, "f": 1.5, "l": [1, {"a": null}], "t": "<"}}`
	for expression, want := range map[string]string{
		`data.more`:                              `{"big":9007199254740993,"f":1.5,"l":[1,{"a":null}],"n":1,"t":"\u003c"}`,
		`{"id": data.id, "at": time, "of": "x"}`: `{"at":"2026-05-01T12:00:00.007Z","id":7,"of":"x"}`,
	} {
		m := parse(t, "inputs:\n  a:\n    - type: post\n      fields: {tags: '="+expression+"'}\n")
		got, err := m.Records("a", variables(t, data))
		if want = `{"type":"post","tags":` + want + `}`; err != nil || len(got) != 1 || string(got[0]) != want {
			t.Errorf("%s makes %s, want %s: %v", expression, got, want, err)
		}
	}
}

func templateOf(t *testing.T, text string) *mapping.Template {
	t.Helper()
	parts := []mapping.Part{{Name: "all.of", Required: true, Variables: []mapping.Variable{{Name: "data"}, {Name: "time", Type: mapping.Time}}}}
	templates, err := mapping.ParseTemplates([]byte("all: {of: "+text+"}"), parts)
	check(t, err)
	return templates["all.of"]
}

func TestTemplate_FillsInValues(t *testing.T) {
	for text, want := range map[string]string{
		`{a: =data.n, b: [=data.s, 2, x, true, null], c: =data.none, d: null}`: `{"a":9223372036854775807,"b":["text",2,"x",true,null]}`,
		`=data`:              `{"big":18446744073709551615,"list":[1.5],"n":9223372036854775807,"none":null,"s":"text"}`,
		`=time`:              `"2026-05-01T12:00:00Z"`,
		`"=data.s + \"!\""`:  `"text!"`,
		`=data.list`:         `[1.5]`,
		`=data.s == "other"`: `false`,
	} {
		v, err := mapping.Value([]byte(`{"n":9223372036854775807,"s":"text","none":null,"list":[1.5],"big":18446744073709551615}`))
		check(t, err)
		got, err := templateOf(t, text).Value(map[string]any{"data": v, "time": time.Date(2026, 5, 1, 14, 0, 0, 0, time.FixedZone("", 7200))})
		check(t, err)
		if out, err := json.Marshal(got); err != nil || string(out) != want {
			t.Errorf("%s is %s, %v, want %s", text, out, err, want)
		}
	}
}

func TestTemplate_FailuresNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n  {a: =data.none}":    "line 2: no such key: none",
		`'=[1, {"a": data.n}]'`:  "line 1: no such key: n",
		`{a: ['={1: 2}']}`:       "line 1: a member of an object has a name of type int",
		`=duration("1s")`:        "line 1: a value of type google.protobuf.Duration has no JSON",
		`=b"bytes"`:              "line 1: a value of type bytes has no JSON",
		`{a: 1, b: '=data[-1]'}`: "line 1: ",
	} {
		if _, err := templateOf(t, text).Value(map[string]any{"data": map[string]any{}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", text, err, want)
		}
	}
}

// JSON has no such numbers. A record with one of them would be a dead letter.
func TestTemplate_WritesNumbersWithoutJSONAsText(t *testing.T) {
	data := map[string]any{"list": []any{math.NaN(), math.Inf(1), math.Inf(-1), 1.5}}
	got, err := templateOf(t, `{all: =data.list, one: "=data.list[0]", made: =1.0 / 0.0}`).Value(map[string]any{"data": data})
	check(t, err)
	want := map[string]any{"all": []any{"NaN", "Infinity", "-Infinity", 1.5}, "one": "NaN", "made": "Infinity"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the values differ (-want +got):\n%s", diff)
	}
}

func TestEval_WritesNumbersWithoutJSONAsText(t *testing.T) {
	m := parse(t, `inputs: {a: [{type: post, fields: {id: x, tags: '={"score": data.n, "all": [data.n]}'}}]}`)
	got, _, err := m.Inputs[0].Rules[0].Fields[1].Eval(map[string]any{"data": map[string]any{"n": math.Inf(-1)}})
	if want := `{"all":["-Infinity"],"score":"-Infinity"}`; err != nil || got.Text != want {
		t.Errorf("the field is %s, %v, want %s", got.Text, err, want)
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
