package buses

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// busExample returns the block of docs/connect.md that reads a stream or topic of a bus.
func busExample(t *testing.T, from string) string {
	t.Helper()
	page := harness.Doc(t, "docs/connect.md")
	var found []string
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if block := m[1]; strings.Contains(strings.ReplaceAll(block, "'", ""), "tideline ingest --from "+from) && !strings.Contains(block, "…") {
			found = append(found, block)
		}
	}
	if len(found) != 1 {
		t.Fatalf("docs/connect.md has %d examples that read %s", len(found), from)
	}
	return found[0]
}

// command writes a program of a name into a folder.
func command(t *testing.T, folder, name, script string) {
	t.Helper()
	harness.Check(t, os.WriteFile(filepath.Join(folder, name), []byte("#!/bin/sh -e\n"+script+"\n"), 0o700))
}

// receiver returns a shell command that sends its input to a function, and fails if that fails.
func receiver(t *testing.T, receive func(input string) error) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		input, err := io.ReadAll(r.Body)
		if err == nil {
			err = receive(string(input))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
	t.Cleanup(s.Close)
	return "curl -sS --fail-with-body --data-binary @- " + s.URL
}

// runsExample runs an example as it is documented, with the programs in a folder, and waits until
// its user has arrived. The documented URL becomes that of the test's bus.
func runsExample(t *testing.T, documented, actual, folder string) {
	t.Helper()
	command(t, folder, "tideline", fmt.Sprintf(`[ "$*" = "ingest --from %s" ] || { echo "unexpected: $*"; exit 1; }
exec %s ingest --from %s`, documented, testenv.Binary(t), actual))
	database := harness.Postgres(t)
	program := testenv.Program(t, []string{"/bin/sh", "-ec", busExample(t, documented)}, []string{
		"PATH=" + folder + ":" + os.Getenv("PATH"), "TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t),
		"TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_DEMO=false",
	})
	program.WaitReady()
	oracle := harness.NewOracle(t, database)
	eventually.True(t, "the documented user arrives", func() bool {
		names := harness.RowsOf[string](oracle, "SELECT name FROM users WHERE id = 7 AND absent = 0")
		return len(names) == 1 && names[0] == "Ann"
	})
}

// redis-cli is a script that replaces the port.
func TestConnectGuide_RedisExampleFillsADatabase(t *testing.T) {
	t.Parallel()
	redis := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
	at, err := url.Parse(redis.URL())
	harness.Check(t, err)
	client, err := exec.LookPath("redis-cli")
	harness.Check(t, err)
	folder := t.TempDir()
	command(t, folder, "redis-cli", "exec "+client+" -p "+at.Port()+` "$@"`)
	runsExample(t, "redis://127.0.0.1:6379/changes", redis.URL()+"/changes", folder)
}

// nats is a script that does on a nats-server what the documented commands do.
func TestConnectGuide_NATSExampleFillsADatabase(t *testing.T) {
	t.Parallel()
	s, folder := startNATS(t), t.TempDir()
	add := receiver(t, func(string) error {
		_, err := s.js.CreateStream(t.Context(), jetstream.StreamConfig{
			Name: "changes", Subjects: []string{"changes.>"}, Storage: jetstream.FileStorage, Retention: jetstream.LimitsPolicy,
			Discard: jetstream.DiscardOld, MaxAge: 7 * 24 * time.Hour,
		})
		return err
	})
	publish := receiver(t, func(payload string) error {
		_, err := s.js.Publish(t.Context(), "changes.users", []byte(payload))
		return err
	})
	command(t, folder, "nats", `case "$*" in
"stream add changes --subjects changes.> --storage file --retention limits --discard old --max-age 7d --defaults") `+add+` </dev/null ;;
"pub changes.users "*) printf %s "$3" | `+publish+` ;;
*) echo "unexpected: $*"; exit 1 ;;
esac`)
	runsExample(t, "nats://127.0.0.1:4222/changes", s.url(), folder)
}

// The programs of Kafka are scripts that do on a simulated broker what the documented commands do.
func TestConnectGuide_KafkaExampleFillsADatabase(t *testing.T) {
	t.Parallel()
	s, folder := startFakeKafka(t), t.TempDir()
	create := receiver(t, func(string) error {
		_, err := s.admin.CreateTopic(t.Context(), 12, 1, nil, "changes")
		return err
	})
	produce := receiver(t, func(line string) error {
		key, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), "|")
		if !found {
			return fmt.Errorf("no key in %s", line)
		}
		return s.client.ProduceSync(t.Context(), &kgo.Record{Topic: "changes", Key: []byte(key), Value: []byte(value)}).FirstErr()
	})
	for name, do := range map[string][2]string{
		"kafka-topics.sh":           {"--bootstrap-server 127.0.0.1:9092 --create --topic changes --partitions 12", create + " </dev/null"},
		"kafka-console-producer.sh": {"--bootstrap-server 127.0.0.1:9092 --topic changes --property parse.key=true --property key.separator=|", produce},
	} {
		command(t, folder, name, fmt.Sprintf(`[ "$*" = "%s" ] || { echo "unexpected: $*"; exit 1; }`+"\n%s", do[0], do[1]))
	}
	runsExample(t, "kafka://127.0.0.1:9092/changes", s.url(), folder)
}
