package tasks

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// archiver archives the tasks of a queue that asynq cannot decode. It would leave them active for ever,
// and while there is one, it would recover no task of the queue from a worker that was killed.
type archiver struct {
	queue string
	redis redis.UniversalClient
	log   *slog.Logger
}

func (a archiver) key(name string) string { return "asynq:{" + a.queue + "}:" + name }

// archiveScript archives active tasks whose messages are still the given ones. Without a message there
// is nothing to keep.
func archiveScript() *redis.Script {
	return redis.NewScript(`
local archived = 0
for i = 3, #ARGV, 2 do
  local id, key = ARGV[i], ARGV[2] .. ARGV[i]
  local message = redis.call("HGET", key, "msg")
  if (message or "") == ARGV[i + 1] and redis.call("LREM", KEYS[1], 0, id) > 0 then
    redis.call("ZREM", KEYS[2], id)
    archived = archived + 1
    if message then
      redis.call("ZADD", KEYS[3], ARGV[1], id)
      redis.call("HSET", key, "state", "archived")
    end
  end
end
return archived`)
}

// afterPoll looks at all active tasks of the queue, one of which cannot be decoded.
func (a archiver) afterPoll(ctx context.Context) error {
	return a.archive(ctx, a.redis.LRange(ctx, a.key("active"), 0, -1))
}

// beforeRecovery looks at the tasks whose workers have not extended their leases: most often none.
func (a archiver) beforeRecovery(ctx context.Context) error {
	return a.archive(ctx, a.redis.ZRangeArgs(ctx, redis.ZRangeArgs{Key: a.key("lease"), ByScore: true, Start: "-inf", Stop: time.Now().Unix()}))
}

func (a archiver) archive(ctx context.Context, listed *redis.StringSliceCmd) error {
	ids, err := listed.Result()
	if err != nil {
		return fmt.Errorf("list active tasks: %w", err)
	}
	args := []any{time.Now().Unix(), a.key("t:")}
	for _, id := range ids {
		message, err := a.redis.HGet(ctx, a.key("t:"+id), "msg").Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			return fmt.Errorf("read an active task: %w", err)
		}
		if message == "" || !decodable(message) {
			args = append(args, id, message)
		}
	}
	if len(args) == 2 {
		return nil
	}
	archived, err := archiveScript().Run(ctx, a.redis, []string{a.key("active"), a.key("lease"), a.key("archived")}, args...).Int()
	if err != nil {
		return fmt.Errorf("archive tasks that cannot be decoded: %w", err)
	}
	if archived > 0 {
		a.log.ErrorContext(ctx, "archived tasks that cannot be decoded", "queue", a.queue, "tasks", archived)
	}
	return nil
}

// decodable reports whether a text is a message of asynq, which registers its type under this name.
func decodable(message string) bool {
	typ, err := protoregistry.GlobalTypes.FindMessageByName(protoreflect.FullName("asynq.TaskMessage"))
	return err != nil || proto.Unmarshal([]byte(message), typ.New().Interface()) == nil
}
