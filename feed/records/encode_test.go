package records_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

func TestEncode_OmitsMissingFields(t *testing.T) {
	const at = 1289563502110
	for want, r := range map[string]feed.Record{
		`{"type":"user","id":"7","handle":"Ann","name":"Ann \"A.\" <&>","avatarUrl":"https://x.example/a.png","createdAt":"2010-11-12T12:05:02.110Z","lastSeenAt":"2010-11-12T12:05:02.111Z"}`: {
			User: &feed.UserRecord{User: feed.User{ID: 7, Handle: "Ann", Name: `Ann "A." <&>`, AvatarURL: "https://x.example/a.png", CreatedAt: at, Flag: feed.FlagUnpushed}, LastSeenAt: at + 1},
		},
		`{"type":"user","id":"7","handle":"ann","name":"","createdAt":"1970-01-01T00:00:00.000Z"}`: {
			User: &feed.UserRecord{User: feed.User{ID: 7, Handle: "ann"}},
		},
		`{"type":"user","id":"7","handle":"","name":"","createdAt":"2010-11-12T12:05:02.110Z","deletedAt":"2010-11-12T12:05:02.111Z"}`: {
			User: &feed.UserRecord{User: feed.User{ID: 7, CreatedAt: at}, DeletedAt: at + 1},
		},
		`{"type":"follow","follower":"7","followee":"8","createdAt":"2010-11-12T12:05:02.110Z"}`: {
			Follow: &feed.FollowRecord{Follower: 7, Followee: 8, CreatedAt: at},
		},
		`{"type":"post","id":"9223372036854775807","author":"7","kind":"COMMENT","text":"two\nlines","media":["p.jpg"],"replyTo":"5","audience":"PUBLIC","publishedAt":"2010-11-12T12:05:02.110Z","editedAt":"9999-12-31T23:59:59.999Z"}`: {
			Line: 9, Post: &feed.Post{ID: math.MaxInt64, Author: 7, Kind: feed.KindComment, Text: "two\nlines", Media: []string{"p.jpg"}, ReplyTo: 5, PublishedAt: at, EditedAt: feed.MaxTime},
		},
		`{"type":"post","id":"6","author":"7","kind":"REPOST","text":"","repostOf":"5","publishedAt":"2010-11-12T12:05:02.110Z","deletedAt":"2010-11-12T12:05:02.111Z"}`: {
			Post: &feed.Post{ID: 6, Author: 7, Kind: feed.KindRepost, RepostOf: 5, PublishedAt: at, DeletedAt: at + 1},
		},
		`{"type":"like","user":"7","post":"5","createdAt":"2010-11-12T12:05:02.110Z"}`: {
			Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 7, Post: 5, CreatedAt: at},
		},
		`{"type":"hide","user":"7","target":"8","createdAt":"2010-11-12T12:05:02.110Z"}`: {
			Relation: &feed.RelationRecord{Kind: feed.RelationHide, User: 7, Target: 8, CreatedAt: at},
		},
		`{"type":"live","id":"9","host":"7","title":"tea","scheduledAt":"2010-11-12T12:05:02.110Z","cancelledAt":"2010-11-12T12:05:02.111Z"}`: {
			Live: &feed.LiveRecord{ID: 9, Host: 7, Title: "tea", ScheduledAt: at, CancelledAt: at + 1},
		},
		`{"type":"live","id":"9","host":"7","title":"tea","scheduledAt":"2010-11-12T12:05:02.110Z","startedAt":"2010-11-12T12:05:02.111Z","endedAt":"2010-11-12T12:05:02.112Z","replayUrl":"https://x.example/r"}`: {
			Live: &feed.LiveRecord{ID: 9, Host: 7, Title: "tea", ScheduledAt: at, StartedAt: at + 1, EndedAt: at + 2, ReplayURL: "https://x.example/r"},
		},
	} {
		got, err := numbers.Encode(t.Context(), r)
		if err != nil || string(got) != want+"\n" {
			t.Errorf("got %s (error %v)\nwant %s", got, err, want)
		}
	}
}

func TestEncode_RefusesEmptyRecord(t *testing.T) {
	if line, err := numbers.Encode(t.Context(), feed.Record{Line: 1}); err == nil {
		t.Errorf("an empty record was encoded as %s", line)
	}
}

func TestDecode_RequiresTimeOfDeletion(t *testing.T) {
	const line = `{"type":"post","id":"6","author":"7","kind":"POST","text":"","publishedAt":"2010-11-12T12:05:02.110Z","deletedAt":"1970-01-01T00:00:00Z"}`
	if got, err := numbers.Decode([]byte(line)); err != nil || !strings.Contains(got.Unclear, `"deletedAt" must be later`) {
		t.Errorf("the record is unclear because %q; the error is %v", got.Unclear, err)
	}
}

