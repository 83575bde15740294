package shadow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// Scroll is what another system shows a viewer, from the top.
type Scroll struct {
	Items []Item
	// Pages is the number of pages.
	Pages int
	// Complete says that the other system has no further page.
	Complete bool
}

// Item is an entry of another system's feed.
type Item struct {
	// ID is that of the post, as the mapping file makes it.
	ID string
	// At is its publish time in milliseconds; 0 if the file does not say where it is.
	At int64
	// Page is the number of its page, from 1.
	Page int
}

// Client asks the endpoint of another system. Its methods may be called concurrently.
type Client struct {
	Map *Map
	// URL is the endpoint; the file adds to it.
	URL  *url.URL
	HTTP *http.Client
	// Limit limits requests, also repeated ones.
	Limit *rate.Limiter
	// Pages is how many pages of a feed are asked for.
	Pages int
	// Timeout is that of a request, Wait the time before the second one. Further ones wait longer.
	Timeout, Wait time.Duration
}

const (
	// bodyMax is the maximum length of a page in bytes.
	bodyMax = 16 << 20
	// tries is how often a page is asked for before its viewer counts as failed.
	tries = 4
	// secretMin is the length from which on the value of an environment variable may be a secret.
	secretMin = 4
	// waitMax bounds what the other system asks to wait for.
	waitMax = 30 * time.Second
)

// Scroll returns the first pages of a viewer's feed. Errors do not contain secrets.
func (c *Client) Scroll(ctx context.Context, viewer string) (Scroll, error) {
	var s Scroll
	seen := map[string]bool{}
	variables := map[string]any{viewerVariable: viewer, cursorVariable: nil, envVariable: c.Map.env}
	for s.Pages < c.Pages && !s.Complete {
		s.Pages++
		variables[numberVariable] = int64(s.Pages)
		page, err := c.page(ctx, variables)
		if err != nil {
			return s, c.redact(fmt.Errorf("page %d: %w", s.Pages, err))
		}
		for _, item := range page.items {
			item.Page = s.Pages
			s.Items = append(s.Items, item)
		}
		if cursor, isText := mapping.PlainText(page.next); isText && !page.last() && page.next != true {
			if seen[cursor] {
				return s, fmt.Errorf("page %d: the next page has the same cursor as a page before", s.Pages)
			}
			seen[cursor] = true
		}
		s.Complete, variables[cursorVariable] = page.last(), page.next
	}
	return s, nil
}

// redact removes the values of environment variables from an error.
func (c *Client) redact(err error) error {
	text := err.Error()
	for name, value := range c.Map.env {
		if len(value) >= secretMin {
			text = strings.ReplaceAll(text, value, "env."+name)
		}
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

// page is a page of another system's feed.
type page struct {
	items []Item
	next  any
}

func (p *page) last() bool { return p.next == nil || p.next == "" || p.next == false }

func (c *Client) page(ctx context.Context, variables map[string]any) (*page, error) {
	waits := backoff.NewExponentialBackOff()
	waits.InitialInterval = c.Wait
	a, err := backoff.Retry(ctx, func() (answer, error) {
		if err := c.Limit.Wait(ctx); err != nil {
			return answer{}, backoff.Permanent(err)
		}
		return c.ask(ctx, variables)
	}, backoff.WithBackOff(waits), backoff.WithMaxTries(tries))
	if err != nil {
		return nil, plainError(err)
	}
	return c.Map.read(a, variables)
}

// answer is a response.
type answer struct {
	body    []byte
	headers map[string]string
}

// ask sends one request.
func (c *Client) ask(ctx context.Context, variables map[string]any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	req, err := c.Map.request(ctx, c.URL, variables)
	if err != nil {
		return answer{}, backoff.Permanent(err)
	}
	resp, err := c.HTTP.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return answer{}, refusal(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, bodyMax+1))
	switch {
	case err != nil:
		return answer{}, err
	case len(body) > bodyMax:
		return answer{}, backoff.Permanent(fmt.Errorf("the answer has more than %d MiB", bodyMax>>20))
	}
	headers := make(map[string]string, len(resp.Header))
	for name, values := range resp.Header {
		headers[strings.ToLower(name)] = strings.Join(values, ", ")
	}
	return answer{body, headers}, nil
}

// statusError is an answer with another status than 200.
type statusError int

func (e statusError) Error() string {
	return fmt.Sprintf("the old feed answers %d %s", int(e), http.StatusText(int(e)))
}

// refusal returns the error of a response, which says whether to ask again.
func refusal(resp *http.Response) error {
	status := statusError(resp.StatusCode)
	if status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
		return backoff.Permanent(status)
	}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && seconds >= 0 {
		return errors.Join(status, &backoff.RetryAfterError{Duration: min(time.Duration(seconds)*time.Second, waitMax)})
	}
	return status
}

