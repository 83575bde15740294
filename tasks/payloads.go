package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// The task types, which are a wire format: old and new processes may share the queues.
const (
	// TypeDispatch plans a fan-out: {"v":1,"contentId":"123"}. A replay has its [feed.ReplayRef].
	TypeDispatch = "event_content_meta_change"
	// TypePlan plans a large fan-out, with the same payload.
	TypePlan = "timeline_plan"
	// TypePush pushes one slice of a plan: {"v":1,"contentId":"123","task":0}. With "more":["124","125"]
	// it also pushes the slices 0 of other posts. Earlier versions ignore these, and a sweep repeats them.
	TypePush = "timeline_push"
	// TypeBuild builds a viewer's inbox; this and the next two have {"v":1,"viewerId":"7"}.
	TypeBuild = "timeline_build"
	// TypeReconcile brings a viewer's inbox up to their current relations.
	TypeReconcile = "timeline_reconcile"
	// TypeWarmUp records activity, and makes the viewer's inbox cover selective authors.
	TypeWarmUp = "timeline_warm_up"
	// TypeReplayBuild and the next two do the same for a viewer's replay inbox.
	TypeReplayBuild     = "replay_build"
	TypeReplayReconcile = "replay_reconcile"
	TypeReplayWarmUp    = "replay_warm_up"
	// TypeRefresh writes the upcoming and live sessions of hosts: {"v":1,"hostIds":["7","8"]}.
	TypeRefresh = "live_refresh"
	// TypeIngest has change records of another system: {"v":1,"records":[{"type":"user",…},…]}. It is
	// public: other programs enqueue it.
	TypeIngest = "tideline:ingest"
	// TypeAnnounce asks for nothing, in any queue: {}.
	TypeAnnounce = "queue_announce"
)

// payload has decimal strings as ids: most tools lose the digits of a JSON number above 2^53.
type payload struct {
	V      int    `json:"v,omitempty"`
	PostID string `json:"contentId,omitempty"`
	// Task is a pointer to tell slice 0 from a missing field.
	Task     *int              `json:"task,omitempty"`
	More     []string          `json:"more,omitempty"`
	ViewerID string            `json:"viewerId,omitempty"`
	HostIDs  []string          `json:"hostIds,omitempty"`
	Records  []json.RawMessage `json:"records,omitempty"`
}

// decode checks the version first: the fields of another version may have other forms.
func decode[T any](typ string, newest int, raw []byte, read func(payload) (T, error)) (arg T, err error) {
	var head struct {
		V int `json:"v"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return arg, badPayload(typ, err)
	}
	switch {
	case head.V < 1:
		return arg, badPayload(typ, fmt.Errorf("v: there is no version %d", head.V))
	case head.V > newest:
		return arg, fmt.Errorf("%s payload: v: version %d, this process reads %d: %w", typ, head.V, newest, ErrElsewhere)
	}
	var p payload
	if err = json.Unmarshal(raw, &p); err == nil {
		arg, err = read(p)
	}
	if err != nil {
		return arg, badPayload(typ, err)
	}
	return arg, nil
}

// readContent reads the id of a fan-out: a post's, or a session's with a minus.
func readContent(p payload) (feed.PostID, error) {
	digits, isReplay := strings.CutPrefix(p.PostID, "-")
	id, err := feed.ParsePostID(digits)
	if err != nil {
		return 0, fmt.Errorf("contentId: %w", err)
	}
	if isReplay {
		id = feed.ReplayRef(int64(id))
	}
	return id, nil
}

func readSlice(p payload) (feed.SliceRef, error) {
	id, err := readContent(p)
	if err == nil && (p.Task == nil || *p.Task < 0) {
		err = errors.New("task: not a slice's number, which is 0 or more")
	}
	if err != nil {
		return feed.SliceRef{}, err
	}
	return feed.SliceRef{Post: id, Task: *p.Task}, nil
}

// readSlices reads the slices of a push task, at least one.
func readSlices(p payload) ([]feed.SliceRef, error) {
	first, err := readSlice(p)
	list := []feed.SliceRef{first}
	for i, text := range p.More {
		post, e := readContent(payload{PostID: text})
		if e != nil {
			err = errors.Join(err, fmt.Errorf("more[%d]: %w", i, e))
		}
		list = append(list, feed.SliceRef{Post: post})
	}
	return list, err
}

func readViewer(p payload) (feed.UserID, error) {
	id, err := feed.ParseUserID(p.ViewerID)
	if err != nil {
		return 0, fmt.Errorf("viewerId: %w", err)
	}
	return id, nil
}

func readHosts(p payload) ([]feed.UserID, error) {
	if len(p.HostIDs) == 0 {
		return nil, errors.New("hostIds: there are none")
	}
	hosts := make([]feed.UserID, len(p.HostIDs))
	for i, text := range p.HostIDs {
		var err error
		if hosts[i], err = feed.ParseUserID(text); err != nil {
			return nil, fmt.Errorf("hostIds[%d]: %w", i, err)
		}
	}
	return hosts, nil
}

func readRecords(p payload) ([]json.RawMessage, error) {
	if len(p.Records) == 0 {
		return nil, errors.New("records: there are none")
	}
	return p.Records, nil
}

// badPayload wraps an error in a payload. A retry would not help, so asynq archives the task.
func badPayload(typ string, err error) error {
	return fmt.Errorf("%s payload: %w: %w", typ, err, asynq.SkipRetry)
}
