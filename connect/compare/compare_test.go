package compare_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

func onBothIDs(t *testing.T, test func(*world)) {
	for _, textIDs := range []bool{false, true} {
		t.Run(fmt.Sprintf("text ids %v", textIDs), func(t *testing.T) { test(newWorld(t, textIDs)) })
	}
}

// name returns the beginning of the line for a difference.
func name(o object, field string) string {
	shape, _ := records.ShapeOf(o["type"].(string))
	out := fmt.Sprint(o["type"])
	for _, key := range shape.Keys {
		id, has := o[key].(string)
		if !has {
			continue
		}
		if o["type"] == "counters" {
			out += " " + key
		}
		out += " " + feed.PublicID{External: feed.ExternalID(id)}.String()
	}
	return out + ": " + field + ":"
}

// changed returns an object with another value of a field.
func (w *world) changed(o object, field string) object {
	other := maps.Clone(o)
	switch field {
	case "owner", "author", "host":
		for other[field] == o[field] {
			other[field] = w.user()
		}
	case "replyTo", "repostOf":
		other[field] = w.id("post", 1_000_000)
	case "kind":
		other[field] = map[any]string{"POST": "REPOST", "REPOST": "COMMENT", "COMMENT": "POST"}[o[field]]
	case "media":
		other[field] = []string{"https://b.example/", "https://c.example/"}
	case "language":
		other[field] = "en"
	case "hasMedia":
		other[field] = true
	case "custom":
		other[field] = map[string]any{"x": 1}
	case "state":
		other[field] = "REQUESTED"
	case "isPublic", "exclusive":
		other[field] = o[field] != true
	case "private", "suspended", "takenDown", "special", "hideReposts", "hideReplies":
		other[field] = true
	case "audience":
		other[field] = "FOLLOWERS"
	case "until":
		other[field] = "2126-01-02T00:00:00Z"
	case "avatarUrl", "replayUrl":
		other[field] = "https://b.example/"
	default:
		switch {
		case strings.HasSuffix(field, "At"):
			other[field] = "2026-01-02T00:00:00.001Z"
		case o["type"] == "counters":
			other[field] = 1_000_000
		default:
			other[field] = fmt.Sprint(o[field], " ")
		}
	}
	return other
}

// fields returns the fields of an object that are compared.
func fields(o object) []string {
	names, _ := records.Fields(o["type"].(string))
	shape, _ := records.ShapeOf(o["type"].(string))
	none := append(shape.Keys, "n", "lastSeenAt", "absent", "awaitedAt", "deletedAt", "erasedAt", "version", "epoch", "source", "partial", "audienceAuthor", "moderated", "unclear")
	return slices.DeleteFunc(names, func(name string) bool {
		isOther := o["type"] == "counters" && o[name] == nil // of a post or of a user
		return isOther || slices.Contains(none, name)
	})
}

func lines(list []compare.Difference) string {
	var out []string
	for i := range list {
		out = append(out, list[i].String())
	}
	return strings.Join(out, "\n")
}

// All planted differences are found, of every field of every type, and no others.
func TestComparison_FindsEveryPlantedDifference(t *testing.T) {
	onBothIDs(t, func(w *world) {
		var want []string
		objects := w.objects(300)
		w.random.Shuffle(len(objects), func(i, j int) { objects[i], objects[j] = objects[j], objects[i] })
		// Of each type there are objects with each field changed, and some that one side lacks.
		todo := map[string][]string{}
		for _, o := range objects {
			typ := fmt.Sprint(o["type"], o["post"] != nil)
			if todo[typ] == nil {
				todo[typ] = append(fields(o), "lost", "extra", "taken back", "equal")
			}
			gone := maps.Clone(o)
			gone["deletedAt"] = "2026-02-01T00:00:00Z"
			what := todo[typ][0]
			if what == "audience" && o["kind"] != "POST" {
				what = "equal" // others have the audience of their parents
			} else if len(todo[typ]) > 1 {
				todo[typ] = todo[typ][1:]
			}
			switch what {
			case "equal":
				stored := maps.Clone(o)
				if o["kind"] == "REPOST" { // it inherits what its record leaves out
					delete(o, "language")
					o["text"], stored["text"], stored["hasMedia"] = "", "", true
				}
				w.make(o)
				w.store(stored)
				continue
			case "lost":
				w.make(o)
				what = "object"
			case "extra":
				w.store(o)
				what = "object"
			case "taken back":
				w.make(gone)
				w.store(o)
				what = "object"
			default:
				w.make(o)
				w.store(w.changed(o, what))
			}
			want = append(want, name(o, what))
		}
		for _, held := range []int{0, 50} {
			w.reads = 0
			report := w.compare(held)
			var got []string
			for i := range report.Findings {
				line := report.Findings[i].String()
				got = append(got, strings.Join(strings.SplitAfter(line, ":")[:2], ""))
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" || report.Different != len(want) || report.Excused != 0 {
				t := w.T
				t.Errorf("%d objects differ (-want +got): %s\n%s", report.Different, diff, lines(report.Listed(false)))
			}
			if held == 0 && w.reads != 2 || held > 0 && w.reads < 3 {
				w.Errorf("with %d at once, the source was read %d times", held, w.reads)
			}
		}
	})
}

