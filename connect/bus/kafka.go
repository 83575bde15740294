package bus

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/plain"
	"github.com/twmb/franz-go/pkg/sasl/scram"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// kafkaTopic is a Kafka topic. Positions are offsets with their leader epochs, which detect a log
// that was truncated.
type kafkaTopic struct {
	topic   string
	options []kgo.Opt
	client  *kgo.Client
	admin   *kadm.Client
}

// openKafka parses kafka://[USER:PASSWORD@]HOST[:PORT],…/TOPIC[?sasl=MECHANISM], or kafkas:// for TLS.
func openKafka(from string) (ingest.Bus, string, error) {
	rest, topic, err := cutName(from, "the topic")
	if err != nil {
		return nil, "", err
	}
	u, err := parse(rest, "sasl", "ca", "cert", "key")
	if err != nil {
		return nil, "", err
	}
	b := &kafkaTopic{topic: topic, options: []kgo.Opt{
		kgo.ClientID("tideline-ingest"), kgo.SeedBrokers(u.hosts...), kgo.RetryTimeout(kafkaTimeout), kgo.RequestRetries(kafkaRetries),
	}}
	secure, err := u.tls(u.scheme == "kafkas")
	if err != nil {
		return nil, "", err
	}
	if secure != nil {
		b.options = append(b.options, kgo.DialTLSConfig(secure))
	}
	mechanism, err := kafkaSASL(u)
	if err != nil {
		return nil, "", err
	}
	if mechanism != nil {
		b.options = append(b.options, kgo.SASL(mechanism))
	}
	if b.client, err = kgo.NewClient(b.options...); err != nil {
		return nil, "", invalid("the URL of the bus: %v", err)
	}
	b.admin = kadm.NewClient(b.client)
	return b, topic, nil
}

const (
	// kafkaTimeout bounds a request, kafkaRetries its repetitions.
	kafkaTimeout = 5 * time.Second
	kafkaRetries = 3
	// kafkaReadMax exceeds the largest message that brokers may be set to accept in practice.
	kafkaReadMax = 256 << 20
)

// kafkaSASL returns nil without a user.
func kafkaSASL(u servers) (sasl.Mechanism, error) {
	if u.user == nil {
		return nil, nil
	}
	password, _ := u.user.Password()
	switch u.params.Get("sasl") {
	case "", "plain":
		return plain.Auth{User: u.user.Username(), Pass: password}.AsMechanism(), nil
	case "scram-sha-256":
		return scram.Auth{User: u.user.Username(), Pass: password}.AsSha256Mechanism(), nil
	case "scram-sha-512":
		return scram.Auth{User: u.user.Username(), Pass: password}.AsSha512Mechanism(), nil
	}
	return nil, invalid("the parameter sasl must be plain, scram-sha-256 or scram-sha-512")
}

// Close implements [ingest.Bus].
func (b *kafkaTopic) Close() error {
	b.client.Close()
	return nil
}

// Partitions implements [ingest.Bus].
func (b *kafkaTopic) Partitions(ctx context.Context) ([]string, error) {
	got, err := b.describe(ctx)
	if err != nil {
		return nil, err
	}
	var numbers []int32
	for _, p := range got.Partitions {
		numbers = append(numbers, p.Partition)
	}
	slices.Sort(numbers)
	var names []string
	for _, n := range numbers {
		names = append(names, strconv.Itoa(int(n)))
	}
	return names, nil
}

var errNoTopicID = errors.New("the brokers give no topic id; Kafka 2.8 or later is necessary")

// describe asks the brokers, since kadm may return what the client remembers.
func (b *kafkaTopic) describe(ctx context.Context) (kmsg.MetadataResponseTopic, error) {
	ctx, cancel := context.WithTimeout(ctx, kafkaTimeout)
	defer cancel()
	ask, topic := kmsg.NewPtrMetadataRequest(), kmsg.NewMetadataRequestTopic()
	topic.Topic = &b.topic
	ask.Topics = append(ask.Topics, topic)
	got, err := ask.RequestWith(ctx, b.client)
	switch {
	case err != nil:
	case len(got.Topics) != 1:
		err = errNoTopicID
	default:
		topic := got.Topics[0]
		if err = kerr.ErrorForCode(topic.ErrorCode); err == nil && topic.TopicID == [16]byte{} {
			err = errNoTopicID
		}
		if err == nil {
			return topic, nil
		}
	}
	return kmsg.MetadataResponseTopic{}, fmt.Errorf("describe the topic %s: %w", b.topic, err)
}

