package world

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"time"
)

// Write writes the network as records for tideline import, one per line. Users come first, then
// follows by user. Posts with their likes follow in order of publication, as a live database would
// receive them. Live sessions by user come last. Write needs about thirty bytes of memory per post.
// seen is the time at which all users were last seen, which makes them active or dormant.
func (s Size) Write(w io.Writer, seen time.Time) error {
	out := &recorder{w: bufio.NewWriterSize(w, 1<<20)}
	s.eachUser(out, func(id int64) {
		out.line(`{"type":"user","id":"%d","handle":%q,"name":%q,"avatarUrl":%q,"createdAt":"%s","lastSeenAt":"%s"}`,
			id, Handle(id), Name(id), Avatar(id), stamp(began), stamp(seen.UnixMilli()))
	})
	s.eachUser(out, func(id int64) {
		for _, followee := range s.Followees(id) {
			out.line(`{"type":"follow","follower":"%d","followee":"%d","createdAt":"%s"}`, id, followee, stamp(began))
		}
	})
	s.writePosts(out)
	s.eachUser(out, func(id int64) {
		for _, live := range s.Sessions(id) {
			out.session(live, seen)
		}
	})
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// eachUser calls write for every user in ascending order until an error occurs.
func (s Size) eachUser(out *recorder, write func(id int64)) {
	for id := int64(1); id <= s.Last() && out.err == nil; id++ {
		write(id)
	}
}

// writePosts writes all posts in order of id, which is the order of time.
func (s Size) writePosts(out *recorder) {
	all := make([]draft, 0, int64(s.Posts)*s.Last())
	s.eachUser(out, func(id int64) { all = append(all, s.drafts(id)...) })
	slices.SortFunc(all, func(a, b draft) int { return cmp.Compare(a.id, b.id) })
	for _, d := range all {
		p := d.post()
		out.line(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":%q,"publishedAt":"%s"}`,
			p.ID, p.Author, p.Text, stamp(p.TS))
		if Likes(p) > 0 {
			out.line(`{"type":"like","user":"%d","post":"%d","createdAt":"%s"}`, p.Author, p.ID, stamp(p.TS))
		}
		if out.err != nil {
			return
		}
	}
}

// recorder writes lines and keeps the first error.
type recorder struct {
	w   *bufio.Writer
	err error
}

func (r *recorder) line(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.w, format+"\n", args...)
	}
}

// plannedAfter is the time from seen to the first upcoming session. It is within the year that an
// import allows, and no plan is due during a measurement.
const plannedAfter = 180 * 24 * time.Hour

// session writes a live session with the times of its state. Upcoming sessions keep their order as
// minutes of a day.
func (r *recorder) session(l Session, seen time.Time) {
	planned := seen.Add(plannedAfter).UnixMilli() + l.At%(24*time.Hour).Milliseconds()
	hourBefore := stamp(l.At - time.Hour.Milliseconds())
	times := map[int]string{
		Upcoming: fmt.Sprintf(`"scheduledAt":"%s"`, stamp(planned)),
		Live:     fmt.Sprintf(`"scheduledAt":"%[1]s","startedAt":"%[1]s"`, stamp(l.At)),
		Replay:   fmt.Sprintf(`"scheduledAt":"%[1]s","startedAt":"%[1]s","endedAt":"%[2]s"`, hourBefore, stamp(l.At)),
	}
	r.line(`{"type":"live","id":"%d","host":"%d","title":"Session %d",%s}`, l.ID, l.Host, l.ID, times[l.State])
}

// stamp formats a time for records.
func stamp(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02T15:04:05.000Z") }
