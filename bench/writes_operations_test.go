package bench_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
)

// The connections of writes, and the operations of a round.
const (
	writesConns    = 16
	publishes      = 480
	lonePublishes  = 60
	likes          = 640
	followsOfRound = 400
)

// mix returns a source of operations for a server.
func (w *writes) mix(v *server) *mix {
	return &mix{
		size: w.size, server: v.Server, rand: rand.New(rand.NewPCG(1, 2)),
		known: w.users.known, strangers: w.users.strangers, writers: w.users.writers, wires: map[int64][]byte{},
	}
}

// contenders returns the measurements of a round in their order.
func (w *writes) contenders() []contender {
	w.other.exec(likedPosts, likedPostCount, w.users.writers[0])
	imports := w.newImports()
	ingests := imports.ingests()
	publish16 := func(m *mix) (float64, error) { return w.publish(m, writesConns, publishes) }
	out := []contender{
		w.operate("publish-16", w.tideline, w.own, publish16),
		w.pgbench("publish-16 sql", publishSQL, writesConns, publishes/writesConns*8),
		w.operate("publish-16 peer", w.peer, w.peers, publish16),
		w.lonePublish(),
		w.pgbench("publish-1 sql", publishSQL, 1, 10*lonePublishes),
		w.operate("like", w.tideline, w.own, w.like),
		w.pgbench("like sql", likeSQL, writesConns, likes/writesConns*8),
		w.operate("follow", w.tideline, w.own, w.follow),
		w.pgbench("follow sql", followSQL, writesConns, followsOfRound/writesConns*8),
	}
	out = append(out, w.pageContenders()...)
	return append(
		out,
		contender{"import", imports.run},
		contender{"copy", imports.copy},
		contender{"ingest", ingests.run},
		contender{"copy ingested", ingests.copy},
		w.mixed("mixed", w.tideline, w.api, w.own),
		w.mixed("mixed peer", w.peer, w.peerAPI, w.peers),
		contender{"idle", w.idle},
		contender{"memory", w.memoryOfIdle},
	)
}

// operate measures operations of a system.
func (w *writes) operate(name string, y *system, m *mix, do func(*mix) (float64, error)) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		return y.each(ctx, func() (float64, error) { return do(m) })
	}}
}

// publish publishes posts of random ordinary authors.
func (w *writes) publish(m *mix, conns, n int) (float64, error) {
	operations, err := w.publishing(m, n)
	return float64(n), errors.Join(err, sendAll(w.b.Context(), m.server.Addr, conns, operations))
}

// lonePublish is a contender with one connection. It also measures the latency.
func (w *writes) lonePublish() contender {
	return contender{"publish-1", func(ctx context.Context) (map[string]float64, error) {
		operations, err := w.publishing(w.own, lonePublishes)
		if err != nil {
			return nil, err
		}
		got, err := w.tideline.each(ctx, func() (float64, error) {
			return lonePublishes, sendAll(ctx, w.own.server.Addr, 1, operations)
		})
		if err != nil {
			return nil, err
		}
		got[" p50"] = medianLatency(operations)
		return got, nil
	}}
}

// medianLatency returns the median latency of sent operations in microseconds.
func medianLatency(operations []*operation) float64 {
	took := make([]time.Duration, len(operations))
	for i, o := range operations {
		took[i] = o.took
	}
	slices.Sort(took)
	return float64(took[len(took)/2].Microseconds())
}

// publishing returns publishes of random ordinary authors.
func (w *writes) publishing(m *mix, n int) ([]*operation, error) {
	return m.mutations(n, func() (int64, string, string, map[string]any) {
		text := fmt.Sprint("news of the day, number ", m.rand.Uint64())
		return w.authors[m.rand.IntN(len(w.authors))], "publishPost", "PublishPostInput", map[string]any{"text": text}
	})
}

