package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// sourceTest is a database with records of the source "shop".
type sourceTest struct {
	*testing.T
	dir   string
	store *sqlstore.Store
}

func newSourceTest(t *testing.T) *sourceTest {
	t.Helper()
	dir := t.TempDir()
	store, err := sqlstore.Open(t.Context(), "sqlite://"+filepath.Join(dir, "tideline.db"))
	check(t, err)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return &sourceTest{t, dir, store}
}

// postLine is the line of a good post.
const postLine = `{"type":"post","id":"1","author":"7","kind":"POST","text":"hi","publishedAt":"2023-11-14T22:13:20.000Z"}`

// ingest applies records in order, and rejects lines.
func (s *sourceTest) ingest(rejected []string, list ...feed.Record) {
	s.Helper()
	b := feed.SourceBatch{Batch: feed.Batch{Records: list, Owned: feed.OwnedTypes(), Ordered: true}, Source: "shop"}
	for i := range b.Records {
		b.Records[i].Line = i + 1
	}
	for _, text := range rejected {
		b.Rejected = append(b.Rejected, feed.Rejected{Line: 99, Text: []byte(text), Reason: "not a\nJSON object"})
	}
	if _, err := s.store.Ingest(s.Context(), b); err != nil {
		s.Fatal(err)
	}
}

// badPost is a post that this version of the program does not apply, with the text of a good one.
func badPost(id feed.PostID) feed.Record {
	text := strings.Replace(postLine, `"id":"1"`, `"id":"`+id.String()+`"`, 1)
	return feed.Record{Post: &feed.Post{ID: id, Author: 7, Kind: "OTHER", PublishedAt: 1}, Text: feed.TextLine(text)}
}

// run runs a command, and returns its exit code and outputs.
func (s *sourceTest) run(args ...string) (code int, out, errs string) {
	s.Helper()
	var stdout, stderr bytes.Buffer
	code = Run(s.Context(), append([]string{"ingest"}, append(args, "--data-dir="+s.dir)...), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

// expect checks the exit code of a command and that its outputs contain texts.
func (s *sourceTest) expect(code int, texts []string, args ...string) {
	s.Helper()
	got, out, errs := s.run(args...)
	for _, text := range texts {
		if !strings.Contains(out+errs, text) {
			s.Errorf("ingest %v prints %s%s, without %q", args, out, errs, text)
		}
	}
	if got != code {
		s.Errorf("ingest %v ends with %d (%s), want %d", args, got, errs, code)
	}
}

func TestIngestStatus_CountsWhatSourcesSent(t *testing.T) {
	s := newSourceTest(t)
	s.expect(0, []string{"no positions", "no dead letters", "absent users: 0 awaited; 0 taken back", "absent posts: 0 awaited"}, "status")
	b := feed.SourceBatch{
		Batch:  feed.Batch{Owned: feed.OwnedTypes(), Ordered: true},
		Source: "a shop", Move: feed.PositionMove{Partition: "0", Identity: "one", To: "17", Lag: feed.SourceLag{Millis: -1, Messages: 12}},
	}
	if _, err := s.store.Ingest(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	s.ingest([]string{"no json"}, feed.Record{Follow: &feed.FollowRecord{Follower: 7, Followee: 8, CreatedAt: 1}},
		feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 7, Post: 90, CreatedAt: 1}},
		feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 7, Post: 91, CreatedAt: 1}})
	_, out, _ := s.run("status")
	for _, text := range []string{`"a shop"`, "17", "one", "unknown  12\n", "dead letters of shop: 1, of them overtaken 0, oldest 2", "absent users: 2 awaited, the oldest user 7 since 2", "the next users: 8 since 2", "absent posts: 2 awaited, the oldest post 90 since 2", "the next posts: 91 since 2"} {
		if !strings.Contains(out, text) {
			t.Errorf("the status is\n%s, without %q", out, text)
		}
	}
	s.expect(0, []string{`"partition": "0"`, `"lagMs": null`, `"lagMessages": 12`, `"letters": 1`, `"oldest": "7"`, `"id": "8"`, `"absentPosts"`, `"oldest": "90"`, `"id": "91"`}, "status", "--json")
}

