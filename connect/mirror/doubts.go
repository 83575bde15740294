package mirror

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// sampleObjects are what the rows of a sample make together. What no single row shows is found here: a table that is
// the wrong one, a column that was overlooked.
type sampleObjects struct {
	users map[string]seenBy
	// authors and followees are the users that others refer to, by the lines of their rules.
	authors, followees map[int]map[string]bool
	posts              []postSample
	// made has the lines of the rules that make an object, by type and key.
	made map[string][]int
	// handles has the number of users by their handles in small letters.
	handles map[string]int
	// times has the times of posts and follows by the lines of their rules, texts the numbers of posts with and
	// without one.
	times map[int]map[string]int
	texts map[int][2]int
}

type postSample struct {
	id, author, kind, text, at string
	seen                       seenBy
}

func newObjects() sampleObjects {
	return sampleObjects{
		users: map[string]seenBy{}, authors: map[int]map[string]bool{}, followees: map[int]map[string]bool{}, made: map[string][]int{},
		handles: map[string]int{}, times: map[int]map[string]int{}, texts: map[int][2]int{},
	}
}

// add adds the object of an outcome, unless its row makes none.
func (o *sampleObjects) add(r *rule, of *outcome) {
	seen := of.seenBy()
	if of.err != nil || of.Type == "" {
		return
	}
	if !r.Has(partialField) && r.isObject() && len(r.keys) > 0 {
		key := string(of.keyText()) + of.text(stateField) // a request and a follow may be two rows
		o.made[key] = append(o.made[key], r.Line)
	}
	switch feed.RecordType(of.Type) {
	case feed.RecordUser:
		o.users[of.text("id")] = seen
		if handle := of.text("handle"); handle != "" {
			o.handles[strings.ToLower(handle)]++
		}
	case feed.RecordPost:
		addTo(o.authors, r.Line, of.text("author"))
		o.addPost(r, of, seen)
	case feed.RecordFollow:
		addTo(o.followees, r.Line, of.text("followee"))
		o.addTime(r.Line, of.text("createdAt"))
	}
}

func addTo(to map[int]map[string]bool, line int, id string) {
	if to[line] == nil {
		to[line] = map[string]bool{}
	}
	to[line][id] = true
}

func (o *sampleObjects) addTime(line int, at string) {
	if o.times[line] == nil {
		o.times[line] = map[string]int{}
	}
	o.times[line][at]++
}

func (o *sampleObjects) addPost(r *rule, of *outcome, seen seenBy) {
	o.addTime(r.Line, of.text("publishedAt"))
	texts := o.texts[r.Line]
	if strings.TrimSpace(of.text("text")) == "" && of.text("media") == "" && of.text("repostOf") == "" && of.text("hasMedia") != "true" {
		texts[0]++
	} else {
		texts[1]++
	}
	o.texts[r.Line] = texts
	o.posts = append(o.posts, postSample{of.text("id"), of.text("author"), of.text("kind"), of.text("text"), of.text("publishedAt"), seen})
}

// newest is how many of the newest posts are printed.
const newest = 20

// write prints the newest posts among the rows that were read, with who sees them.
func (o *sampleObjects) write(out *bytes.Buffer) {
	if len(o.posts) == 0 {
		return
	}
	list := slices.Clone(o.posts)
	slices.SortStableFunc(list, func(a, b postSample) int { return strings.Compare(b.at, a.at) })
	fmt.Fprintln(out, "the newest posts among these rows, as an anonymous visitor, a user who does not follow the author, and a follower see them")
	for _, p := range list[:min(len(list), newest)] {
		stranger, follower := "-", "-"
		if author, known := o.users[p.author]; p.seen == seenByAll && known && author == seenByAll {
			stranger = "sees"
		}
		if author, known := o.users[p.author]; (p.seen == seenByAll || p.seen == seenByFollowers) && known && author != notSeen && author != seenUnclear {
			follower = "sees"
		}
		fmt.Fprintf(out, "  anonymous %-4s  other %-4s  follower %-4s  %s  post %s by %s: %s\n", stranger, stranger, follower, p.at, p.id, p.author, shortText(strings.Join(strings.Fields(p.text), " ")))
	}
	fmt.Fprintln(out)
}

// manyRows is from how many rows on it is no chance that all of them are the same in something.
const manyRows = 10

