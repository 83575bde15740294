package redisstore

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/circuit"
)

// bench is a breaker with a clock of its own.
type bench struct {
	*breaker
	time time.Time
}

func newBench() *bench {
	b := &bench{time: time.Unix(1_700_000_000, 0)}
	b.breaker = newBreaker(func() time.Time { return b.time }, time.Minute)
	return b
}

// ask calls a server that answers with err, and says whether it was asked.
func (b *bench) ask(ctx context.Context, t *testing.T, at target, err error) bool {
	t.Helper()
	asked := false
	got := b.call(ctx, at, func(context.Context) error {
		asked = true
		return err
	})
	want := err
	if !asked {
		want = circuit.ErrOpen
	}
	if !errors.Is(got, want) {
		t.Errorf("the call returned %v, want %v", got, want)
	}
	return asked
}

// errSilent is what a call returns that got no answer.
var errSilent = errors.New("i/o timeout")

// oneServer is the target of all keys where there is one server.
var oneServer = target{}

func TestBreaker_OpensWithoutAnAnswer(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, oneServer, errSilent)
	if b.ask(t.Context(), t, oneServer, nil) {
		t.Error("the server was asked again at once")
	}
	b.time = b.time.Add(restFor)
	for range 2 {
		if !b.ask(t.Context(), t, oneServer, nil) {
			t.Error("the circuit stays open after an answer")
		}
	}
}

func TestBreaker_StaysClosedOnOtherReplies(t *testing.T) {
	b := newBench()
	for _, answer := range []error{
		redis.Nil, refusal("WRONGTYPE Operation against a key holding the wrong kind of value"),
		refusal("NOSCRIPT No matching script."), refusal("BUSYGROUP Consumer Group name already exists"),
		refusal("MOVED 3999 127.0.0.1:6381"),
	} {
		b.ask(t.Context(), t, oneServer, answer)
		if !b.ask(t.Context(), t, oneServer, nil) {
			t.Errorf("after the answer %q the circuit is open", answer)
		}
	}
}

func TestBreaker_OpensOneSlotOfACluster(t *testing.T) {
	one, other := target{"a:1", "slot 1"}, target{"a:1", "slot 2"}
	for _, reply := range []string{"CLUSTERDOWN Hash slot not served", "TRYAGAIN Multiple keys request during rehashing of slot"} {
		b := newBench()
		b.ask(t.Context(), t, one, refusal(reply))
		if b.ask(t.Context(), t, one, nil) || !b.ask(t.Context(), t, other, nil) {
			t.Errorf("after %q the slot was asked again, or another one was not", reply)
		}
	}
}

func TestBreaker_SparesOtherServers(t *testing.T) {
	b := newBench()
	b.ask(t.Context(), t, target{"a:1", "slot 1"}, refusal("CLUSTERDOWN The cluster is down"))
	if b.ask(t.Context(), t, target{"a:1", "slot 2"}, nil) || !b.ask(t.Context(), t, target{"b:1", "slot 3"}, nil) {
		t.Error("the server was asked again, or another one was not")
	}
}

func TestBreaker_IgnoresCallersThatGaveUp(t *testing.T) {
	b := newBench()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.ask(ctx, t, oneServer, context.Canceled)
	if !b.ask(t.Context(), t, oneServer, nil) {
		t.Error("the circuit is open")
	}
}

