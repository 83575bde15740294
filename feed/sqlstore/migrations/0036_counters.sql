-- Where counters come from (feed.CounterMode).
ALTER TABLE feed_state ADD COLUMN counters TEXT NOT NULL DEFAULT 'own';

-- The counters that a source has sent. user_counters and content_counters go on: fan-outs depend on
-- the number of stored followers.
CREATE TABLE source_user_counters (
    user_id   BIGINT PRIMARY KEY,
    followers BIGINT NOT NULL,
    following BIGINT NOT NULL,
    posts     BIGINT NOT NULL
);

CREATE TABLE source_content_counters (
    content_id BIGINT PRIMARY KEY,
    likes      BIGINT NOT NULL,
    comments   BIGINT NOT NULL,
    reposts    BIGINT NOT NULL,
    favorites  BIGINT NOT NULL
);
