package compare_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// object is a record by its members.
type object map[string]any

// world is a source, and what is stored of it. It is a [compare.Source] and a [feed.StoredSnapshot].
type world struct {
	*testing.T
	random  *rand.Rand
	textIDs bool
	made    []compare.Made
	stored  []feed.Record
	numbers map[feed.IDKind]map[feed.ExternalID]int64
	letters []feed.DeadLetter
	deleted []feed.UserID
	reads   int
}

func newWorld(t *testing.T, textIDs bool) *world {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	w := &world{T: t, random: rand.New(rand.NewPCG(seed, 0)), textIDs: textIDs, numbers: map[feed.IDKind]map[feed.ExternalID]int64{}}
	for _, kind := range []feed.IDKind{feed.UserIDs, feed.PostIDs, feed.LiveIDs, feed.ListIDs} {
		w.numbers[kind] = map[feed.ExternalID]int64{}
	}
	return w
}

// id returns the id of an object of a kind.
func (w *world) id(kind string, n int) string {
	if w.textIDs {
		return fmt.Sprintf("%s %d", kind, n)
	}
	return fmt.Sprint(n + 1)
}

const people = 40

func (w *world) user() string { return w.id("user", w.random.IntN(people)) }

// objects returns n objects of each type.
func (w *world) objects(n int) []object {
	at := func(i int) string { return time.Unix(1767225600+int64(i), 0).UTC().Format(time.RFC3339) }
	var list []object
	for i := range n {
		post := object{"type": "post", "id": w.id("post", i), "author": w.user(), "kind": "POST", "text": fmt.Sprintf("<\"%d\n", i), "language": "pt", "publishedAt": at(i)}
		switch i % 4 {
		case 1:
			post["kind"], post["replyTo"] = "COMMENT", w.id("post", w.random.IntN(n))
		case 2:
			post["kind"], post["repostOf"], post["editedAt"] = "REPOST", w.id("post", w.random.IntN(n)), at(2*i)
		case 3:
			post["media"] = []string{"https://a.example/" + fmt.Sprint(i)}
		}
		live := object{"type": "live", "id": w.id("live", i), "host": w.user(), "title": "t", "scheduledAt": at(i)}
		if i%2 == 0 {
			live["startedAt"], live["endedAt"], live["replayUrl"] = at(i+1), at(i+2), "https://a.example/r"
		}
		list = append(list, post, live,
			object{"type": "user", "id": w.id("user", i), "handle": fmt.Sprintf("h%d", i), "name": "N", "avatarUrl": "https://a.example/a", "createdAt": at(i)},
			object{"type": "follow", "follower": w.id("user", i), "followee": w.id("user", i+1+w.random.IntN(n)), "createdAt": at(i)},
			object{"type": "list", "id": w.id("list", i), "owner": w.user(), "name": "L", "isPublic": i%2 == 0, "exclusive": true, "createdAt": at(i)},
			object{"type": "list_member", "list": w.id("list", i), "user": w.user(), "createdAt": at(i)},
			object{"type": "counters", "user": w.id("user", i), "followers": i, "following": 2, "posts": 3},
			object{"type": "counters", "post": w.id("post", i), "likes": i, "comments": 1, "reposts": 2, "favorites": 3})
		for _, typ := range []string{"like", "favorite"} {
			list = append(list, object{"type": typ, "user": w.user(), "post": w.id("post", i), "createdAt": at(i)})
		}
		related := func(typ string) object {
			return object{"type": typ, "user": w.id("user", i), "target": w.id("user", i+1+w.random.IntN(n)), "createdAt": at(i)}
		}
		mute := related("mute")
		mute["until"] = "2126-01-01T00:00:00Z"
		list = append(list, mute, related("hide"), related("block"))
	}
	return list
}

func text(o object) []byte {
	line, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return line
}

// make adds an object to the source.
func (w *world) make(o object) { w.made = append(w.made, compare.Made{Text: text(o), From: "a table"}) }

// record returns the record of an object with numbers of its ids.
func (w *world) record(o object) feed.Record {
	w.Helper()
	format := records.Format{}
	if w.textIDs {
		format.IDs = numbering{w: w}
	}
	r, err := format.Decode(text(o))
	if err != nil {
		w.Fatalf("%s: %v", text(o), err)
	}
	fit, _, err := format.Number(w.Context(), []feed.Record{r})
	if err != nil {
		w.Fatal(err)
	}
	return fit[0]
}

// store stores an object.
func (w *world) store(o object) { w.stored = append(w.stored, w.record(o)) }

// numbering gives ids numbers.
type numbering struct {
	feed.IDMap
	w *world
}

func (n numbering) DrawIDs(_ context.Context, kind feed.IDKind, ids []feed.NumberedID) ([]int64, error) {
	out := make([]int64, len(ids))
	for i, id := range ids {
		if n.w.numbers[kind][id.ID] == 0 {
			n.w.numbers[kind][id.ID] = int64(1000 + len(n.w.numbers[kind]))
		}
		out[i] = n.w.numbers[kind][id.ID]
	}
	return out, nil
}

func (w *world) FindIDs(_ context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = w.numbers[kind][id]
	}
	return out, nil
}

func (w *world) ExternalIDs(_ context.Context, kind feed.IDKind, numbers []int64) ([]feed.ExternalID, error) {
	out := make([]feed.ExternalID, len(numbers))
	for id, n := range w.numbers[kind] {
		for i := range numbers {
			if numbers[i] == n {
				out[i] = id
			}
		}
	}
	return out, nil
}

func (w *world) Now(context.Context) (int64, error) { return feed.Millis(time.Now()), nil }

func (w *world) Positions(context.Context, string) ([]feed.SourcePosition, error) {
	return []feed.SourcePosition{{Source: "legacy", Partition: "0", Position: "7"}}, nil
}

func (w *world) Objects(_ context.Context, types feed.RecordTypes, each func(feed.Record) error) error {
	for _, r := range w.stored {
		if !types.Has(r.Type()) {
			continue
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) Kept(_ context.Context, q feed.KeptQuery) (kept feed.Kept, err error) {
	for _, l := range w.letters {
		if l.ID > q.After && len(kept.Letters) == 0 { // one by one
			kept.Letters = append(kept.Letters, l)
		}
	}
	for _, id := range q.Users {
		for _, gone := range w.deleted {
			if id == gone {
				kept.Deleted = append(kept.Deleted, id)
			}
		}
	}
	return kept, nil
}

func (w *world) Types() feed.RecordTypes { return append(feed.OwnedTypes(), feed.RecordCounters) }

func (w *world) Read(_ context.Context, _ feed.RecordTypes, each func(compare.Made) error) error {
	w.reads++
	for _, m := range w.made {
		if err := each(m); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) Keys(line []byte) [][]byte { return [][]byte{line} }

func (w *world) Advice(t feed.RecordType, from string) string {
	return fmt.Sprintf("read %q of %s", from, t)
}

func (w *world) compare(held int) *compare.Result {
	w.Helper()
	c := compare.Comparison{Source: w, Stored: w, Name: "legacy", TextIDs: w.textIDs, Held: held}
	report, err := c.Run(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	return report
}