func TestIngestResetVersion_AppliesLowerVersionsAgain(t *testing.T) {
	s := newSourceTest(t)
	ingest := func(version int64, list ...feed.Record) (outdated int) {
		for i := range list {
			list[i].Line, list[i].Version.Number = i+1, version
		}
		done, err := s.store.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: list, Owned: append(feed.OwnedTypes(), feed.RecordCounters)}, Source: "shop"})
		check(t, err)
		return done.Outdated
	}
	all := func() []feed.Record {
		return []feed.Record{
			{Follow: &feed.FollowRecord{Follower: 7, Followee: 8, CreatedAt: 1}, EndedAt: 1},
			{User: &feed.UserRecord{User: feed.User{ID: 7, Name: "Ann"}}},
			{Counters: &feed.CountersRecord{Post: 5}},
			{Counters: &feed.CountersRecord{User: 7}},
		}
	}
	ingest(1<<61, all()...)
	if n := ingest(2, all()...); n != 4 {
		t.Fatalf("%d records are outdated", n)
	}
	for _, args := range [][]string{{"follow", "7", "8"}, {"user", "7"}, {"counters", "post", "5"}, {"counters", "user", "7"}} {
		s.expect(0, []string{"forgot version 2305843009213693952 (epoch 0) of " + strings.Join(args, " ")}, append([]string{"reset-version"}, args...)...)
	}
	if n := ingest(2, all()...); n != 0 {
		t.Errorf("%d records are outdated after the resets", n)
	}
	s.expect(1, []string{"no version of post 9 is stored"}, "reset-version", "post", "9")
	s.expect(2, []string{"identified by its follower and its followee"}, "reset-version", "follow", "7")
	s.expect(2, []string{`"seen" is not a type with versions`}, "reset-version", "seen", "7")
	s.expect(2, []string{"must be an id"}, "reset-version", "user", "x")
}

func TestIngestDead_SaysWhatWasNotKept(t *testing.T) {
	s := newSourceTest(t)
	long := badPost(1)
	long.Text = feed.TextLine(postLine + strings.Repeat(" ", feed.LetterBytes))
	s.ingest(nil, long)
	s.expect(0, []string{"letter 1: the line was longer; only its first 4096 bytes were kept"}, "dead", "--show=1")
	s.expect(1, []string{"only the first 4096 bytes of its line were kept; send the record again", "applied 0 of 1"}, "dead", "--retry=1")
	if _, err := s.store.Ingest(t.Context(), feed.SourceBatch{Source: "shop", LettersMax: -1, Rejected: []feed.Rejected{{Line: 1, Reason: "bad"}}}); err != nil {
		t.Fatal(err)
	}
	s.expect(0, []string{"shop is incomplete: 1 further bad lines were only counted"}, "status")
	s.expect(0, []string{`"counted": 1`}, "status", "--json")
	s.expect(2, []string{"--resent needs --source"}, "dead", "--resent")
	s.expect(0, []string{"shop is complete; 1 bad lines had only been counted"}, "dead", "--resent", "--source=shop")
	s.expect(0, []string{`"counted": 0`}, "status", "--json")
}

func TestIngestDead_ListsAndShowsLetters(t *testing.T) {
	s := newSourceTest(t)
	s.expect(0, []string{"no dead letters"}, "dead")
	s.ingest([]string{"\xffno json"}, badPost(1))
	s.expect(0, []string{"post 1", `"OTHER" is not a kind`, `"not a\nJSON object"`}, "dead", "--source=shop")
	s.expect(0, []string{"no dead letters"}, "dead", "--source=other")
	s.expect(0, []string{"more: list them with --after=1"}, "dead", "--limit=1")
	s.expect(0, []string{"2   shop"}, "dead", "--after=1")
	_, out, _ := s.run("dead", "--show=2")
	if diff := cmp.Diff("\xffno json\n", out); diff != "" {
		t.Error(diff)
	}
	s.expect(1, []string{"there is no dead letter 9"}, "dead", "--show=9")
}

func TestIngestDead_DropsLetters(t *testing.T) {
	s := newSourceTest(t)
	s.ingest([]string{"a", "b", "c", "d"})
	s.expect(0, []string{"dropped 2 dead letters"}, "dead", "--drop=1,3,9")
	s.expect(2, []string{"--drop-all needs --source"}, "dead", "--drop-all")
	s.expect(0, []string{"dropped 2 dead letters"}, "dead", "--drop-all", "--source=shop")
	s.expect(0, []string{"no dead letters"}, "dead")
}