// Open implements [ingest.Bus].
func (b *kafkaTopic) Open(ctx context.Context, partition string, after ingest.Place) (ingest.Partition, error) {
	number, err := strconv.ParseInt(partition, 10, 32)
	if err != nil {
		return nil, err
	}
	r := &kafkaReader{kafkaTopic: b, partition: int32(number), next: -1, expected: after}
	if err := r.verify(ctx); err != nil {
		return nil, err
	}
	start := kgo.NewOffset().AtStart()
	if after.Position != "" {
		offset, epoch := kafkaPosition(after.Position)
		if err := r.continues(ctx, offset); err != nil {
			return nil, err
		}
		r.next = offset + 1
		start = kgo.NewOffset().At(r.next).WithEpoch(epoch)
	}
	r.consumer, err = kgo.NewClient(append([]kgo.Opt{
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{b.topic: {int32(number): start}}),
		kgo.ConsumeResetOffset(kgo.NoResetOffset()), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.KeepControlRecords(),
		kgo.FetchMaxBytes(ingest.PollBytes), kgo.FetchMaxPartitionBytes(ingest.PollBytes), kgo.MaxConcurrentFetches(1),
		kgo.BrokerMaxReadBytes(kafkaReadMax), kgo.FetchMaxWait(pollFor),
	}, b.options...)...)
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Message implements [ingest.Rereader].
func (b *kafkaTopic) Message(ctx context.Context, partition string, at ingest.Place) (ingest.Message, error) {
	offset, _ := kafkaPosition(at.Position)
	before := ingest.Place{Identity: at.Identity}
	if offset > 0 {
		before.Position = strconv.FormatInt(offset-1, 10)
	}
	p, err := b.Open(ctx, partition, before)
	if err != nil {
		return ingest.Message{}, err
	}
	defer p.Close()
	for {
		got, err := p.Poll(ctx)
		switch {
		case err != nil:
			return ingest.Message{}, err
		case len(got.Messages) > 0 && got.Messages[0].Position == at.Position:
			return got.Messages[0], nil
		case len(got.Messages) > 0, got.CaughtUp:
			return ingest.Message{}, &ingest.LostError{Reason: fmt.Sprintf("the message at offset %d was removed", offset)}
		}
	}
}

// kafkaPosition returns the numbers of a position; the epoch is -1 without one.
func kafkaPosition(position string) (offset int64, epoch int32) {
	first, second, _ := strings.Cut(position, "-")
	offset, _ = strconv.ParseInt(first, 10, 64)
	n, err := strconv.ParseInt(second, 10, 32)
	if err != nil {
		n = -1
	}
	return offset, int32(n)
}

// kafkaReader reads a partition with a client of its own.
type kafkaReader struct {
	*kafkaTopic
	partition int32
	consumer  *kgo.Client
	expected  ingest.Place
	identity  string
	// next is the offset after the last record; -1 before the first one of a new reader.
	next     int64
	verified time.Time
}

// verify checks that the brokers answer, and that the topic is still the same.
func (r *kafkaReader) verify(ctx context.Context) error {
	got, err := r.describe(ctx)
	if err != nil {
		return err
	}
	identity := hex.EncodeToString(got.TopicID[:])
	if before := r.expected.Identity; before != "" && identity != before {
		return &ingest.LostError{Reason: fmt.Sprintf("the topic was deleted and created again: its id is %s, and not %s", identity, before)}
	}
	r.identity, r.expected.Identity, r.verified = identity, identity, time.Now()
	return nil
}

// bounds returns the first offset of the partition, and the one after its last message that is not
// in an open transaction.
func (r *kafkaReader) bounds(ctx context.Context) (start, end int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, kafkaTimeout)
	defer cancel()
	starts, err := r.admin.ListStartOffsets(ctx, r.topic)
	if err != nil {
		return 0, 0, fmt.Errorf("list the start offsets: %w", err)
	}
	ends, err := r.admin.ListCommittedOffsets(ctx, r.topic)
	if err != nil {
		return 0, 0, fmt.Errorf("list the end offsets: %w", err)
	}
	first, known := starts.Lookup(r.topic, r.partition)
	last, alsoKnown := ends.Lookup(r.topic, r.partition)
	if err := errors.Join(first.Err, last.Err); err != nil || !known || !alsoKnown {
		return 0, 0, fmt.Errorf("list the offsets of partition %d: %w", r.partition, err)
	}
	return first.Offset, last.Offset, nil
}

