package buses

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/ingest"
)

// kafkaTopic is a topic with one partition: of a broker in this process, or of those that the
// environment variable KAFKA names.
type kafkaTopic struct {
	addrs  []string
	client *kgo.Client
	admin  *kadm.Client
}

const topic = "changes"

func startKafka(t *testing.T) *kafkaTopic {
	t.Helper()
	s := &kafkaTopic{}
	if real := os.Getenv("KAFKA"); real != "" {
		s.addrs = strings.Split(real, ",")
		t.Cleanup(func() { _, _ = s.admin.DeleteTopic(context.Background(), topic) })
	} else {
		cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(cluster.Close)
		s.addrs = cluster.ListenAddrs()
	}
	var err error
	s.client, err = kgo.NewClient(kgo.SeedBrokers(s.addrs...), kgo.DefaultProduceTopic(topic), kgo.ProducerBatchMaxBytes(16<<20), kgo.MetadataMinAge(10e6))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	s.admin = kadm.NewClient(s.client)
	return s
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
		if err := s.client.ProduceSync(t.Context(), list...).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *kafkaTopic) trim(t *testing.T, keep int) {
	t.Helper()
	ends, err := s.admin.ListEndOffsets(t.Context(), topic)
	if err != nil {
		t.Fatal(err)
	}
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

func TestKafka_KillsLoseNothing(t *testing.T) {
	t.Parallel()
	loseNothing(t, startKafka(t))
}
