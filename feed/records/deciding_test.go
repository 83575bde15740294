package records_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/records"
)

// A wrong value of a field that says who may see an object makes the record unclear, whatever else is wrong: a
// bad record would leave on show what the value may hide.
func TestDecode_UnclearRecordsHaveAKey(t *testing.T) {
	const (
		user   = `{"type":"user","id":"7","handle":"ann","name":"Ann","createdAt":"2010-11-12T12:05:02.110Z",`
		post   = `{"type":"post","id":"7","author":"8","kind":"POST","text":"x","publishedAt":"2010-11-12T12:05:02.110Z",`
		follow = `{"type":"follow","follower":"7","followee":"8","createdAt":"2010-11-12T12:05:02.110Z",`
		live   = `{"type":"live","id":"7","host":"8","title":"x","scheduledAt":"2010-11-12T12:05:02.110Z",`
		like   = `{"type":"like","user":"7","post":"8","createdAt":"2010-11-12T12:05:02.110Z",`
		block  = `{"type":"block","user":"7","target":"8","createdAt":"2010-11-12T12:05:02.110Z",`
	)
	for line, want := range map[string]string{
		user + `"private":"perhaps"}`:                                  `the field "private" must be true or false, not "perhaps"`,
		user + `"private":null}`:                                       `the field "private" must be true or false, not ""`,
		user + `"private":[true]}`:                                     `the field "private" must be true or false, not "[true]"`,
		user + `"suspended":2}`:                                        `the field "suspended" must be true or false, not "2"`,
		user + `"deletedAt":"soon"}`:                                   `the field "deletedAt" must be a time`,
		user + `"erasedAt":{}}`:                                        `the field "erasedAt" must not be`,
		user + `"unclear":"which?"}`:                                   `which?`,
		post + `"audience":"FRIENDS"}`:                                 `the field "audience" must be PUBLIC or FOLLOWERS`,
		post + `"audience":7}`:                                         `the field "audience" must not be a number`,
		post + `"takenDown":""}`:                                       `the field "takenDown" must be true or false, not ""`,
		follow + `"state":"PENDING"}`:                                  `the field "state" must be REQUESTED or ACCEPTED, not "PENDING"`,
		follow + `"state":null}`:                                       `the field "state" must be REQUESTED or ACCEPTED, not ""`,
		follow + `"deletedAt":"yesterday"}`:                            `the field "deletedAt" must be a time`,
		live + `"deletedAt":false}`:                                    `the field "deletedAt" must not be a bool`,
		strings.Replace(post, "2010-11", "2010", 1) + `"audience":""}`: `the field "audience" must be PUBLIC or FOLLOWERS`,
		`{"type":"user","id":"7","createdAt":"now","private":"x"}`:     `the field "private" must be true or false, not "x"`,
	} {
		got, err := records.Format{}.Decode([]byte(line))
		if err != nil || !strings.HasPrefix(got.Unclear, want) {
			t.Errorf("%s\nis unclear because %q (%v), want %q", line, got.Unclear, err, want)
			continue
		}
		if o := got.Object(); o.A == 0 {
			t.Errorf("%s\nhas no key", line)
		}
	}
	for line, want := range map[string]string{
		strings.Replace(user, `"7"`, `"x"`, 1) + `"private":1}`: `the field "id" must be an id`,
		like + `"deletedAt":"soon"}`:                            `the field "deletedAt" must be a time`,
		block + `"deletedAt":"soon"}`:                           `the field "deletedAt" must be a time`,
		block + `"unclear":"which?"}`:                           `unknown field "unclear"`,
	} {
		if got, err := (records.Format{}).Decode([]byte(line)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\nis %+v, %v, want %q", line, got, err, want)
		}
	}
}
