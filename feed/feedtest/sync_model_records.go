package feedtest

import (
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
)

// sentPosts are posts of another system, which sends records with versions.
type sentPosts struct {
	// rows has the last record of each post, and applied the last one that the store has.
	rows, applied map[feed.PostID]feed.Record
	// waiting are records that have not arrived, overtaken those that change nothing any more.
	waiting, overtaken []feed.Record
	version            feed.ObjectVersion
}

func newSentPosts() *sentPosts {
	return &sentPosts{rows: map[feed.PostID]feed.Record{}, applied: map[feed.PostID]feed.Record{}}
}

// ingest changes posts of another system. It applies some of the records that were sent, in any
// order, and perhaps one that a later record has overtaken. The fan-outs may be left to a sweep.
func (m *syncHistory) ingest(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "records") {
		m.sendRecord(t)
	}
	var batch []feed.Record
	for range rapid.IntRange(1, len(m.source.waiting)).Draw(t, "records that arrive") {
		i := rapid.IntRange(0, len(m.source.waiting)-1).Draw(t, "record")
		batch = append(batch, m.source.waiting[i])
		m.source.waiting = slices.Delete(m.source.waiting, i, i+1)
	}
	if n := len(m.source.overtaken); n > 0 && rapid.IntRange(0, 3).Draw(t, "again, if zero") == 0 {
		batch = append(batch, m.source.overtaken[rapid.IntRange(0, n-1).Draw(t, "overtaken")])
	}
	m.applyRecords(t, batch)
}

// ingestAll applies the records that have not arrived.
func (m *syncHistory) ingestAll(t *rapid.T) {
	m.applyRecords(t, m.source.waiting)
	m.source.waiting = nil
}

// sendRecord changes a post of the other system: it is new, edited, deleted or restored.
func (m *syncHistory) sendRecord(t *rapid.T) {
	var r feed.Record
	known := slices.Sorted(maps.Keys(m.source.rows))
	if len(known) == 0 || rapid.IntRange(0, 2).Draw(t, "new, if zero") == 0 {
		r = feed.Record{Post: m.newSentPost(t)}
	} else {
		p := *m.source.rows[drawn(t, "sent post", known)].Post
		p.DeletedAt = 0
		if rapid.IntRange(0, 2).Draw(t, "deleted, if zero") == 0 {
			p.DeletedAt = m.s.Clock.Millis()
		}
		r = feed.Record{Post: &p}
	}
	m.edits++
	r.Post.Text = fmt.Sprint("record ", m.edits)
	m.source.version.Number++
	r.Version = m.source.version
	m.source.rows[r.Post.ID] = r
	m.source.waiting = append(m.source.waiting, r)
}

// newSentPost draws a back-dated post. It may repost or comment on any post, also one that has not
// arrived.
func (m *syncHistory) newSentPost(t *rapid.T) *feed.Post {
	p := newPost(m.newID(t), m.someone(t), m.pastTime(t))
	if len(m.posts) > 0 {
		about := feed.PostID(drawn(t, "about", m.posts).key.ID)
		switch p.Kind = drawn(t, "kind", []feed.Kind{feed.KindPost, feed.KindPost, feed.KindComment, feed.KindRepost}); p.Kind {
		case feed.KindComment:
			p.ReplyTo = about
		case feed.KindRepost:
			p.RepostOf = about
		}
	}
	m.posts = append(m.posts, storedPost{p.Key(), p.Author, p.RepostOf})
	return p
}

// applyRecords ingests a batch as a way without order does. Records of deleted accounts would be bad.
func (m *syncHistory) applyRecords(t *rapid.T, batch []feed.Record) {
	batch = slices.DeleteFunc(batch, func(r feed.Record) bool { return !slices.Contains(m.users, r.Post.Author) })
	b := batchOf(slices.Clone(batch))
	b.Ordered = false
	now := m.s.Clock.Millis()
	b.Dispatch = feed.FirstDispatch{PlanBelow: m.s.Policy.PlanBelow(), EventDue: now, SliceDue: now}
	got := must(m.s.Ingester.Ingest(m.ctx, b))
	failIf(t, len(got.Bad) > 0, "bad records: %+v", got.Bad)
	for _, r := range batch {
		last := m.source.applied[r.Post.ID]
		if last.Version.Number > r.Version.Number {
			last, r = r, last
		}
		m.source.applied[r.Post.ID] = r
		if last.Post != nil {
			m.source.overtaken = append(m.source.overtaken, last)
		}
	}
	m.forgetRequired()
	if rapid.Bool().Draw(t, "fan-outs begin") {
		check(m.s.enqueue(m.ctx, got))
	}
}

// forgetRequired ends the requirements and the open scroll, because posts may have arrived or returned
// whose pushes are pending. Reposts of them may be visible again.
func (m *syncHistory) forgetRequired() {
	m.forgetDisplays()
	for _, viewer := range m.users {
		clear(m.required[viewer])
	}
}

// count counts a change that a client has received.
func (m *syncHistory) count(change feed.HomeChange) {
	m.reported.all[change.Kind]++
	if m.source.shows(change) {
		m.reported.ofRecords[change.Kind]++
	}
}

// shows reports whether a change says what the last record of its post says.
func (s *sentPosts) shows(change feed.HomeChange) bool {
	r, sent := s.applied[change.ID]
	switch change.Kind {
	case feed.HomeAdded, feed.HomeChanged:
		return sent && change.Entry.Post.Text == r.Post.Text
	case feed.HomeRemoved:
		return sent && r.Post.DeletedAt > 0
	}
	return false
}
