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

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
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