// village is a file with a record of every type, in the order of an export.
func village() string {
	return strings.Join([]string{
		user(7), user(8), follow7(8),
		`{"type":"post","id":"5","author":"7","kind":"POST","text":"","publishedAt":"2010-11-12T12:05:02.000Z","deletedAt":"2011-01-01T00:00:00.000Z"}`,
		`{"type":"post","id":"3","author":"8","kind":"COMMENT","text":"why?","replyTo":"5","audience":"PUBLIC","audienceAuthor":"7","publishedAt":"2010-11-12T12:05:01.000Z"}`,
		`{"type":"post","id":"4","author":"8","kind":"POST","text":"hi","publishedAt":"2010-11-12T12:05:02.000Z"}`,
		`{"type":"like","user":"7","post":"3","createdAt":"2010-11-12T12:05:02.000Z"}`,
		`{"type":"block","user":"8","target":"7","createdAt":"2010-11-12T12:05:02.000Z"}`,
		`{"type":"live","id":"3","host":"7","title":"tea","scheduledAt":"2010-11-12T12:05:00.000Z","startedAt":"2010-11-12T12:05:01.000Z"}`,
		`{"type":"live","id":"4","host":"8","title":"cake","scheduledAt":"2010-11-12T12:05:00.000Z","cancelledAt":"2010-11-12T12:05:01.000Z"}`,
	}, "\n") + "\n"
}

func user(id int) string {
	return fmt.Sprintf(`{"type":"user","id":"%d","handle":"u%d","name":"User","createdAt":"2010-11-12T12:05:02.000Z","lastSeenAt":"2010-11-13T12:05:02.000Z"}`, id, id)
}

func follow7(followee int) string {
	return fmt.Sprintf(`{"type":"follow","follower":"7","followee":"%d","createdAt":"2010-11-12T12:05:02.000Z"}`, followee)
}

func TestExport_EqualsImportedFile(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	sum, err := records.Import(context.Background(), strings.NewReader(village()), store, records.Options{})
	if err != nil || sum.Refused > 0 {
		t.Fatal(err, sum)
	}
	var out bytes.Buffer
	done, err := records.Export(context.Background(), store, records.Format{}, &out)
	check(t, err)
	same(t, "the export", out.String(), village())
	if want := (records.Exported{Users: 2, Follows: 1, Posts: 3, Reactions: 1, Relations: 1, Live: 2}); done != want || done.Lines() != sum.Lines {
		t.Errorf("the counts are %+v, want %+v", done, want)
	}
}

// The last repost keeps that it has no language, although its original has one.
func TestExport_KeepsInheritedFields(t *testing.T) {
	const post = `{"type":"post","id":"%d","author":"7","kind":"%s","text":"%s"%s,"publishedAt":"2020-01-01T00:00:00.000Z"}` + "\n"
	repost := func(id int, text, language string) string {
		return fmt.Sprintf(post, id, "REPOST", text, language+`,"repostOf":"1"`)
	}
	const media = `,"hasMedia":true,"language":`
	original := fmt.Sprintf(post, 1, "POST", "chá", media+`"pt-BR"`)
	file := user(7) + "\n" + original + repost(2, "", "") + repost(3, "look", "") + repost(4, "", `,"language":"en"`) + repost(5, "", media+`""`)
	repost = func(id int, text, language string) string {
		return fmt.Sprintf(post, id, "REPOST", text, language+`,"repostOf":"1","audience":"PUBLIC","audienceAuthor":"7"`)
	}
	want := user(7) + "\n" + original + repost(2, "", media+`"pt-BR"`) + repost(3, "look", "") + repost(4, "", media+`"en"`) + repost(5, "", media+`""`)
	for _, lines := range []string{file, want} {
		store := sqlitetest.New(t, time.Now)
		for range 2 {
			sum, err := records.Import(t.Context(), strings.NewReader(lines), store, records.Options{})
			if err != nil || sum.Refused > 0 || sum.Different > 0 {
				t.Fatal(err, sum)
			}
		}
		var out bytes.Buffer
		_, err := records.Export(t.Context(), store, records.Format{}, &out)
		check(t, err)
		same(t, "the export", strings.SplitAfter(out.String(), "\n"), strings.SplitAfter(want, "\n"))
	}
}