func TestComparison_ReadsEqualSidesOnce(t *testing.T) {
	onBothIDs(t, func(w *world) {
		for _, o := range w.objects(200) {
			w.make(o)
			stored := maps.Clone(o)
			if o["type"] == "user" {
				stored["lastSeenAt"] = "2026-03-01T00:00:00Z" // by sessions
			}
			w.store(stored)
		}
		// Not there on both sides, one of them cancelled instead.
		w.make(object{"type": "post", "id": w.id("post", 900), "deletedAt": "2026-01-01T00:00:00Z"})
		w.make(object{"type": "seen", "user": w.id("user", 3), "at": "2026-01-01T00:00:00Z"})
		report := w.compare(0)
		if report.Different+report.Excused+report.Nameless > 0 || w.reads != 1 || len(report.Types) != 12 {
			w.Errorf("%d reads, %+v:\n%s", w.reads, report, lines(report.Listed(false)))
		}
		w.store(object{"type": "live", "id": w.id("live", 900), "host": w.user(), "title": "t", "scheduledAt": "2026-01-01T00:00:00Z", "cancelledAt": "2026-01-01T00:00:00Z"})
		if report := w.compare(0); report.Different > 0 || w.reads != 3 {
			w.Errorf("a cancelled session differs from none: %s", lines(report.Listed(false)))
		}
	})
}

// Of a partial record only its fields count, and of several records of an object any may be last.
func TestComparison_OfPartialAndDoubleRecords(t *testing.T) {
	onBothIDs(t, func(w *world) {
		user := object{"type": "user", "id": w.id("user", 1), "handle": "ann", "name": "Ann", "createdAt": "2026-01-01T00:00:00Z"}
		w.store(user)
		w.make(object{"type": "user", "id": w.id("user", 1), "name": "Ann", "partial": true})
		like := object{"type": "like", "user": w.id("user", 1), "post": w.id("post", 1), "createdAt": "2026-01-01T00:00:00Z"}
		w.store(like)
		w.make(w.changed(like, "createdAt"))
		w.make(like)
		w.make(w.changed(like, "createdAt"))
		if report := w.compare(0); report.Different > 0 {
			w.Errorf("equal objects differ: %s", lines(report.Listed(false)))
		}
		w.made[0].Text = text(object{"type": "user", "id": w.id("user", 1), "name": "Bob", "partial": true})
		want := name(user, "name") + ` theirs "Bob", ours "Ann"; read "a table" of user`
		if report := w.compare(0); lines(report.Listed(false)) != want {
			w.Errorf("the differences are %s, want %s", lines(report.Listed(false)), want)
		}
	})
}

