package tideline

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/Khan/genqlient/graphql"
)

// Subscription tells of contents that enter the viewer's home feed. Make one with
// [Subscribe].
type Subscription struct {
	body   io.ReadCloser
	events *bufio.Reader
}

// eventMax is the number of bytes in a line of a stream that is read: a content has at most
// 5,000 code points and ten URLs of 2,048 bytes, all of which JSON may write as six bytes a
// character.
const eventMax = 1 << 20

// Subscribe begins to listen to the server at a base URL, as the viewer whom the options
// sign in. It uses server-sent events, one connection for each subscription.
//
// What it tells and how a client misses nothing is in docs/realtime.md: subscribe, read
// the feed, and begin again when [Subscription.Next] fails. Close it when done; that, and
// the end of the context, end Next as well.
func Subscribe(ctx context.Context, base string, options ...Option) (*Subscription, error) {
	c := connect(base, options)
	endless := *c.http
	endless.Timeout = 0
	c.http = &endless
	body, err := json.Marshal(graphql.Request{Query: homeFeedEdges_Operation, OpName: "homeFeedEdges"})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	res, err := c.Do(req) //nolint:bodyclose // The subscription closes it, or notAStream.
	if err != nil {
		return nil, err
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode != http.StatusOK || media != "text/event-stream" {
		return nil, notAStream(res)
	}
	return &Subscription{body: res.Body, events: bufio.NewReader(res.Body)}, nil
}

// notAStream reads an answer that is none, and closes it.
func notAStream(res *http.Response) error {
	defer func() { _ = res.Body.Close() }()
	refused := &graphql.HTTPError{StatusCode: res.StatusCode}
	if err := json.NewDecoder(io.LimitReader(res.Body, eventMax)).Decode(&refused.Response); err != nil {
		return fmt.Errorf("the server answers with %s and no stream", res.Status)
	}
	return refused
}

// Next waits for the next content. Its error is that of the server, for [CodeOf], or
// [io.EOF] at the end, or what went wrong with the connection.
func (s *Subscription) Next() (ContentEdge, error) {
	for {
		event, data, err := s.event()
		switch {
		case err != nil:
			return ContentEdge{}, err
		case event == "complete":
			return ContentEdge{}, io.EOF
		case event == "next":
			return contentOf(data)
		}
	}
}

// contentOf reads what one event tells.
func contentOf(data []byte) (ContentEdge, error) {
	var told graphql.BaseResponse[*homeFeedEdgesResponse]
	if err := json.Unmarshal(data, &told); err != nil {
		return ContentEdge{}, err
	}
	switch {
	case len(told.Errors) > 0:
		return ContentEdge{}, told.Errors
	case told.Data == nil:
		return ContentEdge{}, errors.New("the server tells of nothing")
	}
	return told.Data.HomeFeedEdges, nil
}

// event reads up to the empty line that ends an event. Lines that begin with a colon are
// signs of life.
func (s *Subscription) event() (event string, data []byte, err error) {
	for {
		line, err := s.line()
		if err != nil {
			return "", nil, err
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			event = string(value)
		case "data":
			data = append(data, value...)
		case "":
			if len(line) == 0 && event != "" {
				return event, data, nil
			}
		}
	}
}

// line reads one line, without its end.
func (s *Subscription) line() ([]byte, error) {
	var line []byte
	for {
		part, isPrefix, err := s.events.ReadLine()
		switch line = append(line, part...); {
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(line) > eventMax:
			return nil, fmt.Errorf("the server sends a line of more than %d bytes", eventMax)
		case !isPrefix:
			return line, nil
		}
	}
}

// Close ends the subscription. It may be called while Next waits.
func (s *Subscription) Close() error { return s.body.Close() }