func TestBreaker_EndsCallsInTime(t *testing.T) {
	b := newBench()
	b.within = 10 * time.Millisecond
	began := time.Now()
	err := b.call(t.Context(), oneServer, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took < b.within || b.ask(t.Context(), t, oneServer, nil) {
		t.Errorf("it ended after %v with %v, or the circuit is closed", took, err)
	}
}

func TestParseURL_FourForms(t *testing.T) {
	for url, want := range map[string]address{
		"redis://localhost":                     {hosts: []string{"localhost:6379"}},
		"redis://localhost:7000/3":              {hosts: []string{"localhost:7000"}, db: 3},
		"redis://localhost/":                    {hosts: []string{"localhost:6379"}},
		"redis://:p%40ss%2Fword@[::1]:7000/0":   {hosts: []string{"[::1]:7000"}, password: "p@ss/word"},
		"redis://ann:a:b@10.0.0.1":              {hosts: []string{"10.0.0.1:6379"}, user: "ann", password: "a:b"},
		"rediss://ann:pw@redis.example.com/1":   {hosts: []string{"redis.example.com:6379"}, user: "ann", password: "pw", db: 1},
		"redis-sentinel://a,b:1/main":           {kind: sentinel, hosts: []string{"a:26379", "b:1"}, master: "main"},
		"redis-sentinel://u:p@a/my%20main?db=2": {kind: sentinel, hosts: []string{"a:26379"}, master: "my main", db: 2, user: "u", password: "p"},
		"redis-cluster://a:7000,b,[::1]":        {kind: cluster, hosts: []string{"a:7000", "b:6379", "[::1]:6379"}},
		"redis-cluster://u:p@a":                 {kind: cluster, hosts: []string{"a:6379"}, user: "u", password: "p"},
	} {
		t.Run(url, func(t *testing.T) {
			got, err := parseURL(url)
			if err != nil {
				t.Fatal(err)
			}
			if secure := strings.HasPrefix(url, "rediss:"); secure != (got.tls != nil) {
				t.Errorf("TLS is %v", got.tls != nil)
			} else if secure && got.tls.ServerName+":6379" != got.hosts[0] {
				t.Errorf("the server's name is %q", got.tls.ServerName)
			}
			diff := cmp.Diff(want, got, cmp.AllowUnexported(address{}), cmpopts.IgnoreFields(address{}, "tls"))
			if diff != "" {
				t.Errorf("the address differs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseURL_ErrorShowsFormsOnly(t *testing.T) {
	for _, url := range []string{
		"",
		"s3cret",
		"http://:s3cret@localhost",
		"redis://",
		"redis://:s3cret@",
		"redis://:s3cret@localhost:s3cret",
		"redis://:s3cret@localhost:65536",
		"redis://:s3cret@localhost/s3cret",
		"redis://:s3cret@localhost?password=s3cret",
		"redis://:s3cret%zz@localhost",
		"redis://:s3cret@a,b",
		"redis://:s3cret@::1",
		"redis-sentinel://:s3cret@a",
		"redis-sentinel://:s3cret@a/main/1",
		"redis-sentinel://:s3cret@a/main?db=s3cret",
		"redis-cluster://:s3cret@a,",
		"redis-cluster://:s3cret@a?db=1",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := parseURL(url)
			if feed.CodeOf(err) != feed.CodeInvalid {
				t.Fatalf("parseURL returned %v", err)
			}
			for _, form := range []string{"redis://", "rediss://", "redis-sentinel://", "redis-cluster://"} {
				if !strings.Contains(err.Error(), form) {
					t.Errorf("the error does not name %s: %v", form, err)
				}
			}
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error shows a part of the URL: %v", err)
			}
		})
	}
}

// The library by itself waits five seconds for a connection, tries five times, and looks
// at the nodes of a Cluster once a minute. Clients then fail for a minute after a master
// has died.
func TestClient_LeavesDeadServer(t *testing.T) {
	for _, url := range []string{"redis://a", "rediss://a", "redis-sentinel://a/main", "redis-cluster://a"} {
		a, err := parseURL(url)
		if err != nil {
			t.Fatal(err)
		}
		c := a.connect()
		t.Cleanup(func() { _ = c.Close() })
		var dial time.Duration
		var dials int
		switch c := c.(type) {
		case *redis.Client:
			dial, dials = c.Options().DialTimeout, c.Options().DialerRetries
		case *redis.ClusterClient:
			dial, dials = c.Options().DialTimeout, c.Options().DialerRetries
			if look := c.Options().ClusterStateReloadInterval; look > time.Second {
				t.Errorf("%s: it looks at the nodes every %v", url, look)
			}
		}
		if dial != time.Second || dials != 1 {
			t.Errorf("%s: it dials %d times for %v", url, dials, dial)
		}
	}
}
