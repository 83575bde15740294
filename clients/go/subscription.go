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

// Subscription receives the new posts of the viewer's home feed. [Subscribe] creates one.
type Subscription struct{ *stream }

// stream is a response of server-sent events.
type stream struct {
	body   io.ReadCloser
	events *bufio.Reader
}

// eventMax is the longest line of a stream, in bytes. A post has at most 5,000 code points and ten
// URLs of 2,048 bytes, and JSON may use six bytes per character.
const eventMax = 1 << 20

// Subscribe subscribes to the home feed of the viewer at a base URL. It uses server-sent events,
// one connection per subscription.
//
// It cannot be resumed: [Home.Changes] receives all changes and misses none. Close the subscription
// when done. Close and the end of the context end Next.
func Subscribe(ctx context.Context, base string, options ...Option) (*Subscription, error) {
	s, err := open(ctx, base, graphql.Request{Query: homeFeedEdges_Operation, OpName: "homeFeedEdges"}, options)
	if err != nil {
		return nil, err
	}
	return &Subscription{s}, nil
}

// open begins a subscription.
func open(ctx context.Context, base string, request graphql.Request, options []Option) (*stream, error) {
	c := connect(base, options)
	endless := *c.http
	endless.Timeout = 0
	c.http = &endless
	body, err := json.Marshal(request)
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
	return &stream{body: res.Body, events: bufio.NewReader(res.Body)}, nil
}

// notAStream reads the error of a response that is not a stream, and closes it.
func notAStream(res *http.Response) error {
	defer func() { _ = res.Body.Close() }()
	refused := &graphql.HTTPError{StatusCode: res.StatusCode}
	if err := json.NewDecoder(io.LimitReader(res.Body, eventMax)).Decode(&refused.Response); err != nil {
		return fmt.Errorf("the server answers with %s and no stream", res.Status)
	}
	return refused
}

// Next waits for the next post. It returns the error of the server (see [CodeOf]), [io.EOF] at the
// end, or the error of the connection.
func (s *Subscription) Next() (ContentEdge, error) {
	event, err := next[homeFeedEdgesResponse](s.stream)
	if err != nil {
		return ContentEdge{}, err
	}
	return event.HomeFeedEdges, nil
}

// next waits for the data of the next event.
func next[Data any](s *stream) (*Data, error) {
	for {
		event, data, err := s.event()
		switch {
		case err != nil:
			return nil, err
		case event == "complete":
			return nil, io.EOF
		case event == "next":
			return dataOf[Data](data)
		}
	}
}

// dataOf decodes an event.
func dataOf[Data any](text []byte) (*Data, error) {
	var event graphql.BaseResponse[*Data]
	if err := json.Unmarshal(text, &event); err != nil {
		return nil, err
	}
	switch {
	case len(event.Errors) > 0:
		return nil, event.Errors
	case event.Data == nil:
		return nil, errors.New("the event has no data")
	}
	return event.Data, nil
}

// event reads up to the empty line that ends an event. Lines that begin with a colon are
// keep-alives.
func (s *stream) event() (event string, data []byte, err error) {
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

// line reads one line without its end.
func (s *stream) line() ([]byte, error) {
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
func (s *stream) Close() error { return s.body.Close() }