// continues returns a [*ingest.LostError] unless the partition has everything after an offset.
func (r *kafkaReader) continues(ctx context.Context, offset int64) error {
	start, end, err := r.bounds(ctx)
	if err != nil {
		return err
	}
	if end <= offset {
		return &ingest.LostError{Reason: fmt.Sprintf("the partition ends at offset %d: it was restored, or lost its last messages", end-1)}
	}
	return removedBefore(start, offset+1)
}

// removedBefore returns a [*ingest.LostError] if a log starts after an offset that is to be read.
func removedBefore(start, next int64) error {
	if start > next {
		return &ingest.LostError{Reason: fmt.Sprintf("messages up to offset %d were removed before they were read", start-1)}
	}
	return nil
}

// Close implements [ingest.Partition].
func (r *kafkaReader) Close() { r.consumer.Close() }

// Poll implements [ingest.Partition].
func (r *kafkaReader) Poll(ctx context.Context) (ingest.Poll, error) {
	wait, cancel := context.WithTimeout(ctx, pollFor)
	defer cancel()
	got, before := ingest.Poll{Waiting: -1}, r.next
	err := r.take(ctx, &got, r.consumer.PollRecords(wait, kafkaPart))
	// Brokers may send more than a poll may return, which stays in the client.
	for n := len(got.Messages); err == nil && n > 0 && n < ingest.PollMessages && size(got.Messages) < ingest.PollBytes; n = len(got.Messages) {
		more := r.consumer.PollRecords(nil, kafkaPart) //nolint:staticcheck,contextcheck // nil does not wait
		if more.NumRecords() == 0 {
			break
		}
		err = r.take(ctx, &got, more)
	}
	if err == nil && r.next == before {
		err = r.measure(ctx, &got)
	}
	// The topic of these messages is the expected one only if it is that now.
	if err == nil && (len(got.Messages) > 0 || time.Since(r.verified) >= pollFor) {
		err = r.verify(ctx)
	}
	got.Identity = r.identity
	return got, err
}

// measure asks for the end of the partition: brokers that are slow return nothing either.
func (r *kafkaReader) measure(ctx context.Context, got *ingest.Poll) error {
	start, end, err := r.bounds(ctx)
	if err == nil {
		got.Waiting = max(0, end-max(start, r.next))
		got.CaughtUp = got.Waiting == 0
	}
	return err
}

// kafkaPart is the number of messages that are taken from the client at once.
const kafkaPart = 32

func size(list []ingest.Message) int {
	n := 0
	for i := range list {
		n += len(list[i].Payload)
	}
	return n
}

// take adds what was fetched.
func (r *kafkaReader) take(ctx context.Context, got *ingest.Poll, fetched kgo.Fetches) (err error) {
	for _, f := range fetched.Errors() {
		if err := r.fetchError(ctx, f.Err); err != nil {
			return err
		}
	}
	fetched.EachPartition(func(p kgo.FetchTopicPartition) {
		if err == nil && p.Err == nil {
			err = r.add(got, &p.FetchPartition)
		}
	})
	return err
}

// fetchError returns nil for the end of the wait.
func (r *kafkaReader) fetchError(ctx context.Context, err error) error {
	var loss *kgo.ErrDataLoss
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return nil
	case errors.As(err, &loss):
		return &ingest.LostError{Reason: fmt.Sprintf("the partition lost messages that were read, after offset %d", loss.ResetTo-1)}
	}
	return fmt.Errorf("read the topic: %w", err)
}

// add adds the messages of a fetch. An offset may be missing, in compacted topics and after
// transactions, but not because the log was trimmed. Control records end transactions: they are no
// messages, but the last record may be one.
func (r *kafkaReader) add(got *ingest.Poll, p *kgo.FetchPartition) error {
	if r.next >= 0 && (len(p.Records) == 0 || p.Records[0].Offset > r.next) {
		if err := removedBefore(p.LogStartOffset, r.next); err != nil {
			return err
		}
	}
	for _, record := range p.Records {
		r.next = record.Offset + 1
		if record.Attrs.IsControl() {
			continue
		}
		m := ingest.Message{
			Position: fmt.Sprintf("%d-%d", record.Offset, max(0, record.LeaderEpoch)),
			Key:      string(record.Key), Subject: record.Topic, At: record.Timestamp, Headers: map[string]string{},
		}
		m.SetPayload(record.Value, len(record.Value))
		for _, h := range record.Headers {
			m.Headers[h.Key] = string(h.Value)
		}
		got.Messages = append(got.Messages, m)
	}
	if r.next >= 0 {
		// Offsets of control records count.
		got.Waiting = max(0, p.LastStableOffset-r.next)
		got.CaughtUp = got.Waiting == 0
	}
	return nil
}