func TestIngestDead_RetriesLetters(t *testing.T) {
	s := newSourceTest(t)
	s.ingest(nil, badPost(1), badPost(2), badPost(3))
	s.ingest([]string{postLine}, feed.Record{Post: &feed.Post{ID: 2, Author: 7, Kind: feed.KindPost, Text: "later", PublishedAt: 1}})
	s.expect(1, []string{"no source owns the type post"}, "dead", "--retry=1")
	s.expect(0, []string{"applied 1 of 1 dead letters"}, "dead", "--retry=1", "--source-owns=post")
	s.expect(1, []string{"applied 1 of 3 dead letters", "letter 2: a later record of post 2 was applied", "letter 4: later records of its object may"},
		"dead", "--retry-all", "--source-owns=post")
	posts, err := s.store.Posts(t.Context(), []feed.PostID{1, 2, 3})
	check(t, err)
	var texts []string
	for _, p := range posts {
		texts = append(texts, p.Text)
	}
	if diff := cmp.Diff([]string{"hi", "later", "hi"}, texts); diff != "" {
		t.Error(diff)
	}
	s.expect(1, []string{"there is no dead letter 1"}, "dead", "--retry=1")
}

func TestIngestDead_RetryKeepsVersion(t *testing.T) {
	s := newSourceTest(t)
	versioned := func(version string) string { return strings.TrimSuffix(postLine, "}") + `,"version":` + version + `}` }
	b := feed.SourceBatch{
		Batch: feed.Batch{Owned: feed.OwnedTypes()}, Source: "shop",
		Rejected: []feed.Rejected{{Line: 1, Text: []byte(versioned("5")), Reason: "no source owns the type post"}},
	}
	if _, err := s.store.Ingest(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	s.expect(0, []string{"applied 1 of 1 dead letters"}, "dead", "--retry-all", "--source-owns=post")
	older := feed.Record{Post: &feed.Post{ID: 1, Author: 7, Kind: feed.KindPost, Text: "older", PublishedAt: 1}, Version: feed.ObjectVersion{Number: 4}}
	got, err := s.store.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{older}, Owned: feed.OwnedTypes()}})
	if err != nil || got.Outdated != 1 {
		t.Errorf("an older record is applied: %+v, %v", got.Applied, err)
	}
}

func TestIngestDead_RefusesBadSettings(t *testing.T) {
	s := newSourceTest(t)
	s.expect(2, []string{`"x" is not a type that a source can own`}, "dead", "--source-owns=x")
	s.expect(2, []string{"--limit must be from 1"}, "dead", "--limit=0")
	s.expect(2, []string{"can't be used together"}, "dead", "--show=1", "--drop=1")
}

func TestIngestRun_RefusesBadSettings(t *testing.T) {
	s := newSourceTest(t)
	file := filepath.Join(s.dir, "mapping.yaml")
	check(t, os.WriteFile(file, []byte("inputs:\n  message:\n    - {type: post, fields: {colour: red}}\n"), 0o600))
	const bus = "--from=redis://user:secret@127.0.0.1:1/changes"
	for want, args := range map[string][]string{
		"missing flags: --from":                                          {},
		"--from: the URL of a bus begins with redis://":                  {"--from=amqp://user:secret@host/changes"},
		"must end with the name of the stream":                           {"--from=redis://user:secret@host"},
		"--source must have at most 64 bytes":                            {bus, "--source=" + strings.Repeat("x", 65)},
		"--mapping: open nothing.yaml":                                   {bus, "--mapping=nothing.yaml"},
		`line 3: records of type post have no field "colour"`:            {bus, "--mapping=" + file},
		"ingest works with other processes and needs a --redis-url they": {bus},
		"the parameter sasl must be":                                     {"--from=kafka://user:secret@host/changes?sasl=gssapi"},
		"the URL of the bus has a parameter other than":                  {"--from=nats://user:secret@host/changes?x=1"},
		"the URL of the bus has no valid hosts":                          {"--from=nats://user:secret@host,/changes"},
		"the parameter ca":                                               {"--from=kafkas://user:secret@host/changes?ca=nothing.pem"},
	} {
		code, out, errs := s.run(append([]string{"run"}, args...)...)
		if code != 2 || !strings.Contains(errs, want) || strings.Contains(out+errs, "secret") {
			t.Errorf("ingest %v ends with %d: %s%s, want %q", args, code, out, errs, want)
		}
	}
}
