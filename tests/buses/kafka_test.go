package buses

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// kafkaTopic is a topic with one partition: of a broker in this process, or of those that the
// environment variable KAFKA names.
type kafkaTopic struct {
	addrs []string
	// cluster is nil for brokers that the environment names.
	cluster *kfake.Cluster
	client  *kgo.Client
	admin   *kadm.Client
}

const topic = "changes"

func startKafka(t *testing.T) *kafkaTopic {
	t.Helper()
	real := os.Getenv("KAFKA")
	if real == "" {
		return startFakeKafka(t)
	}
	s := &kafkaTopic{addrs: strings.Split(real, ",")}
	s.connect(t)
	t.Cleanup(func() { _, _ = s.admin.DeleteTopic(context.Background(), topic) })
	return s
}

func startFakeKafka(t *testing.T) *kafkaTopic {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	harness.Check(t, err)
	t.Cleanup(cluster.Close)
	s := &kafkaTopic{cluster: cluster, addrs: cluster.ListenAddrs()}
	s.connect(t)
	return s
}

func (s *kafkaTopic) connect(t *testing.T) {
	t.Helper()
	var err error
	s.client, err = kgo.NewClient(kgo.SeedBrokers(s.addrs...), kgo.DefaultProduceTopic(topic), kgo.ProducerBatchMaxBytes(16<<20), kgo.MetadataMinAge(10e6))
	harness.Check(t, err)
	t.Cleanup(s.client.Close)
	s.admin = kadm.NewClient(s.client)
}

func (s *kafkaTopic) url() string { return "kafka://" + strings.Join(s.addrs, ",") + "/" + topic }

func (s *kafkaTopic) create(t *testing.T) {
	t.Helper()
	size := "16777216"
	if _, err := s.admin.CreateTopic(t.Context(), 1, 1, map[string]*string{"max.message.bytes": &size}, topic); err != nil {
		t.Fatal(err)
	}
}

func (s *kafkaTopic) remove(t *testing.T) {
	t.Helper()
	if _, err := s.admin.DeleteTopic(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	s.client.PurgeTopicsFromClient(topic)
}

func (s *kafkaTopic) send(t *testing.T, payloads ...[]byte) {
	t.Helper()
	// A fetch returns whole batches, so these are small.
	for len(payloads) > 0 {
		var list []*kgo.Record
		for size := 0; size < 1<<20 && len(payloads) > 0; payloads = payloads[1:] {
			list = append(list, &kgo.Record{Value: payloads[0], Headers: []kgo.RecordHeader{{Key: "trace", Value: []byte("7")}}})
			size += len(payloads[0])
		}
		harness.Check(t, s.client.ProduceSync(t.Context(), list...).FirstErr())
	}
}

func (s *kafkaTopic) trim(t *testing.T, keep int) {
	t.Helper()
	ends, err := s.admin.ListEndOffsets(t.Context(), topic)
	harness.Check(t, err)
	end, _ := ends.Lookup(topic, 0)
	to := kadm.Offsets{}
	to.AddOffset(topic, 0, end.Offset-int64(keep), -1)
	if _, err := s.admin.DeleteRecords(t.Context(), to); err != nil {
		t.Fatal(err)
	}
}

func TestKafka_KeepsThePromises(t *testing.T) {
	conform(t, func(t *testing.T) server { return startKafka(t) })
}

func TestKafka_StopsIfTopicEndsEarlier(t *testing.T) {
	s := startKafka(t)
	s.create(t)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	s.send(t, texts(1, 5)...)
	_, end := b.read(ingest.Place{}, 5)
	b.lost(ingest.Place{Identity: end.Identity, Position: "17-0"})
}

func TestKafka_FindsNewPartitions(t *testing.T) {
	s := startKafka(t)
	s.create(t)
	b := openBus(t, s)
	if _, err := s.admin.CreatePartitions(t.Context(), 2, topic); err != nil {
		t.Fatal(err)
	}
	eventually.True(t, "three partitions are listed", func() bool {
		names, err := b.Partitions(t.Context())
		return err == nil && strings.Join(names, " ") == "0 1 2"
	})
}

// A broker that delays messages for longer than a poll waits is not at the end of its log.
func TestKafka_SlowBrokerIsNotAtEnd(t *testing.T) {
	t.Parallel()
	s := startFakeKafka(t)
	s.create(t)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	s.send(t, texts(1, 3)...)
	_, end := b.read(ingest.Place{}, 3)
	s.send(t, texts(4, 5)...)
	answer := make(chan struct{})
	s.cluster.ControlKey(int16(kmsg.Fetch), func(kmsg.Request) (kmsg.Response, error, bool) {
		s.cluster.KeepControl()
		s.cluster.SleepControl(func() { <-answer })
		return nil, nil, false
	})
	for after, waiting := range map[ingest.Place]int64{{}: 5, end: 2} {
		p := b.opened(after)
		defer p.Close()
		if got, err := p.Poll(t.Context()); err != nil || len(got.Messages) > 0 || got.CaughtUp || got.Waiting != waiting {
			t.Errorf("a poll after %q is %+v, %v; %d messages wait", after.Position, got, err, waiting)
		}
	}
	close(answer)
	got, _ := b.read(end, 2)
	b.expect(got, texts(4, 5))
}

// The last record of a partition may be the end of a transaction.
func TestKafka_EndsAfterTransaction(t *testing.T) {
	s := startKafka(t)
	s.create(t)
	b := &busTest{T: t, server: s, bus: openBus(t, s)}
	p := b.opened(ingest.Place{})
	defer p.Close()
	producer, err := kgo.NewClient(kgo.SeedBrokers(s.addrs...), kgo.DefaultProduceTopic(topic), kgo.TransactionalID("source"))
	harness.Check(t, err)
	defer producer.Close()
	var list []ingest.Message
	for i, end := range []kgo.TransactionEndTry{kgo.TryCommit, kgo.TryAbort} {
		harness.Check(t, producer.BeginTransaction())
		harness.Check(t, producer.ProduceSync(t.Context(), &kgo.Record{Value: []byte{byte('a' + i)}}).FirstErr())
		got, err := p.Poll(t.Context())
		if err != nil || i == 0 && len(got.Messages) > 0 {
			t.Fatalf("%v, %v of an open transaction", got.Messages, err)
		}
		list = append(list, got.Messages...)
		harness.Check(t, producer.EndTransaction(t.Context(), end))
	}
	eventually.True(t, "the reader is at the end", func() bool {
		got, err := p.Poll(t.Context())
		harness.Check(t, err)
		list = append(list, got.Messages...)
		return got.CaughtUp && len(list) > 0
	})
	b.expect(list, [][]byte{[]byte("a")})
}
