package bench_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
)

// The mixed load has one publish and one like per mixedPages pages, and one follow per
// mixedFollows*mixedPages pages. mixedFirst of mixedPages pages are for viewers new to the process.
const (
	mixedPages   = 100
	mixedFirst   = 20
	mixedFollows = 5
)

// mixedConns is the number of connections of the mixed load.
const mixedConns = 32

// operation is one request of the mixed load.
type operation struct {
	kind string
	// took is the latency from the due time; driveMixed sets it.
	took  time.Duration
	wire  []byte
	check func(body []byte) error
}

// The kinds of operations.
const (
	kindPage    = "page"
	kindPublish = "publish"
	kindLike    = "like"
	kindFollow  = "follow"
)

// mix draws operations.
type mix struct {
	size   world.Size
	server page.Server
	rand   *rand.Rand
	// known are viewers cached by the process. strangers are new viewers, each used once. writers
	// publish, like and follow. A follow makes the next first page read more than the inbox.
	known, strangers, writers []int64
	// wires are the requests for the pages of known viewers.
	wires map[int64][]byte
}

// operations draws operations with the given hundreds of pages, in random order.
func (m *mix) operations(hundreds int) ([]*operation, error) {
	var out []*operation
	var errs []error
	add := func(kind string, wire []byte, err error, check func([]byte) error) {
		out, errs = append(out, &operation{kind: kind, wire: wire, check: check}), append(errs, err)
	}
	for h := range hundreds {
		for i := range mixedPages {
			viewer := m.known[m.rand.IntN(len(m.known))]
			if i < mixedFirst {
				viewer, m.strangers = m.strangers[0], m.strangers[1:]
			}
			wire, err := m.page(viewer)
			add(kindPage, wire, err, checkPage)
		}
		wire, err := m.mutation(m.writer(), "publishPost", "PublishPostInput", map[string]any{"text": fmt.Sprint("news of the day, number ", m.rand.Uint64())})
		add(kindPublish, wire, err, checkMutation)
		posts := m.size.Outbox(m.writer())
		wire, err = m.mutation(m.writer(), "likePost", "PostIdInput", map[string]any{"postId": globalID("Post", posts[m.rand.IntN(len(posts))].ID)})
		add(kindLike, wire, err, checkMutation)
		if h%mixedFollows == 0 {
			wire, err = m.mutation(m.writer(), "followUser", "UserIdInput", map[string]any{"userId": globalID("User", m.writer())})
			add(kindFollow, wire, err, checkMutation)
		}
	}
	m.rand.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out, errors.Join(errs...)
}

// writer returns a random writer.
func (m *mix) writer() int64 { return m.writers[m.rand.IntN(len(m.writers))] }

// page returns the request for a viewer's first page.
func (m *mix) page(viewer int64) ([]byte, error) {
	if wire, ok := m.wires[viewer]; ok {
		return wire, nil
	}
	wire, err := page.Wire(m.server.Addr, m.token(viewer), page.Home, map[string]any{"first": page.Size})
	m.wires[viewer] = wire
	return wire, err
}

func (m *mix) token(user int64) string {
	return page.Token(m.server.Secret, user, time.Now().Add(time.Hour))
}

// globalID returns the API's id of an object.
func globalID(typ string, id int64) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", typ, id))
}

// mutation returns the request of a mutation with the given input.
func (m *mix) mutation(viewer int64, name, input string, value map[string]any) ([]byte, error) {
	document := "mutation Mixed($input: " + input + "!) { " + name + "(input: $input) { userErrors { code message } } }"
	return page.Wire(m.server.Addr, m.token(viewer), document, map[string]any{"input": value})
}

// checkPage checks the size of a page; its posts depend on concurrent publishes.
func checkPage(body []byte) error {
	edges := bytes.Count(body, []byte(`"cursor":`))
	if edges != page.Size || bytes.Contains(body, []byte(`"errors":`)) {
		return fmt.Errorf("a page has %d posts: %.300s", edges, body)
	}
	return nil
}

// checkMutation checks that a mutation succeeded. A random user may be the viewer, and a post may
// be liked already: user errors are fine.
func checkMutation(body []byte) error {
	var response struct {
		Errors []any `json:"errors"`
		Data   map[string]struct {
			UserErrors []struct{ Code string } `json:"userErrors"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &response); err != nil {
		return err
	}
	if len(response.Errors) > 0 || len(response.Data) != 1 {
		return fmt.Errorf("a mutation failed: %.300s", body)
	}
	return nil
}

// driven has the sorted latencies of the mixed load, in total and by kind of operation.
type driven struct {
	all  time.Duration
	took map[string][]time.Duration
}

// quantile returns a quantile of the latencies of one kind, in microseconds.
func (d driven) quantile(kind string, q float64) float64 {
	times := d.took[kind]
	return float64(times[int(q*float64(len(times)-1))].Microseconds())
}

// driveMixed sends operations over [mixedConns] connections. With rate 0 it is a closed loop.
// Otherwise it sends at rate per second and times each operation from when it was due.
func driveMixed(ctx context.Context, addr string, operations []*operation, rate float64) (driven, error) {
	var next atomic.Int64
	errs := make([]error, mixedConns)
	began := time.Now()
	var group sync.WaitGroup
	for c := range errs {
		group.Go(func() {
			conn, err := drive.Dial(ctx, addr)
			if errs[c] = err; err != nil {
				return
			}
			defer func() { _ = conn.Close() }()
			for errs[c] == nil {
				n := next.Add(1) - 1
				if n >= int64(len(operations)) {
					return
				}
				due := time.Now()
				if rate > 0 {
					due = began.Add(time.Duration(float64(n) / rate * float64(time.Second)))
					<-time.After(time.Until(due))
				}
				errs[c] = operations[n].send(conn, due)
			}
		})
	}
	group.Wait()
	out := driven{all: time.Since(began), took: map[string][]time.Duration{}}
	for _, o := range operations {
		out.took[o.kind] = append(out.took[o.kind], o.took)
	}
	for _, times := range out.took {
		slices.Sort(times)
	}
	return out, errors.Join(errs...)
}

// send sends an operation that was due at the given time.
func (o *operation) send(conn *drive.Conn, due time.Time) error {
	body, err := conn.Do(o.wire)
	o.took = time.Since(due)
	if err != nil {
		return err
	}
	return o.check(body)
}

// pages returns operations that read the first pages of viewers.
func (m *mix) pages(viewers []int64) ([]*operation, error) {
	out := make([]*operation, len(viewers))
	for i, viewer := range viewers {
		wire, err := m.page(viewer)
		if err != nil {
			return nil, fmt.Errorf("viewer %d: %w", viewer, err)
		}
		out[i] = &operation{kind: kindPage, wire: wire, check: checkPage}
	}
	return out, nil
}
