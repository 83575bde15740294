package records

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
)

// The test sets each field of a record in turn, because an export would lose fields that are
// missing in fields.go. Coverage flags are not part of records, and an external id is the id where ids
// are texts.
func TestCodec_KeepsEveryField(t *testing.T) {
	const at = 1289563502110
	for _, plain := range []feed.Record{
		{User: &feed.UserRecord{User: feed.User{ID: 7, CreatedAt: at}}},
		{Post: &feed.Post{ID: 7, Author: 7, Kind: feed.KindPost, PublishedAt: at}},
		{Follow: &feed.FollowRecord{Follower: 7, Followee: 8, CreatedAt: at}},
		{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 7, Post: 7, CreatedAt: at}},
		{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: 7, Target: 8, CreatedAt: at}},
		{Live: &feed.LiveRecord{ID: 7, Host: 7, ScheduledAt: at}},
		{Counters: &feed.CountersRecord{Post: 7}},
	} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(held(plain)).Elem()) {
			if f.Anonymous || slices.Contains([]string{"Flag", "External", "ProfileWithheld", "Accounts", "Replay"}, f.Name) {
				continue
			}
			t.Run(plain.Object().String()+" "+f.Name, func(t *testing.T) {
				want := copied(plain)
				set(reflect.ValueOf(held(want)).Elem().FieldByIndex(f.Index))
				if (f.Name == "DeletedAt" || f.Name == "ErasedAt") && want.User != nil {
					want.User.Handle = ""
				}
				if f.Name == "AudienceAuthor" {
					want.Post.Kind = feed.KindComment
				}
				line, err := Format{}.Encode(t.Context(), want)
				if err != nil {
					t.Fatal(err)
				}
				got, err := Format{}.Decode(line)
				if diff := cmp.Diff(want, got); err != nil || diff != "" {
					t.Errorf("%s: %v (-want +got)\n%s", line, err, diff)
				}
			})
		}
	}
}

// held returns the pointer in a record.
func held(r feed.Record) any {
	v := reflect.ValueOf(r)
	i := slices.IndexFunc(reflect.VisibleFields(v.Type()), func(f reflect.StructField) bool {
		return f.Type.Kind() == reflect.Pointer && !v.FieldByIndex(f.Index).IsNil()
	})
	return v.Field(i).Interface()
}

// copied returns a deep copy of r.
func copied(r feed.Record) feed.Record {
	v := reflect.ValueOf(&r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Pointer && !f.IsNil() {
			fresh := reflect.New(f.Type().Elem())
			fresh.Elem().Set(f.Elem())
			f.Set(fresh)
		}
	}
	return r
}

// set gives a field an unusual value.
func set(f reflect.Value) {
	switch f.Interface().(type) {
	case feed.Kind:
		f.Set(reflect.ValueOf(feed.KindRepost))
		return
	case feed.CustomFields:
		f.Set(reflect.ValueOf(feed.CustomFields(`{"a":1.0}`)))
		return
	case feed.OtherMedia:
		f.Set(reflect.ValueOf(feed.SomeOtherMedia))
		return
	case feed.PostAudience:
		f.Set(reflect.ValueOf(feed.AudienceFollowers))
		return
	case feed.HiddenFor:
		f.Set(reflect.ValueOf(feed.HiddenForRecord))
		return
	case feed.FollowChoice:
		f.Set(reflect.ValueOf(feed.FollowChoice{Named: feed.FollowSpecial | feed.FollowHidesReplies, On: feed.FollowHidesReplies}))
		return
	case feed.Reaction:
		f.Set(reflect.ValueOf(feed.ReactionFavorite))
		return
	case feed.RelationKind:
		f.Set(reflect.ValueOf(feed.RelationBlock))
		return
	}
	switch f.Kind() {
	case reflect.String:
		f.SetString(`t"é\<&>🌊`)
	case reflect.Int64:
		f.SetInt(1289563502111)
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Slice:
		f.Set(reflect.ValueOf([]string{"text"}))
	default:
		panic("a record holds a " + f.Kind().String())
	}
}

// lines that are hard to cut into fields.
var oddLines = []string{
	`{}`, ` { } `, `{"a":1}`, "\t{ \"a\" :\r\n 1 , \"b\":[1,{\"c\":\"}\"}], \"d\" : {\"e\":[]} }\n", `{"a":"\"},{","b":"\\","c":""}`,
	`{"\u0061":null,"a":true,"":-1e9}`, `{"a":[[],[[]]],"b":{}}`, `[]`, `1`, `"a"`, `null`, ``, ` `, `{`, `{"a"}`, `{"a":}`, `{"a":1}}`, `{"a":1,}`,
	`{"a":1} {"b":2}`, `{a:1}`, `{"a":01}`, "{\"a\":\"\n\"}", `{"a":"\x"}`,
}

func FuzzMembers(f *testing.F) {
	for _, line := range oddLines {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !utf8.Valid(line) {
			return // refused before
		}
		values, want := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		if json.Unmarshal(line, &want) != nil || want == nil {
			want = map[string]json.RawMessage{}
		}
		for _, m := range membersOf(line) {
			values[m.name] = m.value
		}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", line, diff)
		}
	})
}

func TestDecode_PartialRecordNamesItsFields(t *testing.T) {
	for line, want := range map[string][]string{
		`{"type":"user","id":"7","partial":true,"name":"","avatarUrl":null}`:                                  {"type", "name", "avatarUrl", "partial"},
		`{"type":"post","id":"7","author":"8","partial":true,"text":"a"}`:                                     {"type", "author", "text", "partial"},
		`{"type":"follow","follower":"7","followee":"8","partial":true}`:                                      {"type", "partial"},
		`{"type":"like","user":"7","post":"8","partial":true,"deletedAt":null}`:                               {"type", "partial", "deletedAt"},
		`{"type":"user","id":"7","handle":"a","name":"a","createdAt":"2026-01-01T00:00:00Z","partial":false}`: nil,
	} {
		r, err := Format{}.Decode([]byte(line))
		if diff := cmp.Diff(want, r.Partial); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", line, err, diff)
		}
	}
	for line, want := range map[string]string{
		`{"type":"post","id":"7","partial":true,"text":"a"}`:   `the field "author" must be an id, a decimal string from "1" to "9223372036854775807", not ""`,
		`{"type":"user","id":"7","partial":"yes"}`:             `the field "partial" must be true or false, not "yes"`,
		`{"type":"user","id":"7","partial":true,"handle":[1]}`: `the field "handle" must not be a array`,
	} {
		if _, err := (Format{}).Decode([]byte(line)); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", line, err, want)
		}
	}
}
