package records_test

import (
	"bytes"
	"context"
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
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/texts"
	"github.com/tideline-feeds/tideline/internal/records"
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
		`{"type":"post","id":"9223372036854775807","author":"7","kind":"COMMENT","text":"two\nlines","media":["p.jpg"],"replyTo":"5","publishedAt":"2010-11-12T12:05:02.110Z","editedAt":"9999-12-31T23:59:59.999Z"}`: {
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
	if _, err := numbers.Decode([]byte(line)); err == nil || !strings.Contains(err.Error(), `"deletedAt" must be later`) {
		t.Errorf("the error is %v", err)
	}
}

func TestDecode_ReversesEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyRecord().Draw(t, "record")
		line, err := numbers.Encode(t.Context(), want)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Fatalf("not one line: %q", line)
		}
		got, err := numbers.Decode(line[:len(line)-1])
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", line, diff)
		}
	})
}

// anyRecord draws a record that a store can contain.
func anyRecord() *rapid.Generator[feed.Record] {
	return rapid.Custom(func(t *rapid.T) feed.Record {
		user := func(name string) feed.UserID { return feed.UserID(rapid.Int64Min(1).Draw(t, name)) }
		content := func(name string) feed.PostID { return feed.PostID(rapid.Int64Min(1).Draw(t, name)) }
		at := func(name string) int64 { return rapid.Int64Range(0, feed.MaxTime).Draw(t, name) }
		text := func(name string) string {
			return strings.ReplaceAll(rapid.StringN(0, 150, -1).Draw(t, name), "\x00", "")
		}
		reference := rapid.SampledFrom([]string{"a.png", "../a b.png", "https://x.example/a.png?x=<1>&y=2#z"})
		switch rapid.IntRange(0, 5).Draw(t, "type") {
		case 0:
			u := feed.UserRecord{User: feed.User{ID: user("id"), Handle: "h" + user("handle").String(), Name: anyLabel(200).Draw(t, "name"), CreatedAt: at("created")}, LastSeenAt: at("seen")}
			if rapid.Bool().Draw(t, "gone") {
				u = feed.UserRecord{User: feed.User{ID: u.ID, CreatedAt: u.CreatedAt}, DeletedAt: max(1, u.LastSeenAt)}
			}
			u.AvatarURL = rapid.OneOf(rapid.Just(""), reference).Draw(t, "avatar")
			return feed.Record{User: &u}
		case 1:
			return feed.Record{Follow: &feed.FollowRecord{Follower: user("follower"), Followee: user("followee"), CreatedAt: at("created")}}
		case 2:
			p := feed.Post{ID: content("id"), Author: user("author"), Kind: feed.KindPost, Text: text("text"), PublishedAt: at("published"), EditedAt: at("edited"), DeletedAt: at("deleted")}
			p.Custom = rapid.SampledFrom([]feed.CustomFields{"", `{"a":[1.0,{"b":null}],"ü<":"\\u0000"}`}).Draw(t, "custom")
			p.Media = rapid.SliceOfN(reference, 0, 3).Draw(t, "media")
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 1:
				p.Kind, p.ReplyTo = feed.KindComment, content("parent")
			case 2:
				p.Kind, p.RepostOf = feed.KindRepost, content("original")
			}
			return feed.Record{Post: &p}
		case 3:
			kind := rapid.SampledFrom([]feed.Reaction{feed.ReactionLike, feed.ReactionFavorite}).Draw(t, "kind")
			return feed.Record{Reaction: &feed.ReactionRecord{Reaction: kind, User: user("user"), Post: content("post"), CreatedAt: at("created")}}
		case 4:
			return feed.Record{Live: anyLive(t, rapid.OneOf(rapid.Just(""), reference))}
		}
		kind := rapid.SampledFrom([]feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}).Draw(t, "kind")
		return feed.Record{Relation: &feed.RelationRecord{Kind: kind, User: user("user"), Target: user("target"), CreatedAt: at("created")}}
	})
}

// anyLabel draws a name or title of at most limit characters; it can be empty.
func anyLabel(limit int) *rapid.Generator[string] {
	return rapid.StringN(0, limit, -1).Filter(func(s string) bool { return s == "" || texts.LabelFault(s) == "" })
}

// anyLive draws a session in any state.
func anyLive(t *rapid.T, replays *rapid.Generator[string]) *feed.LiveRecord {
	after := func(least int64, name string) int64 { return rapid.Int64Range(least, feed.MaxTime).Draw(t, name) }
	r := &feed.LiveRecord{
		ID: rapid.Int64Min(1).Draw(t, "id"), Host: feed.UserID(rapid.Int64Min(1).Draw(t, "host")),
		Title: anyLabel(150).Draw(t, "title"), ScheduledAt: after(1, "scheduled"),
	}
	switch rapid.IntRange(0, 3).Draw(t, "state") {
	case 1:
		r.CancelledAt = after(1, "cancelled")
	case 2:
		r.StartedAt = after(1, "started")
	case 3:
		r.StartedAt = after(1, "started")
		r.EndedAt, r.ReplayURL = after(r.StartedAt, "ended"), replays.Draw(t, "replay")
	}
	return r
}

// village is a file with a record of every type, in the order of an export.
func village() string {
	return strings.Join([]string{
		user(7), user(8), follow7(8),
		`{"type":"post","id":"5","author":"7","kind":"POST","text":"","publishedAt":"2010-11-12T12:05:02.000Z","deletedAt":"2011-01-01T00:00:00.000Z"}`,
		`{"type":"post","id":"3","author":"8","kind":"COMMENT","text":"why?","replyTo":"5","publishedAt":"2010-11-12T12:05:01.000Z"}`,
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
	store := memstore.New(time.Now)
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

func TestExport_EndsWithWriteError(t *testing.T) {
	store := memstore.New(time.Now)
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
