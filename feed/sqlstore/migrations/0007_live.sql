-- Live sessions.

-- One row. number is that of the last transition of any session. Whoever makes one
-- locks the row before he looks at anything, to the commit, so that numbers are
-- committed in their order: who sees one sees all lower ones.
CREATE TABLE live_clock (
    id     {{id}},
    number BIGINT NOT NULL
);
INSERT INTO live_clock (id, number) VALUES (1, 0);

-- Sessions as they are now. state: 1 live, 2 upcoming, 3 replay, 4 cancelled. What is
-- open, below 3, stands in feed order when the highest score comes first: the start of
-- what is live, and less than zero the planned start of what is upcoming. number is that
-- of the last transition. Of a host whose account is deleted only the ids stay, which are
-- never given away again, with 0 for everything else.
CREATE TABLE live_sessions (
    id           {{id}},
    host_id      BIGINT   NOT NULL REFERENCES users (id),
    title        TEXT     NOT NULL,
    state        SMALLINT NOT NULL,
    score        BIGINT   NOT NULL,
    scheduled_at BIGINT   NOT NULL,
    started_at   BIGINT   NOT NULL DEFAULT 0,
    ended_at     BIGINT   NOT NULL DEFAULT 0,
    cancelled_at BIGINT   NOT NULL DEFAULT 0,
    replay_url   TEXT     NOT NULL DEFAULT '',
    number       BIGINT   NOT NULL
);
-- What a host has open, and what of his has changed since a number.
CREATE INDEX idx_live_open ON live_sessions (host_id, score, id, number) WHERE state < 3;
CREATE INDEX idx_live_changed ON live_sessions (host_id, number, id);
-- The replays of one host are read from this index alone, in either direction.
CREATE INDEX idx_replays ON live_sessions (host_id, ended_at, id) WHERE state = 3;

-- Every transition, with the state and the score of the session behind it. made_at is on
-- the clock of this database.
CREATE TABLE live_transitions (
    number     {{id}},
    session_id BIGINT   NOT NULL,
    host_id    BIGINT   NOT NULL,
    state      SMALLINT NOT NULL,
    score      BIGINT   NOT NULL,
    made_at    BIGINT   NOT NULL
);
-- A session as of a number is looked up here, and a host's are purged by the other.
CREATE INDEX idx_transitions ON live_transitions (session_id, number, state, score);
CREATE INDEX idx_transitions_host ON live_transitions (host_id);

-- Those who ever had a session: the number of the last transition of any of theirs, and
-- how many of them are open.
CREATE TABLE live_hosts (
    host_id       {{id}},
    number        BIGINT  NOT NULL,
    open_sessions INTEGER NOT NULL
);

-- Replays as what lists of contents are read from.
CREATE VIEW replays AS
SELECT id, host_id AS author_id, 'POST' AS kind, ended_at AS published_at, 0 AS deleted_at
FROM live_sessions WHERE state = 3;

-- The fan-out of a replay goes by the session's id with a minus. Those that are not done
-- are few among all that is.
CREATE INDEX idx_events_replays ON events (content_id) WHERE state = 0 AND content_id < 0;
CREATE INDEX idx_plans_replays ON plans (content_id) WHERE open_slices > 0 AND content_id < 0;