// plainError returns an error without what only [backoff.Retry] reads, and without the URL, which may
// have a secret.
func plainError(err error) error {
	var status statusError
	var request *url.Error
	switch {
	case errors.As(err, &status):
		return status
	case errors.As(err, &request):
		return fmt.Errorf("ask the old feed: %w", request.Err)
	}
	return err
}

// request returns the request for a page.
func (m *Map) request(ctx context.Context, base *url.URL, variables map[string]any) (*http.Request, error) {
	target, err := m.url(base, variables)
	if err != nil {
		return nil, err
	}
	var body io.Reader
	if t := m.parts[partBody]; t != nil {
		v, err := t.Value(variables)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(v)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, m.method, target.String(), body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	headers, err := m.texts(partHeaders, variables)
	for _, h := range headers {
		req.Header.Set(h[0], h[1])
	}
	return req, err
}

// url adds the path and the query of the file to the endpoint.
func (m *Map) url(base *url.URL, variables map[string]any) (*url.URL, error) {
	target := *base
	if t := m.parts[partPath]; t != nil {
		v, err := t.Value(variables)
		if err != nil {
			return nil, err
		}
		segments, _ := v.([]any) // the file has a list here
		path := strings.TrimSuffix(base.EscapedPath(), "/")
		for _, s := range segments {
			text, isText := mapping.PlainText(s)
			if !isText {
				return nil, fmt.Errorf("line %d: a part of the path is no text", t.Line)
			}
			path += "/" + url.PathEscape(text)
		}
		if target.Path, err = url.PathUnescape(path); err != nil {
			return nil, err
		}
		target.RawPath = path
	}
	parameters, err := m.texts(partQuery, variables)
	query := target.Query()
	for _, p := range parameters {
		query.Set(p[0], p[1])
	}
	target.RawQuery = query.Encode()
	return &target, err
}

// texts returns the members of an object of texts, ordered by name.
func (m *Map) texts(part string, variables map[string]any) (list [][2]string, err error) {
	t := m.parts[part]
	if t == nil {
		return nil, nil
	}
	v, err := t.Value(variables)
	if err != nil {
		return nil, err
	}
	members, _ := v.(map[string]any) // the file has an object here
	for name, value := range members {
		text, isText := mapping.PlainText(value)
		if !isText {
			return nil, fmt.Errorf("line %d: %s is no text", t.Line, name)
		}
		list = append(list, [2]string{name, text})
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list, nil
}

// read reads an answer.
func (m *Map) read(a answer, request map[string]any) (*page, error) {
	body, err := mapping.Value(a.body)
	if err != nil {
		return nil, err
	}
	variables := map[string]any{
		bodyVariable: body, headersVariable: a.headers,
		viewerVariable: request[viewerVariable], cursorVariable: request[cursorVariable], numberVariable: request[numberVariable],
	}
	found, err := m.parts[partPosts].Value(variables)
	if err != nil {
		return nil, err
	}
	posts, isList := found.([]any)
	if !isList && found != nil {
		return nil, fmt.Errorf("line %d: the posts are no list", m.parts[partPosts].Line)
	}
	p := &page{items: make([]Item, len(posts))}
	for i, post := range posts {
		if p.items[i], err = m.item(map[string]any{postVariable: post, bodyVariable: body}); err != nil {
			return nil, err
		}
	}
	if t := m.parts[partNext]; t != nil {
		p.next, err = t.Value(variables)
	}
	return p, err
}

func (m *Map) item(variables map[string]any) (item Item, err error) {
	id, err := m.parts[partID].Value(variables)
	if err != nil {
		return item, err
	}
	if item.ID, _ = mapping.PlainText(id); item.ID == "" {
		return item, fmt.Errorf("line %d: a post has no id", m.parts[partID].Line)
	}
	t := m.parts[partTime]
	if t == nil {
		return item, nil
	}
	at, err := t.Value(variables)
	if err != nil {
		return item, err
	}
	switch at := at.(type) {
	case time.Time:
		item.At = at.UnixMilli()
	case string:
		parsed, err := wellformed.Time(at)
		if err != nil {
			return item, fmt.Errorf("line %d: %.40q is no time; write =timestamp(…), or =millis(…) for milliseconds", t.Line, at)
		}
		item.At = parsed.UnixMilli()
	case nil:
	default:
		return item, fmt.Errorf("line %d: the time is no text; write =millis(…) for milliseconds", t.Line)
	}
	return item, nil
}