// What cannot be applied is explained.
func TestComparison_ExplainsWhatCannotBeApplied(t *testing.T) {
	onBothIDs(t, func(w *world) {
		user := func(n int) object {
			return object{"type": "user", "id": w.id("user", n), "handle": fmt.Sprintf("h%d", n), "name": "N", "createdAt": "2026-01-01T00:00:00Z"}
		}
		var want []string
		explained := func(o object, field, why string) { want = append(want, name(o, field)+" … "+why) }

		broken := compare.Made{Bad: "mapping, no value", Key: []byte(strings.Trim(string(text(object{"type": "user", "id": w.id("user", 1)})), "{}"))}
		w.made = append(w.made, broken, compare.Made{Bad: "mapping, no key"})
		w.store(user(1))
		explained(user(1), "object", "its record is bad: mapping, no value")

		long := user(2)
		long["name"] = strings.Repeat("x", 300)
		w.make(long)
		explained(long, "object", `its record is bad: the field "name": a name has at most 200 characters`)

		self := object{"type": "follow", "follower": w.id("user", 3), "followee": w.id("user", 3), "createdAt": "2026-01-01T00:00:00Z"}
		w.make(self)
		explained(self, "object", "its record is bad: user "+feed.PublicID{External: feed.ExternalID(w.id("user", 3))}.String()+" cannot follow themselves")

		w.make(user(4))
		w.store(w.changed(user(4), "name"))
		r := w.record(user(4))
		w.letters = append(w.letters, feed.DeadLetter{ID: 7, Object: r.Object().String(), Reason: "the reason"})
		explained(user(4), "name", "dead letter 7: the reason")

		w.make(user(5))
		key := strings.Trim(string(text(object{"type": "user", "id": w.id("user", 5)})), "{}")
		w.letters = append(w.letters, feed.DeadLetter{ID: 8, Text: []byte("{"), Reason: "no"}, feed.DeadLetter{ID: 9, Text: []byte(key), Reason: "a key"})
		explained(user(5), "object", "dead letter 9: a key")

		w.make(user(6))
		erased := w.record(user(6))
		w.deleted = append(w.deleted, erased.User.ID)
		explained(user(6), "object", "an account was deleted here")
		block := object{"type": "block", "user": w.id("user", 1), "target": w.id("user", 6), "createdAt": "2026-01-01T00:00:00Z"}
		w.make(block)
		explained(block, "object", "an account was deleted here")
		reply := object{"type": "post", "id": w.id("post", 1), "author": w.id("user", 1), "kind": "COMMENT", "replyTo": w.id("post", 2), "text": "t", "publishedAt": "2026-01-01T00:00:00Z"}
		w.store(reply)
		lost := maps.Clone(reply)
		lost["kind"], lost["replyTo"] = "POST", nil
		w.make(lost)
		explained(lost, "kind", "the source has lost what the post answers or shares; the first record of the post said it")
		// A mute that has ended by itself differs from none in nothing.
		w.make(object{"type": "mute", "user": w.id("user", 1), "target": w.id("user", 2), "createdAt": "2026-01-01T00:00:00Z", "until": "2026-01-01T00:00:01Z"})

		report := w.compare(0)
		if report.Different != 0 || report.Excused != len(want) || report.Nameless != 1 {
			w.Errorf("different: %d, explained: %d, nameless: %d:\n%s", report.Different, report.Excused, report.Nameless, lines(report.Listed(false)))
		}
		got := lines(report.Listed(true))
		for _, line := range want {
			begin, why, _ := strings.Cut(line, " … ")
			if !slices.ContainsFunc(strings.Split(got, "\n"), func(l string) bool { return strings.HasPrefix(l, begin) && strings.Contains(l, "; "+why) }) {
				w.Errorf("there is no line %q:\n%s", line, got)
			}
		}
	})
}

// If nearly all objects differ, the comparison ends early.
func TestComparison_StopsWhenEnoughWasFound(t *testing.T) {
	w := newWorld(t, false)
	for i := range 3 * compare.ListMax {
		user := object{"type": "user", "id": w.id("user", i), "handle": "h", "name": "N", "createdAt": "2026-01-01T00:00:00Z"}
		w.make(user)
		w.store(w.changed(user, "handle"))
	}
	report := w.compare(compare.ListMax)
	if len(report.Listed(false)) != compare.ListMax || report.Different < compare.ListMax || report.Rest == 0 {
		t.Errorf("%d differences are listed of %d, and %d parts are left", len(report.Listed(false)), report.Different, report.Rest)
	}
	want := `user 1: handle: theirs "h", ours "h "; read "a table" of user`
	if !strings.Contains(lines(report.Listed(false)), want) && report.Rest == 0 {
		t.Errorf("there is no line %s", want)
	}
}

func TestDump_IsComparedAtItsPosition(t *testing.T) {
	w := newWorld(t, false)
	path := filepath.Join(t.TempDir(), "dump.ndjson")
	user := object{"type": "user", "id": "1", "handle": "h", "name": "N", "createdAt": "2026-01-01T00:00:00Z"}
	if err := os.WriteFile(path, append(text(user), "\n{}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	w.store(w.changed(user, "name"))
	w.store(object{"type": "user", "id": "2", "handle": "g", "name": "N", "createdAt": "2026-01-01T00:00:00Z"})
	w.store(object{"type": "like", "user": "1", "post": "2", "createdAt": "2026-01-01T00:00:00Z"}) // a type that the dump lacks
	c := compare.Comparison{Source: &compare.Dump{Path: path}, Stored: w, Name: "legacy"}
	report, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := `user 1: name: theirs "N", ours "N "; send line 1 again
user 2: object: theirs none, ours {"createdAt":"2026-01-01T00:00:00.000Z","handle":"g","id":"2…; send the record with deletedAt`
	if got := lines(report.Listed(false)); got != want || report.Nameless != 1 {
		t.Errorf("the differences are\n%s\nwant\n%s", got, want)
	}
	for text, want := range map[string]string{
		"0:7": "", "0:8": "is applied up to 7 and not to 8", "1:7": "is applied up to nothing and not to 7", "7": "is not like PARTITION:POSITION",
	} {
		at, err := compare.ParsePositions([]string{text})
		if err == nil {
			err = at.Check(t.Context(), w, "legacy")
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v", text, err)
		}
	}
}
