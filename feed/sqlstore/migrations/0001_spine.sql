-- The source of truth. The dialect replaces text in double braces (dialect.go). Times are
-- milliseconds since the epoch; 0 is "none".

-- handle_fold is the folded handle, which makes handles unique without regard to case.
-- pulled is the permanent flag of an author with a skipped push. version rises with every
-- change of a relation that changes the user's feed.
CREATE TABLE users (
    id           {{id}},
    handle       TEXT     NOT NULL,
    handle_fold  TEXT     NOT NULL UNIQUE,
    name         TEXT     NOT NULL,
    avatar_url   TEXT     NOT NULL DEFAULT '',
    created_at   BIGINT   NOT NULL,
    last_seen_at BIGINT   NOT NULL DEFAULT 0,
    pulled       SMALLINT NOT NULL DEFAULT 0,
    version      BIGINT   NOT NULL DEFAULT 0
);

-- Counters have tables of their own, because they change often: a follow need not write the
-- author's profile again.
CREATE TABLE user_counters (
    user_id   {{id}},
    followers BIGINT NOT NULL DEFAULT 0,
    following BIGINT NOT NULL DEFAULT 0,
    posts     BIGINT NOT NULL DEFAULT 0
);

-- repost_depth counts the reposts between this post and the end of its chain.
CREATE TABLE contents (
    id           {{id}},
    author_id    BIGINT   NOT NULL REFERENCES users (id),
    kind         TEXT     NOT NULL,
    text         TEXT     NOT NULL,
    media        TEXT     NOT NULL DEFAULT '[]',
    reply_to     BIGINT   NOT NULL DEFAULT 0,
    repost_of    BIGINT   NOT NULL DEFAULT 0,
    repost_depth SMALLINT NOT NULL DEFAULT 0,
    published_at BIGINT   NOT NULL,
    edited_at    BIGINT   NOT NULL DEFAULT 0,
    deleted_at   BIGINT   NOT NULL DEFAULT 0
);
-- An outbox is read from this index alone, in either direction.
CREATE INDEX idx_outbox ON contents (author_id, published_at, id, kind) WHERE deleted_at = 0;
CREATE INDEX idx_comments ON contents (reply_to, published_at, id, kind) WHERE deleted_at = 0 AND reply_to <> 0;

CREATE TABLE content_counters (
    content_id {{id}},
    likes      BIGINT NOT NULL DEFAULT 0,
    comments   BIGINT NOT NULL DEFAULT 0,
    reposts    BIGINT NOT NULL DEFAULT 0,
    favorites  BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE reactions (
    content_id BIGINT NOT NULL REFERENCES contents (id),
    kind       TEXT   NOT NULL,
    user_id    BIGINT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (content_id, kind, user_id)
) {{without rowid}};
CREATE INDEX idx_reactions_user ON reactions (user_id, kind, created_at);

-- An unfollow keeps the row with active = 0: readers with an older version of the follower's
-- relations must be able to see it.
CREATE TABLE follows (
    follower_id BIGINT   NOT NULL REFERENCES users (id),
    followee_id BIGINT   NOT NULL REFERENCES users (id),
    created_at  BIGINT   NOT NULL,
    version     BIGINT   NOT NULL,
    active      SMALLINT NOT NULL,
    PRIMARY KEY (follower_id, followee_id)
) {{without rowid}};
-- Fan-out slices are ordered by follower id, lists by the time of the follow.
CREATE INDEX idx_follower_ids ON follows (followee_id, follower_id) WHERE active = 1;
CREATE INDEX idx_followers ON follows (followee_id, created_at, follower_id) WHERE active = 1;
CREATE INDEX idx_following ON follows (follower_id, created_at, followee_id) WHERE active = 1;

-- Mutes, hides and blocks.
CREATE TABLE relations (
    user_id    BIGINT NOT NULL REFERENCES users (id),
    kind       TEXT   NOT NULL,
    target_id  BIGINT NOT NULL REFERENCES users (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, target_id)
) {{without rowid}};
CREATE INDEX idx_relations_target ON relations (target_id, kind, user_id);

CREATE TABLE idempotency_keys (
    author_id   BIGINT NOT NULL,
    key         TEXT   NOT NULL,
    fingerprint TEXT   NOT NULL,
    content_id  BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (author_id, key)
) {{without rowid}};

-- The transactional outbox: a row is committed together with its post. state: 0 until the
-- plan is stored, then 1.
CREATE TABLE events (
    id         {{serial}},
    content_id BIGINT   NOT NULL UNIQUE,
    state      SMALLINT NOT NULL DEFAULT 0,
    dispatches INTEGER  NOT NULL DEFAULT 0,
    due_at     BIGINT   NOT NULL,
    created_at BIGINT   NOT NULL
);
CREATE INDEX idx_events_due ON events (due_at) WHERE state = 0;

CREATE TABLE plans (
    content_id  {{id}},
    slices      INTEGER NOT NULL,
    open_slices INTEGER NOT NULL
);

-- state: 0 waiting or queued, 1 running until due_at unless progress renews the lease, 2
-- done.
CREATE TABLE plan_slices (
    content_id BIGINT   NOT NULL,
    task       INTEGER  NOT NULL,
    first_id   BIGINT   NOT NULL,
    last_id    BIGINT   NOT NULL,
    progress   BIGINT   NOT NULL,
    attempt    BIGINT   NOT NULL DEFAULT 0,
    dispatches INTEGER  NOT NULL DEFAULT 0,
    state      SMALLINT NOT NULL DEFAULT 0,
    due_at     BIGINT   NOT NULL,
    PRIMARY KEY (content_id, task)
) {{without rowid}};
CREATE INDEX idx_slices_due ON plan_slices (due_at) WHERE state < 2;

-- One row. generation rises when every inbox must be dropped; demo says that this program
-- has made up the users.
CREATE TABLE feed_state (
    id         {{id}},
    generation BIGINT   NOT NULL,
    demo       SMALLINT NOT NULL DEFAULT 0
);
INSERT INTO feed_state (id, generation) VALUES (1, 1);
