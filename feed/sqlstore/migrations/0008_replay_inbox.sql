-- Replay inboxes, for installations that do not keep inboxes in Redis. publish_time is when
-- a session ended, content_id is its id. They are derived too.
CREATE TABLE replay_inbox (
    user_id      BIGINT NOT NULL,
    publish_time BIGINT NOT NULL,
    content_id   BIGINT NOT NULL
);
CREATE UNIQUE INDEX idx_replay_feed ON replay_inbox (user_id, publish_time, content_id);

CREATE TABLE replay_inbox_headers (
    user_id     {{id}},
    state       SMALLINT NOT NULL,
    token       TEXT     NOT NULL,
    generation  BIGINT   NOT NULL,
    version     BIGINT   NOT NULL DEFAULT 0,
    warm_until  BIGINT   NOT NULL DEFAULT 0,
    floor_ts    BIGINT   NOT NULL DEFAULT 0,
    floor_id    BIGINT   NOT NULL DEFAULT 0,
    started_at  BIGINT   NOT NULL,
    entry_count INTEGER  NOT NULL DEFAULT 0
);
