package tasks

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hibiken/asynq"

	"github.com/tideline-feeds/tideline/feed"
)

// The task types. They and the payloads are a wire format: old and new processes
// share the queues during a rolling upgrade.
const (
	// TypeDispatch asks to plan the fan-out of one content and to enqueue its
	// slices: {"v":1,"contentId":"123"}. The replay of a live session goes by
	// [feed.ReplayRef], which is the session's id with a minus.
	TypeDispatch = "event_content_meta_change"
	// TypePush asks to push one content to one slice of its plan:
	// {"v":1,"contentId":"123","task":0}.
	TypePush = "timeline_push"
	// TypeBuild asks to build one viewer's inbox: {"v":1,"viewerId":"7"}.
	TypeBuild = "timeline_build"
	// TypeReconcile asks to bring one viewer's inbox up to his present relations:
	// {"v":1,"viewerId":"7"}.
	TypeReconcile = "timeline_reconcile"
	// TypeWarmUp asks to note that one viewer is active, and to make his inbox cover
	// those who push to active followers only: {"v":1,"viewerId":"7"}.
	TypeWarmUp = "timeline_warm_up"
	// TypeReplayBuild, TypeReplayReconcile and TypeReplayWarmUp ask for the same of one
	// viewer's replay inbox.
	TypeReplayBuild     = "replay_build"
	TypeReplayReconcile = "replay_reconcile"
	TypeReplayWarmUp    = "replay_warm_up"
	// TypeRefresh asks to write down what some hosts have upcoming and live:
	// {"v":1,"hostIds":["7","8"]}.
	TypeRefresh = "live_refresh"
	// TypeAnnounce asks for nothing, in any queue: {}.
	TypeAnnounce = "queue_announce"
)

// Ids are decimal strings, because a JSON number loses digits above 2^53 in most
// of the tools that an operator might read a payload with.
type dispatchPayload struct {
	V         int    `json:"v"`
	ContentID string `json:"contentId"`
}

type pushPayload struct {
	V         int    `json:"v"`
	ContentID string `json:"contentId"`
	// Task is a pointer to tell slice 0 from a field that is missing.
	Task *int `json:"task"`
}

// viewerPayload is that of all types that name a viewer and nothing else.
type viewerPayload struct {
	V        int    `json:"v"`
	ViewerID string `json:"viewerId"`
}

// hostsPayload is that of [TypeRefresh].
type hostsPayload struct {
	V       int      `json:"v"`
	HostIDs []string `json:"hostIds"`
}

func newDispatchPayload(id feed.ContentID) dispatchPayload {
	return dispatchPayload{V: PayloadVersion, ContentID: id.String()}
}

func newPushPayload(ref feed.SliceRef) pushPayload {
	return pushPayload{V: PayloadVersion, ContentID: ref.Content.String(), Task: &ref.Task}
}

func newViewerPayload(viewer feed.UserID) viewerPayload {
	return viewerPayload{V: PayloadVersion, ViewerID: viewer.String()}
}

func newHostsPayload(hosts []feed.UserID) hostsPayload {
	p := hostsPayload{V: PayloadVersion, HostIDs: make([]string, len(hosts))}
	for i, host := range hosts {
		p.HostIDs[i] = host.String()
	}
	return p
}

func decodeDispatch(raw []byte) (feed.ContentID, error) {
	var p dispatchPayload
	if err := decodeJSON(TypeDispatch, raw, &p); err != nil {
		return 0, err
	}
	id, err := parseContentName(p.ContentID)
	if err != nil {
		return 0, badPayload(TypeDispatch, fmt.Errorf("contentId: %w", err))
	}
	return id, nil
}

func decodePush(raw []byte) (feed.SliceRef, error) {
	var p pushPayload
	if err := decodeJSON(TypePush, raw, &p); err != nil {
		return feed.SliceRef{}, err
	}
	id, err := parseContentName(p.ContentID)
	if err != nil {
		return feed.SliceRef{}, badPayload(TypePush, fmt.Errorf("contentId: %w", err))
	}
	if p.Task == nil || *p.Task < 0 {
		return feed.SliceRef{}, badPayload(TypePush, errors.New("task: not a slice's number, which is 0 or more"))
	}
	return feed.SliceRef{Content: id, Task: *p.Task}, nil
}

// decodeViewer returns the decoder of a type whose payload is a [viewerPayload].
func decodeViewer(typ string) func([]byte) (feed.UserID, error) {
	return func(raw []byte) (feed.UserID, error) {
		var p viewerPayload
		if err := decodeJSON(typ, raw, &p); err != nil {
			return 0, err
		}
		id, err := feed.ParseUserID(p.ViewerID)
		if err != nil {
			return 0, badPayload(typ, fmt.Errorf("viewerId: %w", err))
		}
		return id, nil
	}
}

// parseContentName reads the name under which something is fanned out: a content's id, or
// a session's with a minus.
func parseContentName(text string) (feed.ContentID, error) {
	digits, isReplay := strings.CutPrefix(text, "-")
	id, err := feed.ParseContentID(digits)
	if isReplay {
		id = feed.ReplayRef(int64(id))
	}
	return id, err
}

// decodeHosts reads the payload of a [TypeRefresh] task, which names one host at least.
func decodeHosts(raw []byte) ([]feed.UserID, error) {
	var p hostsPayload
	if err := decodeJSON(TypeRefresh, raw, &p); err != nil {
		return nil, err
	}
	if len(p.HostIDs) == 0 {
		return nil, badPayload(TypeRefresh, errors.New("hostIds: there are none"))
	}
	hosts := make([]feed.UserID, len(p.HostIDs))
	for i, text := range p.HostIDs {
		var err error
		if hosts[i], err = feed.ParseUserID(text); err != nil {
			return nil, badPayload(TypeRefresh, fmt.Errorf("hostIds[%d]: %w", i, err))
		}
	}
	return hosts, nil
}

// decodeJSON reads a payload into p.
func decodeJSON(typ string, raw []byte, p any) error {
	if err := json.Unmarshal(raw, p); err != nil {
		return badPayload(typ, err)
	}
	return nil
}

// badPayload says what is wrong with a payload. It does not get better by being
// tried again, so the task is archived, where the web UI shows it with this text.
func badPayload(typ string, err error) error {
	return fmt.Errorf("%s payload: %w: %w", typ, err, asynq.SkipRetry)
}
