package buses

import (
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// natsStream is a JetStream stream of a nats-server.
type natsStream struct {
	program string
	dir     string
	port    int
	process *testenv.Process
	conn    *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
}

func startNATS(t *testing.T) *natsStream {
	t.Helper()
	program, err := exec.LookPath("nats-server")
	if err != nil {
		t.Fatal("this test needs nats-server, which is not installed; on Debian: apt-get install nats-server")
	}
	s := &natsStream{program: program, dir: t.TempDir(), port: testenv.FreePort(t)}
	s.start(t)
	return s
}

func (s *natsStream) address() string { return "nats://127.0.0.1:" + strconv.Itoa(s.port) }
func (s *natsStream) url() string     { return s.address() + "/changes" }

func (s *natsStream) start(t *testing.T) {
	t.Helper()
	s.process = testenv.Program(t, []string{s.program, "--jetstream", "--store_dir", s.dir, "--addr", "127.0.0.1", "--port", strconv.Itoa(s.port)}, nil)
	s.process.WaitLine("Server is ready")
	eventually.Succeeds(t, "connecting to nats-server", func() (err error) {
		s.conn, err = nats.Connect(s.address(), nats.MaxReconnects(-1))
		return err
	})
	t.Cleanup(s.conn.Close)
	js, err := jetstream.New(s.conn)
	harness.Check(t, err)
	s.js = js
}

func (s *natsStream) stop(*testing.T) {
	s.conn.Close()
	s.process.Kill()
}

func (s *natsStream) createWith(t *testing.T, config jetstream.StreamConfig) {
	t.Helper()
	config.Name, config.Subjects = "changes", []string{"changes.>"}
	var err error
	if s.stream, err = s.js.CreateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
}

func (s *natsStream) create(t *testing.T) { s.createWith(t, jetstream.StreamConfig{}) }

func (s *natsStream) remove(t *testing.T) {
	t.Helper()
	harness.Check(t, s.js.DeleteStream(t.Context(), "changes"))
}

func (s *natsStream) send(t *testing.T, payloads ...[]byte) {
	t.Helper()
	for _, p := range payloads {
		if _, err := s.js.PublishMsgAsync(&nats.Msg{Subject: "changes.all", Header: nats.Header{"trace": {"7"}}, Data: p}); err != nil {
			t.Fatal(err)
		}
	}
	eventually.Receive(t, "the confirmation of messages", s.js.PublishAsyncComplete())
}

func (s *natsStream) trim(t *testing.T, keep int) {
	t.Helper()
	harness.Check(t, s.stream.Purge(t.Context(), jetstream.WithPurgeKeep(uint64(keep))))
}

func (s *natsStream) largest() int { return 1 << 20 }

func TestNATS_KeepsThePromises(t *testing.T) {
	conform(t, func(t *testing.T) server { return startNATS(t) })
}

func newNATSTest(t *testing.T, config jetstream.StreamConfig) (*busTest, *natsStream, ingest.Place) {
	t.Helper()
	s := startNATS(t)
	s.createWith(t, config)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	s.send(t, texts(1, 5)...)
	_, end := b.read(ingest.Place{}, 5)
	s.send(t, texts(6, 8)...)
	return b, s, end
}

func TestNATS_StopsIfUnreadMessageDeleted(t *testing.T) {
	b, s, end := newNATSTest(t, jetstream.StreamConfig{})
	harness.Check(t, s.stream.DeleteMsg(t.Context(), 7))
	b.lost(end)
}

// A stream that keeps the last message of each subject has the whole state of each object.
func TestNATS_ReadsCompactedStream(t *testing.T) {
	s := startNATS(t)
	s.createWith(t, jetstream.StreamConfig{MaxMsgsPerSubject: 1})
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	s.send(t, texts(1, 1)...)
	_, end := b.read(ingest.Place{}, 1)
	for _, subject := range []string{"a", "b", "b", "b"} {
		if _, err := s.js.Publish(t.Context(), "changes."+subject, []byte(subject)); err != nil {
			t.Fatal(err)
		}
	}
	got, _ := b.read(end, 2)
	b.expect(got, [][]byte{[]byte("a"), []byte("b")})
}

func TestNATS_StopsAfterRestore(t *testing.T) {
	b, _, end := newNATSTest(t, jetstream.StreamConfig{})
	b.lost(ingest.Place{Identity: end.Identity, Position: end.Position[:2] + "17"})
	b.lost(ingest.Place{Identity: end.Identity, Position: "99-1"})
}

func TestNATS_RefusesWorkQueue(t *testing.T) {
	s := startNATS(t)
	s.createWith(t, jetstream.StreamConfig{Retention: jetstream.WorkQueuePolicy})
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	if _, err := b.open(ingest.Place{}); err == nil {
		t.Error("a stream that forgets messages is read")
	}
}

// A server that does not respond may have messages.
func TestNATS_SilentServerIsNotAtEnd(t *testing.T) {
	t.Parallel()
	b, s, end := newNATSTest(t, jetstream.StreamConfig{})
	p := b.opened(end)
	defer p.Close()
	for n := 0; n < 3; {
		got, err := p.Poll(t.Context())
		harness.Check(t, err)
		n += len(got.Messages)
	}
	s.process.Signal(syscall.SIGSTOP)
	defer s.process.Signal(syscall.SIGCONT)
	if got, err := p.Poll(t.Context()); err == nil {
		t.Errorf("the poll is %+v", got)
	}
}
