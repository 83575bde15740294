package records_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
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

// The record of a line that is bad otherwise has its key and what says who may see its object.
func TestDecode_UnfitRecordsSayWhoMaySee(t *testing.T) {
	long := strings.Repeat("x", feed.CustomMax)
	for line, want := range map[string]feed.Record{
		`{"type":"user","id":"7","createdAt":"2010-11-12T12:05:02.110Z","private":true,"custom":{"a":"` + long + `"}}`:         {User: &feed.UserRecord{User: feed.User{ID: 7, Private: true}}},
		`{"type":"user","id":"7","suspended":true,"createdAt":"now"}`:                                                          {User: &feed.UserRecord{User: feed.User{ID: 7, Suspended: feed.HiddenForRecord}}},
		`{"type":"follow","follower":"7","followee":"8","createdAt":"now","state":"REQUESTED"}`:                                {Follow: &feed.FollowRecord{Follower: 7, Followee: 8, Requested: true}},
		`{"type":"post","id":"7","author":"8","kind":"VIDEO","audience":"FOLLOWERS","publishedAt":"2010-11-12T12:05:02.110Z"}`: {Post: &feed.Post{ID: 7, Audience: feed.AudienceFollowers}},
	} {
		got, err := records.Format{}.Decode([]byte(line))
		if err == nil || got.Unfit != err.Error() {
			t.Errorf("%.100s\nis unfit because %q, %v", line, got.Unfit, err)
		}
		want.Unfit = got.Unfit
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%.100s\n%s", line, diff)
		}
		if made := (records.Format{}).DecodeLine(3, []byte(line)); made.Bad != "" || made.Record.Unfit != got.Unfit {
			t.Errorf("the line is bad: %q", made.Bad)
		}
	}
	for _, line := range []string{`{"type":"user","id":"x","private":true,"createdAt":"now"}`, `{"type":"like","user":"7","post":"8","createdAt":"now"}`} {
		if got, err := (records.Format{}).Decode([]byte(line)); err == nil || got.Unfit != "" {
			t.Errorf("%s\nis unfit: %q, %v", line, got.Unfit, err)
		}
	}
}
