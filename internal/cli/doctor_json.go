package cli

import (
	"io"

	"github.com/tideline-feeds/tideline/feed/doctor"
	"github.com/tideline-feeds/tideline/feed/explain"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// The report as JSON. Ids are strings, as in the API, because JSON numbers do not hold all of
// them exactly.
type (
	jsonReport struct {
		jsonExamined
		Replays  jsonExamined        `json:"replays"`
		Found    map[doctor.Kind]int `json:"found"`
		Wrong    int                 `json:"wrong"`
		Findings []jsonFinding       `json:"findings"`
		LeftOut  int                 `json:"findingsLeftOut"`
		Pending  jsonPending         `json:"pending"`
		// Queues is null if the queues could not be read.
		Queues []jsonQueue `json:"queues"`
		// Workers counts the processes that serve the queues.
		Workers int `json:"workers"`
		// Beats are milliseconds since the last heartbeat, by server.
		Beats map[string]int64 `json:"heartbeatsAgo"`
		Took  int64            `json:"tookMs"`
		// Handles do not count as wrong.
		Handles [][]jsonHandle `json:"lookalikeHandles"`
		// Flags count the authors whose posts are not pushed to all followers.
		Flags []jsonFlags `json:"coverageFlags"`
		// AbsentUsers and AbsentPosts do not count as wrong.
		AbsentUsers jsonAbsent  `json:"absentUsers"`
		AbsentPosts jsonAwaited `json:"absentPosts"`
		// Warnings do not count as wrong.
		Warnings []warnings.Warning `json:"warnings"`
	}
	jsonExamined struct {
		Users   jsonUsers   `json:"users"`
		Entries jsonEntries `json:"entries"`
	}
	jsonUsers struct {
		Examined   int `json:"examined"`
		WithInbox  int `json:"withInbox"`
		Warm       int `json:"warm"`
		Cold       int `json:"cold"`
		Building   int `json:"building"`
		Absent     int `json:"absent"`
		Unreadable int `json:"unreadable"`
		Behind     int `json:"behind"`
	}
	jsonEntries struct {
		InInboxes int `json:"inInboxes"`
		InFeeds   int `json:"inFeeds"`
	}
	jsonFinding struct {
		User    string `json:"user"`
		Content string `json:"content,omitempty"`
		// Session replaces Content for a replay.
		Session string      `json:"session,omitempty"`
		Kind    doctor.Kind `json:"kind"`
		What    string      `json:"what"`
		Why     string      `json:"why"`
		Wrong   bool        `json:"wrong"`
		// Reason is why the home feed has the post, or lacks it, as inbox --why prints it.
		Reason explain.Reason `json:"reason,omitempty"`
	}
	jsonPending struct {
		Unplanned int `json:"unplanned"`
		Subtasks  int `json:"subtasks"`
		Running   int `json:"running"`
		Stuck     int `json:"stuck"`
	}
	jsonFlags struct {
		Flag    string `json:"flag"`
		Reason  string `json:"reason"`
		Authors int64  `json:"authors"`
		// Since is null if it is not known.
		Since *string `json:"since"`
	}
	jsonQueue struct {
		Name     string `json:"name"`
		Waiting  int    `json:"waiting"`
		Running  int    `json:"running"`
		Orphaned int    `json:"orphaned"`
		Archived int    `json:"archived"`
	}
)

// printJSON prints the report for programs.
func (r *doctorReport) printJSON(w io.Writer) error {
	all := r.all()
	out := jsonReport{
		jsonExamined: jsonOfExamined(r.home),
		Replays:      jsonOfExamined(r.replays),

		Found:    map[doctor.Kind]int{},
		Wrong:    all.WrongCount(),
		Findings: []jsonFinding{},
		LeftOut:  leftOut(all),
		Pending: jsonPending{
			Unplanned: r.pending.Events, Subtasks: r.pending.Slices, Running: r.pending.Running, Stuck: r.pending.Overdue,
		},
		Queues: r.jsonQueues(), Workers: r.workers,
		Beats: map[string]int64{},
		Took:  r.took.Milliseconds(),

		Handles: r.handles.json(r.ids),
		Flags:   r.jsonFlags(),

		AbsentUsers: absentUsersJSON(r.sources, r.ids), AbsentPosts: awaitedJSON(r.sources.Posts.Awaited, r.sources.Posts.Oldest, r.ids.Post),

		Warnings: append([]warnings.Warning{}, r.warnings...),
	}
	for _, kind := range doctor.Kinds() {
		out.Found[kind] = all.Found[kind]
	}
	for server, ago := range r.beats {
		out.Beats[server] = ago.Milliseconds()
	}
	for _, findings := range [][]doctor.Finding{all.Wrong, all.Explained} {
		for _, f := range findings {
			out.Findings = append(out.Findings, r.jsonOf(f))
		}
	}
	return printJSON(w, out)
}

func jsonOfExamined(e examined) jsonExamined {
	return jsonExamined{
		Users: jsonUsers{
			Examined: e.Viewers, WithInbox: e.inboxes, Warm: e.Warm, Cold: e.Cold, Building: e.Building,
			Absent: e.Absent, Unreadable: e.Unreadable, Behind: e.Behind,
		},
		Entries: jsonEntries{InInboxes: e.Entries, InFeeds: e.Shown},
	}
}

func (r *doctorReport) jsonFlags() []jsonFlags {
	out := make([]jsonFlags, len(r.flags))
	for i, n := range r.flags {
		out[i] = jsonFlags{Flag: n.Flag.String(), Reason: n.Reason.String(), Authors: n.Authors}
		if n.Since != 0 {
			out[i].Since = new(timeText(n.Since))
		}
	}
	return out
}

func (r *doctorReport) jsonQueues() []jsonQueue {
	if r.queuesErr != nil {
		return nil
	}
	out := make([]jsonQueue, len(r.queues))
	for i, q := range r.queues {
		out[i] = jsonQueue{q.Name, app.Waiting(q), q.Active - q.Orphaned, q.Orphaned, q.Archived}
	}
	return out
}

func (r *doctorReport) jsonOf(f doctor.Finding) jsonFinding {
	e := f.Kind.Explain()
	out := jsonFinding{User: idText(r.ids.User(f.Viewer)), Kind: f.Kind, What: e.What, Why: e.Why, Wrong: e.Wrong, Reason: f.Explained}
	if _, isReplay := f.Post.Session(); isReplay {
		out.Session = idText(r.ids.Post(f.Post))
	} else {
		out.Content = idText(r.ids.Post(f.Post))
	}
	return out
}
