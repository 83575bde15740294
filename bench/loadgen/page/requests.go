package page

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// Server is the target of requests.
type Server struct {
	// Addr is HOST:PORT.
	Addr string
	// Secret signs the tokens.
	Secret string
}

// token signs a token for a user.
func (s Server) token(user int64) string { return Token(s.Secret, user, time.Now().Add(tokenFor)) }

// wire serializes a request of a user.
func (s Server) wire(user int64, document string, variables map[string]any) ([]byte, error) {
	return Wire(s.Addr, s.token(user), document, variables)
}

// RequestSet is a set of requests to draw from at random.
type RequestSet struct {
	requests []*drive.Request
	zipf     bool
}

// Next draws a request, as [drive.Load] expects.
func (b *RequestSet) Next(r *rand.Rand) *drive.Request {
	if !b.zipf || len(b.requests) == 1 {
		return b.requests[r.IntN(len(b.requests))]
	}
	return b.requests[rand.NewZipf(r, zipfSkew, 1, uint64(len(b.requests)-1)).Uint64()]
}

// zipfSkew is the exponent of Zipf's law. Of a thousand viewers, the first makes a seventh of all
// reads.
const zipfSkew = 1.1

// Zipf returns the same requests, of which the first are drawn more often than the last.
func (b *RequestSet) Zipf() *RequestSet { return &RequestSet{requests: b.requests, zipf: true} }

// All returns the requests in the order of the viewers.
func (b *RequestSet) All() []*drive.Request { return b.requests }

// HomePages makes one request per viewer: the n-th page of the home feed, from 1. For later pages
// it scrolls there, so the server must be up, and verifies every page on the way.
func HomePages(ctx context.Context, s Server, size world.Size, viewers []int64, n int) (*RequestSet, error) {
	return makeRequests(viewers, func(viewer int64) (*drive.Request, error) {
		feed := size.Home(viewer, n*Size)
		after := ""
		for page := 1; ; page++ {
			request, err := homePage(s, viewer, after, part(feed, page))
			if page == n || err != nil {
				return request, err
			}
			if after, err = turn(ctx, s, request, part(feed, page)); err != nil {
				return nil, fmt.Errorf("page %d of user %d: %w", page, viewer, err)
			}
		}
	})
}

// part returns the expected n-th page of a feed.
func part(f world.Feed, n int) Wanted {
	from, to := min((n-1)*Size, len(f.Posts)), min(n*Size, len(f.Posts))
	return Wanted{Posts: f.Posts[from:to], More: n*Size < f.Length, Sources: f.Sources}
}

func homePage(s Server, viewer int64, after string, want Wanted) (*drive.Request, error) {
	variables := map[string]any{"first": Size}
	if after != "" {
		variables["after"] = after
	}
	return checkedPage(s, viewer, Home, variables, want)
}

func checkedPage(s Server, viewer int64, query string, variables map[string]any, want Wanted) (*drive.Request, error) {
	wire, err := s.wire(viewer, query, variables)
	if err != nil {
		return nil, err
	}
	k := newBodyVerifier(func(body []byte) error {
		if _, err := verifyHome(body, want); err != nil {
			return fmt.Errorf("home feed of user %d: %w", viewer, err)
		}
		return nil
	})
	return &drive.Request{Wire: wire, Check: k.check}, nil
}

// SlottedPages makes one request per viewer: the first page of the home feed, with its slots.
func SlottedPages(s Server, size world.Size, viewers []int64) (*RequestSet, error) {
	query := strings.Replace(Home, "pageInfo", "slots { after source content } pageInfo", 1)
	return makeRequests(viewers, func(viewer int64) (*drive.Request, error) {
		request, err := checkedPage(s, viewer, query, map[string]any{"first": Size}, part(size.Home(viewer, Size), 1))
		if err != nil {
			return nil, err
		}
		check := request.Check
		request.Check = func(body []byte) error {
			if !bytes.Contains(body, []byte(`"slots":[{`)) {
				return fmt.Errorf("home feed of user %d without slots", viewer)
			}
			return check(body)
		}
		return request, nil
	})
}

// turn reads and verifies a page and returns its end cursor.
func turn(ctx context.Context, s Server, request *drive.Request, want Wanted) (string, error) {
	body, err := Fetch(ctx, s.Addr, request.Wire)
	if err != nil {
		return "", err
	}
	return verifyHome(body, want)
}

// Fetch sends one request over its own connection and returns the body of the response.
func Fetch(ctx context.Context, addr string, wire []byte) ([]byte, error) {
	c, err := drive.Dial(ctx, addr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	return c.Do(wire)
}

// BarePages makes one request per viewer: the first page of the home feed with posts, authors and
// counters only.
func BarePages(s Server, size world.Size, viewers []int64) (*RequestSet, error) {
	return makeRequests(viewers, func(viewer int64) (*drive.Request, error) {
		want := part(size.Home(viewer, Size), 1)
		wire, err := s.wire(viewer, bare, map[string]any{"first": Size})
		if err != nil {
			return nil, err
		}
		k := newBodyVerifier(func(body []byte) error {
			if err := verifyBare(body, want); err != nil {
				return fmt.Errorf("bare home feed of user %d: %w", viewer, err)
			}
			return nil
		})
		return &drive.Request{Wire: wire, Check: k.check}, nil
	})
}

// LivePages makes one request per viewer: the first page of the live feed.
func LivePages(s Server, size world.Size, viewers []int64) (*RequestSet, error) {
	return makeRequests(viewers, func(viewer int64) (*drive.Request, error) {
		want := size.LiveFeed(viewer, Size)
		wire, err := s.wire(viewer, Live, map[string]any{"first": Size})
		if err != nil {
			return nil, err
		}
		k := newBodyVerifier(func(body []byte) error {
			if err := verifyLive(body, want); err != nil {
				return fmt.Errorf("live feed of user %d: %w", viewer, err)
			}
			return nil
		})
		return &drive.Request{Wire: wire, Check: k.check}, nil
	})
}

// NewRequestSet returns a request set of some requests.
func NewRequestSet(requests ...*drive.Request) *RequestSet { return &RequestSet{requests: requests} }

// Same returns a request set of one request with a fixed expected response.
func Same(wire, body []byte) *RequestSet {
	k := newBodyVerifier(func(got []byte) error {
		if string(got) != string(body) {
			return fmt.Errorf("the response differs from the expected one: %.200s", got)
		}
		return nil
	})
	return &RequestSet{requests: []*drive.Request{{Wire: wire, Check: k.check}}}
}

// makers is the number of goroutines that prepare requests.
const makers = 4

// makeRequests makes a request for each viewer.
func makeRequests(viewers []int64, one func(viewer int64) (*drive.Request, error)) (*RequestSet, error) {
	b := &RequestSet{requests: make([]*drive.Request, len(viewers))}
	errs := make([]error, makers)
	var group sync.WaitGroup
	for m := range makers {
		group.Go(func() {
			for i := m; i < len(viewers) && errs[m] == nil; i += makers {
				b.requests[i], errs[m] = one(viewers[i])
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}
