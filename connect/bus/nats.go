package bus

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// natsStream is a JetStream stream, which has one partition. Positions are stream sequences with
// the times of their messages, in nanoseconds: a restored stream may use a sequence again.
type natsStream struct {
	servers, stream, subject string
	options                  []nats.Option

	mu   sync.Mutex
	conn *nats.Conn // nil before the first use
}

const natsPartition = "0"

// openNATS parses nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT],…/STREAM[?subject=FILTER], or tls://.
func openNATS(from string) (ingest.Bus, string, error) {
	rest, stream, err := cutName(from, "the stream")
	if err != nil {
		return nil, "", err
	}
	u, err := parse(rest, "subject", "creds", "ca", "cert", "key")
	if err != nil {
		return nil, "", err
	}
	b := &natsStream{
		stream: stream, subject: u.params.Get("subject"),
		options: []nats.Option{nats.Name("tideline ingest"), nats.MaxReconnects(-1), nats.ReconnectWait(time.Second)},
	}
	b.servers = strings.Join(u.each(), ",")
	if creds := u.params.Get("creds"); creds != "" {
		b.options = append(b.options, nats.UserCredentials(creds))
	}
	secure, err := u.tls(u.scheme == "tls")
	if err != nil {
		return nil, "", err
	}
	if secure != nil {
		b.options = append(b.options, nats.Secure(secure))
	}
	return b, stream, nil
}

// connect returns the connection. It connects at first.
func (b *natsStream) connect() (*nats.Conn, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn == nil {
		conn, err := nats.Connect(b.servers, b.options...)
		if err != nil {
			return nil, fmt.Errorf("connect to NATS: %w", withoutURL(err))
		}
		b.conn = conn
	}
	return b.conn, nil
}

// Close implements [ingest.Bus].
func (b *natsStream) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.conn != nil {
		b.conn.Close()
	}
	return nil
}

// Partitions implements [ingest.Bus].
func (b *natsStream) Partitions(context.Context) ([]string, error) {
	return []string{natsPartition}, nil
}

// natsInactive is how long the server keeps a consumer that was not closed.
const natsInactive = time.Minute

// Open implements [ingest.Bus].
func (b *natsStream) Open(ctx context.Context, _ string, after ingest.Place) (ingest.Partition, error) {
	conn, err := b.connect()
	if err != nil {
		return nil, err
	}
	stream, err := b.find(ctx, conn, after)
	if err != nil {
		return nil, err
	}
	r := &natsReader{bus: b, conn: conn, messages: make(chan jetstream.Msg), failed: make(chan error, 1), done: make(chan struct{})}
	if err := r.continues(ctx, stream, after); err != nil {
		return nil, err
	}
	r.consumer, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.sequence + 1,
		FilterSubject: b.subject, InactiveThreshold: natsInactive, MemoryStorage: true,
	})
	if err != nil {
		return nil, fmt.Errorf("create a consumer: %w", err)
	}
	// The server refuses to deliver a message that is larger than the limit.
	limit := max(ingest.PollBytes, int(conn.MaxPayload())+ingest.PollBytes/4)
	r.consuming, err = r.consumer.Consume(r.receive, jetstream.PullMaxMessagesWithBytesLimit(ingest.PollMessages, limit),
		jetstream.PullExpiry(natsExpiry), jetstream.PullHeartbeat(natsHeartbeat), jetstream.ConsumeErrHandler(r.fail))
	if err != nil {
		return nil, fmt.Errorf("consume: %w", err)
	}
	return r, nil
}

// find returns the stream. The error is a [*ingest.LostError] if it had a place.
func (b *natsStream) find(ctx context.Context, conn *nats.Conn, place ingest.Place) (jetstream.Stream, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	stream, err := js.Stream(ctx, b.stream)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound) && place.Position != "":
		return nil, &ingest.LostError{Reason: "the stream was deleted"}
	case err != nil:
		return nil, fmt.Errorf("find the stream %s: %w", b.stream, err)
	}
	return stream, nil
}

// Message implements [ingest.Rereader]. A position has the time of its message, so a message of another
// stream has another one.
func (b *natsStream) Message(ctx context.Context, _ string, at ingest.Place) (ingest.Message, error) {
	conn, err := b.connect()
	if err != nil {
		return ingest.Message{}, err
	}
	stream, err := b.find(ctx, conn, at)
	if err != nil {
		return ingest.Message{}, err
	}
	sequence, _ := natsPosition(at.Position)
	m, err := stream.GetMsg(ctx, sequence)
	if err == nil {
		if got := natsMessage(sequence, m.Time, m.Subject, m.Header, m.Data); got.Position == at.Position {
			return got, nil
		}
	}
	if err == nil || errors.Is(err, jetstream.ErrMsgNotFound) {
		err = &ingest.LostError{Reason: fmt.Sprintf("the message %d was removed", sequence)}
	}
	return ingest.Message{}, err
}

// natsPosition returns the sequence and the time of a position.
func natsPosition(position string) (sequence uint64, nanos int64) {
	first, second, _ := strings.Cut(position, "-")
	sequence, _ = strconv.ParseUint(first, 10, 64)
	nanos, _ = strconv.ParseInt(second, 10, 64)
	return sequence, nanos
}

func natsMessage(sequence uint64, at time.Time, subject string, headers nats.Header, data []byte) ingest.Message {
	m := ingest.Message{Position: fmt.Sprintf("%d-%d", sequence, at.UnixNano()), Subject: subject, At: at, Headers: map[string]string{}}
	m.SetPayload(data, len(data))
	for name := range headers {
		m.Headers[name] = headers.Get(name)
	}
	return m
}

const (
	natsExpiry    = 4 * time.Second
	natsHeartbeat = time.Second
)