func (w *writes) like(m *mix) (float64, error) {
	operations, err := m.mutations(likes, func() (int64, string, string, map[string]any) {
		posts := w.size.Outbox(m.writer())
		return m.writer(), "likePost", "PostIdInput", map[string]any{"postId": globalID("Post", posts[m.rand.IntN(len(posts))].ID)}
	})
	return likes, errors.Join(err, sendAll(w.b.Context(), m.server.Addr, writesConns, operations))
}

func (w *writes) follow(m *mix) (float64, error) {
	operations, err := m.mutations(followsOfRound, func() (int64, string, string, map[string]any) {
		follower, followee := m.writer(), m.writer()
		for followee == follower {
			followee = m.writer()
		}
		return follower, "followUser", "UserIdInput", map[string]any{"userId": globalID("User", followee)}
	})
	return followsOfRound, errors.Join(err, sendAll(w.b.Context(), m.server.Addr, writesConns, operations))
}

// mixed measures the mixed load, after the known viewers have read their pages twice.
func (w *writes) mixed(name string, y *system, v *server, m *mix) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		known, err := m.pages(w.users.known)
		if err != nil {
			return nil, err
		}
		operations, err := m.operations(mixedHundreds)
		if err == nil {
			err = readTwice(ctx, v, requestsOf(known))
		}
		if err != nil {
			return nil, err
		}
		return y.each(ctx, func() (float64, error) {
			_, err := driveMixed(ctx, v.Addr, operations, 0)
			return float64(len(operations)), err
		})
	}}
}

// mutations returns n mutations: of the drawn user, with the drawn name, type of input, and input.
func (m *mix) mutations(n int, draw func() (user int64, name, input string, value map[string]any)) ([]*operation, error) {
	out := make([]*operation, n)
	for i := range out {
		user, name, input, value := draw()
		wire, err := m.mutation(user, name, input, value)
		if err != nil {
			return nil, err
		}
		out[i] = &operation{kind: name, wire: wire, check: checkAccepted}
	}
	return out, nil
}

// checkAccepted checks that a mutation has neither errors nor user errors.
func checkAccepted(body []byte) error {
	if !bytes.Contains(body, []byte(`"userErrors":[]`)) || bytes.Contains(body, []byte(`"errors":`)) {
		return fmt.Errorf("a mutation is refused: %.300s", body)
	}
	return nil
}

// sendAll sends each operation once, over conns connections.
func sendAll(ctx context.Context, addr string, conns int, operations []*operation) error {
	var next atomic.Int64
	return together(conns, func(int) error {
		conn, err := drive.Dial(ctx, addr)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		for n := next.Add(1); n <= int64(len(operations)); n = next.Add(1) {
			if err := operations[n-1].send(conn, time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}

// pushes publishes one post and returns an error unless all followers see it on their first page.
func (w *writes) pushes(ctx context.Context, m *mix, y *system) error {
	const text = "what all followers must see"
	author := w.authors[0]
	operations, err := m.mutations(1, func() (int64, string, string, map[string]any) {
		return author, "publishPost", "PublishPostInput", map[string]any{"text": text}
	})
	if err := errors.Join(err, sendAll(ctx, m.server.Addr, 1, operations), y.done(ctx)); err != nil {
		return err
	}
	// Reading makes viewers known, so only writers read.
	rows, err := w.network.sql.Query(ctx, `SELECT follower_id FROM follows WHERE followee_id = $1 AND active = 1 AND follower_id >= $2`, author, w.users.writers[0])
	if err != nil {
		return err
	}
	defer rows.Close()
	var pages []*operation
	for rows.Next() {
		var follower int64
		if err := rows.Scan(&follower); err != nil {
			return err
		}
		wire, err := m.page(follower)
		if err != nil {
			return err
		}
		pages = append(pages, &operation{kind: kindPage, wire: wire, check: func(body []byte) error {
			if !bytes.Contains(body, []byte(text)) {
				return fmt.Errorf("follower %d does not see what was pushed: %.300s", follower, body)
			}
			return nil
		}})
	}
	if len(pages) == 0 {
		return fmt.Errorf("author %d has no followers among the writers", author)
	}
	return errors.Join(rows.Err(), sendAll(ctx, m.server.Addr, 1, pages))
}