func TestExport_EndsWithWriteError(t *testing.T) {
	store := sqlitetest.New(t, time.Now)
	if _, err := records.Import(context.Background(), strings.NewReader(village()), store, records.Options{}); err != nil {
		t.Fatal(err)
	}
	r, w := io.Pipe()
	full := errors.New("the disk is full")
	_ = r.CloseWithError(full)
	if _, err := records.Export(context.Background(), store, records.Format{}, w); !errors.Is(err, full) {
		t.Errorf("the export ended with %v", err)
	}
}

// textIDs is set where ids are texts; it is never asked.
type textIDs struct{ feed.IDMap }

// A record that is made of its values is the one in its line, or bad for the same reason.
func TestMake_EqualsDecodingOfLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade().Draw(t, "record")
		format := records.Format{}
		if rapid.Bool().Draw(t, "text ids") {
			format.IDs = textIDs{}
		}
		made, decoded := format.Make(m), format.DecodeLine(0, m.Line())
		if diff := cmp.Diff(decoded.Record, made.Record, cmpopts.IgnoreFields(feed.Record{}, "Text"), cmpopts.EquateEmpty()); diff != "" && decoded.Bad == "" {
			t.Errorf("%s: (-decoded +made)\n%s", m.Line(), diff)
		}
		if decoded.Bad != made.Bad {
			t.Errorf("%s is bad because %q, and made because %q", m.Line(), decoded.Bad, made.Bad)
		}
		if text := made.Record.LineText(); string(text) != string(m.Line()) || made.Bad != "" && string(made.Text) != string(text) {
			t.Errorf("the text of %s is %s, and of the line %s", m.Line(), text, made.Text)
		}
	})
}

// anyMade are records with fields of their type, most of which fit. Some have others, or one twice.
func anyMade() *rapid.Generator[records.Made] {
	types := append(feed.OwnedTypes(), feed.RecordSeen, feed.RecordCounters, "other")
	return rapid.Custom(func(t *rapid.T) records.Made {
		m := records.Made{Type: string(rapid.SampledFrom(types).Draw(t, "type"))}
		names, _ := records.Fields(m.Type)
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(append(names, "Id", "other")), rapid.ID[string]).Draw(t, "names") {
			m.Members = append(m.Members, anyMember(name).Draw(t, name))
		}
		return m
	})
}

func anyMember(name string) *rapid.Generator[records.Member] {
	fitting := map[string][]string{
		"kind": {"POST", "COMMENT", "post"}, "partial": {"true", "false", "yes"}, "absent": {"true", "false"},
	}
	return rapid.Custom(func(t *rapid.T) records.Member {
		m := records.Member{Name: name}
		if rapid.IntRange(0, 3).Draw(t, "as JSON") == 0 {
			m.JSON = true
			value := rapid.SampledFrom([]any{
				nil, true, false, 7, -1, 1.5, "7", "", "a\"b<\\\u2028é", []any{}, []any{"a.png", "b"}, []any{1}, map[string]any{"a": "<b>", "c": 1},
			}).Draw(t, "value")
			text, _ := json.Marshal(value)
			m.Text = string(text)
			return m
		}
		texts := append([]string{"7", "0", "-1", "", "9223372036854775808", "2026-01-31T12:00:00.123Z", "1970-01-01T00:00:00.000Z", "2026", "{}", "null"}, fitting[name]...)
		m.Text = rapid.OneOf(rapid.SampledFrom(texts), rapid.StringN(0, 20, -1)).Draw(t, "text")
		return m
	})
}

// textVillage has a record of every type but seen, with text ids and numbers.
const textVillage = `{"type":"user","id":"auth0|ann","n":"7","handle":"ann","name":"Ann","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"user","id":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","n":"9","handle":"ben","name":"Ben","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"follow","follower":"auth0|ann","followee":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"post","id":"p \"1\"","n":"41","author":"auth0|ann","kind":"POST","text":"tea","publishedAt":"2020-01-01T00:00:00.000Z"}
{"type":"post","id":"p/2","n":"40","author":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","kind":"COMMENT","text":"why?","replyTo":"p \"1\"","audience":"PUBLIC","audienceAuthor":"auth0|ann","publishedAt":"2020-01-01T00:00:00.000Z"}
{"type":"like","user":"auth0|ann","post":"p/2","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"block","user":"auth0|ann","target":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"live","id":"show","n":"5","host":"auth0|ann","title":"tea","scheduledAt":"2020-01-01T00:00:00.000Z","cancelledAt":"2020-01-01T00:00:00.000Z"}
`

func textStore(t *testing.T) *sqlstore.Store {
	t.Helper()
	store := sqlitetest.New(t, time.Now)
	if _, err := store.UseIDs(t.Context(), feed.TextIDs); err != nil {
		t.Fatal(err)
	}
	return store
}