// natsReader reads a stream through a consumer that needs no acknowledgements.
type natsReader struct {
	bus       *natsStream
	conn      *nats.Conn
	consumer  jetstream.Consumer
	consuming jetstream.ConsumeContext
	identity  string
	// sequence is that of the last message, delivered its number for the consumer.
	sequence, delivered uint64
	// gapless streams remove messages from their front only.
	gapless bool

	messages chan jetstream.Msg
	failed   chan error
	done     chan struct{}
}

// continues returns a [*ingest.LostError] unless the stream has everything after a place.
func (r *natsReader) continues(ctx context.Context, stream jetstream.Stream, after ingest.Place) error {
	info := stream.CachedInfo()
	if info.Config.Retention != jetstream.LimitsPolicy {
		return fmt.Errorf("the stream has the retention %s and removes messages once they are acknowledged; its retention must be limits", info.Config.Retention)
	}
	r.identity = info.Created.UTC().Format(time.RFC3339Nano)
	c := info.Config
	r.gapless = r.bus.subject == "" && c.MaxMsgsPerSubject <= 0 && !c.AllowRollup && !c.AllowMsgTTL
	if after.Position == "" {
		r.sequence = max(1, info.State.FirstSeq) - 1
		return nil
	}
	var nanos int64
	r.sequence, nanos = natsPosition(after.Position)
	switch s := info.State; {
	case r.identity != after.Identity:
		return &ingest.LostError{Reason: "the stream was deleted and created again, at " + r.identity}
	case s.LastSeq < r.sequence:
		return &ingest.LostError{Reason: fmt.Sprintf("the stream ends at %d: it was restored, or lost its last messages", s.LastSeq)}
	case s.FirstSeq > r.sequence+1:
		return &ingest.LostError{Reason: fmt.Sprintf("messages up to %d were removed before they were read", s.FirstSeq-1)}
	}
	if m, err := stream.GetMsg(ctx, r.sequence); err == nil && m.Time.UnixNano() != nanos {
		return &ingest.LostError{Reason: "the stream has another message at this position: it was restored"}
	}
	return nil
}

// receive hands over a message.
func (r *natsReader) receive(m jetstream.Msg) {
	select {
	case r.messages <- m:
	case <-r.done:
	}
}

// fail keeps the first error.
func (r *natsReader) fail(_ jetstream.ConsumeContext, err error) {
	select {
	case r.failed <- err:
	default:
	}
}

// Close implements [ingest.Partition].
func (r *natsReader) Close() {
	close(r.done)
	r.consuming.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), natsHeartbeat)
	defer cancel()
	if js, err := jetstream.New(r.conn); err == nil && r.conn.IsConnected() {
		_ = js.DeleteConsumer(ctx, r.bus.stream, r.consumer.CachedInfo().Name) // else it ends by itself
	}
}

const (
	pollFor = time.Second
	// moreWithin is how long a poll waits for a further message.
	moreWithin = 2 * time.Millisecond
)

// Poll implements [ingest.Partition].
func (r *natsReader) Poll(ctx context.Context) (ingest.Poll, error) {
	if !r.conn.IsConnected() {
		return ingest.Poll{}, errors.New("no connection to NATS")
	}
	got := ingest.Poll{Identity: r.identity, Waiting: -1}
	bytes, patience := 0, pollFor
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for len(got.Messages) < ingest.PollMessages && bytes < ingest.PollBytes {
		select {
		case m := <-r.messages:
			if err := r.add(&got, m); err != nil {
				return ingest.Poll{}, err
			}
			bytes += len(m.Data())
			patience = moreWithin
		case <-timer.C:
			return got, r.measure(ctx, &got)
		case err := <-r.failed:
			return ingest.Poll{}, fmt.Errorf("read the stream: %w", err)
		case <-ctx.Done():
			return ingest.Poll{}, ctx.Err()
		}
		timer.Reset(patience)
	}
	return got, nil
}

// measure asks what waits after an empty poll: a server that is slow delivers nothing either.
func (r *natsReader) measure(ctx context.Context, got *ingest.Poll) error {
	if len(got.Messages) > 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, natsExpiry)
	defer cancel()
	info, err := r.consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("read the consumer's state: %w", err)
	}
	// Delivered messages may be on their way.
	waiting := info.NumPending + info.Delivered.Consumer - min(r.delivered, info.Delivered.Consumer)
	got.CaughtUp, got.Waiting = waiting == 0, int64(min(waiting, math.MaxInt64))
	return nil
}

// add checks that no message is missing between the last one and m.
func (r *natsReader) add(got *ingest.Poll, m jetstream.Msg) error {
	meta, err := m.Metadata()
	if err != nil {
		return err
	}
	switch {
	case meta.Sequence.Consumer != r.delivered+1:
		return fmt.Errorf("message %d of the consumer is followed by %d", r.delivered, meta.Sequence.Consumer)
	case r.gapless && meta.Sequence.Stream != r.sequence+1:
		return &ingest.LostError{Reason: fmt.Sprintf("messages from %d to %d were deleted before they were read", r.sequence+1, meta.Sequence.Stream-1)}
	}
	r.delivered, r.sequence = meta.Sequence.Consumer, meta.Sequence.Stream
	got.Messages = append(got.Messages, natsMessage(meta.Sequence.Stream, meta.Timestamp, m.Subject(), m.Headers(), m.Data()))
	got.CaughtUp, got.Waiting = meta.NumPending == 0, int64(min(meta.NumPending, math.MaxInt64))
	return nil
}

// withoutURL drops the URL of an error, which may have a password.
func withoutURL(err error) error {
	var in *url.Error
	if errors.As(err, &in) {
		return in.Err
	}
	return err
}