// doubts returns what is certainly wrong with the rules, and warns of what may be.
func (s *Samples) doubts() []Finding {
	var list []Finding
	complete := true // all users were read
	for i := range s.Tables {
		t := &s.Tables[i]
		for j := range t.Rules {
			r := &t.Rules[j]
			if n := r.rows[seenUnclear]; n > 0 {
				list = append(list, Finding{Line: r.Line, Text: fmt.Sprintf("it cannot be known who may see %d of %d rows, which are hidden: %s", n, t.Read, r.unclear)})
			}
			if r.Type == string(feed.RecordUser) && t.Read >= sampleRows {
				complete = false
			}
		}
	}
	list = append(list, s.objects.twice()...)
	if complete && len(s.objects.users) > 0 {
		list = append(list, s.objects.unknown("authors of posts", s.objects.authors)...)
		list = append(list, s.objects.unknown("followees", s.objects.followees)...)
	}
	return append(append(list, s.objects.same()...), s.objects.collisions()...)
}

func byLine(list []Finding) []Finding {
	slices.SortFunc(list, func(a, b Finding) int { return a.Line - b.Line })
	return list
}

// twice returns the rules that make the same objects. Only the first pair of rules is named.
func (o *sampleObjects) twice() []Finding {
	pairs := map[[2]int]string{}
	for key, lines := range o.made {
		if len(lines) < 2 {
			continue
		}
		pair := [2]int{slices.Min(lines), slices.Max(lines)}
		if pairs[pair] == "" || key < pairs[pair] {
			pairs[pair] = key
		}
	}
	var list []Finding
	for pair, key := range pairs {
		list = append(list, Finding{Line: pair[0], Text: fmt.Sprintf("two rows make the same record {%s}, the other by the rule in line %d: the end of one would end it. Give them different ids, or make one \"partial: true\"", key, pair[1])})
	}
	return byLine(list)
}

// unknown returns the rules that refer to users that no rule makes.
func (o *sampleObjects) unknown(who string, by map[int]map[string]bool) []Finding {
	var list []Finding
	for line, ids := range by {
		var missing []string
		for id := range ids {
			if _, known := o.users[id]; !known {
				missing = append(missing, id)
			}
		}
		if len(missing) == 0 {
			continue
		}
		slices.Sort(missing)
		f := Finding{Line: line, Warning: true, Text: fmt.Sprintf("%d of %d %s are no users, such as %s; what they do is not shown", len(missing), len(ids), who, missing[0])}
		if len(missing) == len(ids) {
			f.Warning, f.Text = false, fmt.Sprintf("none of the %s is a user, such as %s: the ids are those of another table, perhaps of logins instead of profiles", who, missing[0])
		}
		list = append(list, f)
	}
	return byLine(list)
}

// same returns the rules that make many objects at the same time, or posts without any text.
func (o *sampleObjects) same() []Finding {
	var list []Finding
	for line, times := range o.times {
		for at, n := range times {
			switch {
			case len(times) > 1 || n < manyRows:
			case o.followees[line] != nil: // an import may have made all follows at once
				list = append(list, Finding{Line: line, Warning: true, Text: fmt.Sprintf("all %d times are %s", n, at)})
			case strings.HasPrefix(at, "1970-"):
				list = append(list, Finding{Line: line, Text: "all times are in 1970: the column has no times, or another unit"})
			default:
				list = append(list, Finding{Line: line, Text: fmt.Sprintf("all %d times are %s: feeds would have no order", n, at)})
			}
		}
	}
	for line, n := range o.texts {
		if n[1] == 0 && n[0] >= manyRows {
			list = append(list, Finding{Line: line, Text: fmt.Sprintf("none of %d posts has a text or media: the text is in another column or table", n[0])})
		}
	}
	return byLine(list)
}

// collisions warns of handles that several users have.
func (o *sampleObjects) collisions() []Finding {
	n, example := 0, ""
	for handle, users := range o.handles {
		if users > 1 {
			if n++; example == "" || handle < example {
				example = handle
			}
		}
	}
	if n == 0 {
		return nil
	}
	return []Finding{{Warning: true, Text: fmt.Sprintf("%d handles have several users, such as %s: if a column, such as that of their server, tells them apart, add it to the handle, or leave the others out", n, example)}}
}