// importText imports lines with text ids, and returns the messages about bad ones.
func importText(t *testing.T, store *sqlstore.Store, to feed.Applier, lines string) (records.Summary, []string) {
	t.Helper()
	var bad []string
	o := records.Options{Format: records.Format{IDs: store}, Refused: func(_ int, reason string) { bad = append(bad, reason) }}
	sum, err := records.Import(t.Context(), strings.NewReader(lines), to, o)
	check(t, err)
	return sum, bad
}

func exportText(t *testing.T, store *sqlstore.Store) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := records.Export(t.Context(), store, records.Format{IDs: store}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextIDs_ExportHasIDsAndNumbers(t *testing.T) {
	store := textStore(t)
	if sum, bad := importText(t, store, store, textVillage); sum.Stored != 8 || bad != nil {
		t.Fatalf("the summary is %+v; bad were %q", sum, bad)
	}
	same(t, "the export", strings.SplitAfter(exportText(t, store), "\n"), strings.SplitAfter(textVillage, "\n"))
}

// A line with text ids has no number for its original when it is decoded.
func TestTextIDs_BareRepostsInheritFields(t *testing.T) {
	store := textStore(t)
	const user = `{"type":"user","id":"ann","n":"1","handle":"ann","name":"Ann","createdAt":"2020-01-01T00:00:00.000Z"}` + "\n"
	post := func(id, rest string) string {
		return `{"type":"post","id":"` + id + `","author":"ann",` + rest + `,"publishedAt":"2020-01-01T00:00:00.000Z"}` + "\n"
	}
	_, bad := importText(t, store, store, user+post("one", `"kind":"POST","text":"chá","hasMedia":true,"language":"pt-BR"`)+post("two", `"kind":"REPOST","text":"","repostOf":"one"`))
	if got, want := exportText(t, store), `"kind":"REPOST","text":"","hasMedia":true,"language":"pt-BR"`; bad != nil || !strings.Contains(got, want) {
		t.Errorf("the export is %s, without %s; bad were %q", got, want, bad)
	}
}

func TestTextIDs_ReferencesDrawNumbersOnce(t *testing.T) {
	store := textStore(t)
	lines := strings.ReplaceAll(textVillage, `"n":"7",`, "")
	importText(t, store, store, lines)
	first := exportText(t, store)
	if sum, bad := importText(t, store, store, lines); sum.Known != 8 || bad != nil {
		t.Errorf("again, the summary is %+v; bad were %q", sum, bad)
	}
	if diff := cmp.Diff(first, exportText(t, store)); diff != "" {
		t.Errorf("the second import changed the export (-first +second):\n%s", diff)
	}
}

func TestTextIDs_RefuseBadIDs(t *testing.T) {
	store := textStore(t)
	importText(t, store, store, textVillage)
	for line, want := range map[string]string{
		`{"type":"user","id":"x","n":"9","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:               "another id of this kind has the number in the field n",
		`{"type":"user","id":"","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:                        `the field "id" must be an id: an id must not be empty`,
		`{"type":"user","id":"a\u0007","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:                 `the field "id" must be an id: the id "a\a" has a control character`,
		`{"type":"like","user":"` + strings.Repeat("x", 129) + `","post":"p/2","createdAt":"2020-01-01T00:00:00.000Z"}`: `the field "user" must be an id: the id "` + strings.Repeat("x", 40) + `"… has 129 bytes; the maximum is 128`,
	} {
		if _, bad := importText(t, store, store, line); len(bad) != 1 || bad[0] != want {
			t.Errorf("%s:\n got %q\nwant %q", line, bad, want)
		}
	}
	if _, err := numbers.Decode([]byte(`{"type":"user","id":"8","n":"9"}`)); err == nil || err.Error() != `unknown field "n"` {
		t.Errorf("where ids are numbers, a record with n: %v", err)
	}
}

func TestTextIDs_LivePlayKeepsIDs(t *testing.T) {
	store := textStore(t)
	sum, bad := importText(t, store, newLive(store, nil), strings.ReplaceAll(textVillage, "2020-01-01T00:00:00.000Z", "2027-01-15T08:00:00.000Z"))
	if sum.Stored != 8 || bad != nil {
		t.Fatalf("the summary is %+v; bad were %q", sum, bad)
	}
	got := exportText(t, store)
	for _, id := range []string{`"id":"auth0|ann","n":"7"`, `"id":"p \"1\"","n":"41"`, `"id":"show","n":"5"`} {
		if !strings.Contains(got, id) {
			t.Errorf("the export lacks %s:\n%s", id, got)
		}
	}
}
