-- Live sessions.

-- One row. number is that of the last transition of any session. A transition locks the row
-- before it reads anything, until the commit. So numbers are committed in order, and a
-- reader of a number sees all lower ones.
CREATE TABLE live_clock (
    id     {{id}},
    number BIGINT NOT NULL
);
INSERT INTO live_clock (id, number) VALUES (1, 0);

-- The current state of sessions. state: 1 live, 2 upcoming, 3 replay, 4 cancelled. Open
-- sessions, with a state below 3, are in feed order by descending score: the start of a live
-- session, or a negative number for the planned start of an upcoming one. number is that of
-- the last transition. When the host's account is deleted, only the ids stay, which are
-- never used again, with 0 in all other columns.
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
-- The open sessions of a host, and those that have changed since a number.
CREATE INDEX idx_live_open ON live_sessions (host_id, score, id, number) WHERE state < 3;
CREATE INDEX idx_live_changed ON live_sessions (host_id, number, id);
-- The replays of one host are read from this index alone, in either direction.
CREATE INDEX idx_replays ON live_sessions (host_id, ended_at, id) WHERE state = 3;

-- Every transition, with the state and the score of the session after it. made_at is on the
-- clock of this database.
CREATE TABLE live_transitions (
    number     {{id}},
    session_id BIGINT   NOT NULL,
    host_id    BIGINT   NOT NULL,
    state      SMALLINT NOT NULL,
    score      BIGINT   NOT NULL,
    made_at    BIGINT   NOT NULL
);
-- The first index looks up a session as of a number, the second serves the purge of a host.
CREATE INDEX idx_transitions ON live_transitions (session_id, number, state, score);
CREATE INDEX idx_transitions_host ON live_transitions (host_id);

-- All hosts of any session: the number of their last transition, and how many of their
-- sessions are open.
CREATE TABLE live_hosts (
    host_id       {{id}},
    number        BIGINT  NOT NULL,
    open_sessions INTEGER NOT NULL
);

-- Replays in the form that lists of posts are read from.
CREATE VIEW replays AS
SELECT id, host_id AS author_id, 'POST' AS kind, ended_at AS published_at, 0 AS deleted_at
FROM live_sessions WHERE state = 3;

-- The fan-out of a replay has the negative id of the session. Open ones are few among all.
CREATE INDEX idx_events_replays ON events (content_id) WHERE state = 0 AND content_id < 0;
CREATE INDEX idx_plans_replays ON plans (content_id) WHERE open_slices > 0 AND content_id < 0;
