-- The whole schema: users and their relations, posts, external ids, fan-out, inboxes, live sessions,
-- the change log, ingest, mirrors, and the state of the program. The dialect replaces text in double
-- braces (dialect.go). Times are milliseconds since the epoch; 0 is "none".

-- Users ------------------------------------------------------------------------------------------

-- handle_fold is the folded handle, which makes handles unique without regard to case. version rises
-- with every change of a relation that changes the user's feed. A deleted account keeps its row
-- without handle, name and avatar: its id is never used again, and posts with replies still have an
-- author.
--
-- mark is the coverage flag of an author, what their fan-outs have left out so far: 0 nothing, 1
-- inactive followers, 2 whole pushes. If it falls, all edges to the author get new versions.
-- mark_reason and marked_at say why and when it was raised, 0 for not known. low_since is since when
-- the author has had few followers, 0 for many. active_until is the end of the user's lease of
-- activity, on the clock of this database.
--
-- absent is 1 for a user who has not arrived yet from the system that owns users, or was taken back
-- by it. The row stays with everything that refers to it, and reads leave the user out. awaited_at is
-- when a record first named a user who has not arrived; 0 once they have, and for users that their
-- source has taken back.
--
-- external_id is empty where ids are numbers. custom has fields of the application, as a JSON object
-- without white space; empty for none.
CREATE TABLE users (
    id           {{id}},
    handle       TEXT     NOT NULL,
    handle_fold  TEXT     NOT NULL UNIQUE,
    name         TEXT     NOT NULL,
    avatar_url   TEXT     NOT NULL DEFAULT '',
    created_at   BIGINT   NOT NULL,
    last_seen_at BIGINT   NOT NULL DEFAULT 0,
    mark         SMALLINT NOT NULL DEFAULT 0,
    version      BIGINT   NOT NULL DEFAULT 0,
    deleted_at   BIGINT   NOT NULL DEFAULT 0,
    active_until BIGINT   NOT NULL DEFAULT 0,
    absent       SMALLINT NOT NULL DEFAULT 0,
    external_id  TEXT     NOT NULL DEFAULT '',
    awaited_at   BIGINT   NOT NULL DEFAULT 0,
    mark_reason  SMALLINT NOT NULL DEFAULT 0,
    marked_at    BIGINT   NOT NULL DEFAULT 0,
    low_since    BIGINT   NOT NULL DEFAULT 0,
    custom       TEXT     NOT NULL DEFAULT ''
);
-- The few authors with a flag.
CREATE INDEX idx_marked ON users (mark, id) WHERE mark > 0;
-- Reads look up each user in this index, which is empty if all users have arrived.
CREATE INDEX idx_users_absent ON users (id) WHERE absent > 0;
CREATE INDEX idx_users_awaited ON users (awaited_at, id) WHERE awaited_at > 0;
CREATE INDEX idx_users_taken_back ON users (id) WHERE absent > 0 AND awaited_at = 0 AND deleted_at = 0;
{{only postgres}}
-- Which of many users are active is read from this index alone. Most users of a large network are not
-- active, and reading each of their rows was most of a fan-out. Users who have never been active are
-- not in it.
CREATE INDEX idx_users_active ON users (id, active_until) WHERE active_until > 0;
{{end postgres}}

-- Counters have tables of their own, because they change often: a follow need not write the author's
-- profile again. changes rises with every publish, edit and deletion of one of the user's posts.
CREATE TABLE user_counters (
    user_id   {{id}},
    followers BIGINT NOT NULL DEFAULT 0,
    following BIGINT NOT NULL DEFAULT 0,
    posts     BIGINT NOT NULL DEFAULT 0,
    changes   BIGINT NOT NULL DEFAULT 0
);

-- The words that users are found by. place is the beginning of the word as a number, larger for words
-- earlier in the alphabet.
CREATE TABLE user_words (
    user_id BIGINT NOT NULL {{references users}},
    word    TEXT   NOT NULL,
    place   BIGINT NOT NULL,
    PRIMARY KEY (user_id, word)
) {{without rowid}};
-- A search is read from this index alone.
CREATE INDEX idx_search ON user_words (place, user_id, word);

-- The skeletons of handles, by Unicode Technical Standard 39: two handles with a common skeleton are
-- easily confused. A user has one or two rows for their handle, and rows with freed_at for handles
-- that they gave up, which others may not take yet. exclusive says that the handle was new when the
-- row was stored, so no other user had the skeleton; imported handles may share one.
CREATE TABLE handle_skeletons (
    skeleton  TEXT     NOT NULL,
    user_id   BIGINT   NOT NULL {{references users}},
    exclusive SMALLINT NOT NULL,
    freed_at  BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (skeleton, user_id)
) {{without rowid}};
-- If two users take similar handles at the same time, one fails here.
CREATE UNIQUE INDEX idx_skeleton_exclusive ON handle_skeletons (skeleton) WHERE exclusive = 1;
CREATE INDEX idx_skeletons_user ON handle_skeletons (user_id);
CREATE INDEX idx_skeletons_freed ON handle_skeletons (freed_at) WHERE freed_at > 0;

-- The deleted accounts that may still have posts, edges, reactions and the like. A row is deleted
-- with the last of them, so the table is nearly always empty, and every read can afford to exclude
-- these users.
CREATE TABLE purges (
    user_id    {{id}},
    deleted_at BIGINT NOT NULL
);

-- Tokens that end before their time, by the hash of each, until they would have ended by themselves.
-- An empty token stands for all of a user's: the account is deleted.
CREATE TABLE revocations (
    user_id    BIGINT NOT NULL,
    token      TEXT   NOT NULL,
    revoked_at BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    PRIMARY KEY (user_id, token)
);
CREATE INDEX revocations_at ON revocations (revoked_at);
CREATE INDEX revocations_until ON revocations (until);

-- Follows, mutes, hides and blocks ----------------------------------------------------------------

-- An unfollow keeps the row with active = 0: readers with an older version of the follower's
-- relations must be able to see it. followed is the version at the follow, if a lowered flag has given
-- the edge a later one; else 0.
--
-- PostgreSQL's key contains active, which a page reads for each of its authors: by follower all of
-- them are on one index page, and the table is not read. In SQLite the key is the table.
CREATE TABLE follows (
    follower_id BIGINT   NOT NULL {{references users}},
    followee_id BIGINT   NOT NULL {{references users}},
    created_at  BIGINT   NOT NULL,
    version     BIGINT   NOT NULL,
    active      SMALLINT NOT NULL,
    followed    BIGINT   NOT NULL DEFAULT 0,
    PRIMARY KEY (follower_id, followee_id) {{only postgres}}INCLUDE (active){{end postgres}}
) {{without rowid}};
-- Fan-out slices are ordered by follower id, lists by the time of the follow.
CREATE INDEX idx_follower_ids ON follows (followee_id, follower_id) WHERE active = 1;
CREATE INDEX idx_followers ON follows (followee_id, created_at, follower_id) WHERE active = 1;
CREATE INDEX idx_following ON follows (follower_id, created_at, followee_id) WHERE active = 1;
-- Edges that began, ended or were followed since a version, such as that of an inbox.
CREATE INDEX idx_stamped ON follows (follower_id, version, followee_id) WHERE active = 1;
CREATE INDEX idx_unfollowed ON follows (follower_id, version, followee_id) WHERE active = 0;
CREATE INDEX idx_followed_before ON follows (follower_id, followed, followee_id) WHERE followed > 0 AND active = 1;

-- Mutes, hides and blocks.
CREATE TABLE relations (
    user_id    BIGINT NOT NULL {{references users}},
    kind       TEXT   NOT NULL,
    target_id  BIGINT NOT NULL {{references users}},
    created_at BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, target_id)
) {{without rowid}};
CREATE INDEX idx_relations_target ON relations (target_id, kind, user_id);
-- Mutes, hides and blocks are listed by their time.
CREATE INDEX idx_related ON relations (user_id, kind, created_at, target_id);

-- Reactions and relations that users have taken back: an import of their records does not bring them
-- back. kind is like, favorite, mute, hide or block, and target_id a post or a user accordingly. An
-- edge that was made again afterwards may still have its row here; the row in reactions or relations
-- then counts. Follows need none: an undone one keeps its row in follows, with active = 0.
CREATE TABLE absent_edges (
    user_id   BIGINT NOT NULL,
    kind      TEXT   NOT NULL,
    target_id BIGINT NOT NULL,
    PRIMARY KEY (user_id, kind, target_id)
) {{without rowid}};
-- For the deletion of an account, which removes the relations to it.
CREATE INDEX idx_absent_edges_target ON absent_edges (target_id) WHERE kind IN ('mute', 'hide', 'block');

-- Posts -------------------------------------------------------------------------------------------

-- repost_depth counts the reposts between this post and the end of its chain. external_id and custom
-- are as in users.
CREATE TABLE contents (
    id           {{id}},
    author_id    BIGINT   NOT NULL {{references users}},
    kind         TEXT     NOT NULL,
    text         TEXT     NOT NULL,
    media        TEXT     NOT NULL DEFAULT '[]',
    reply_to     BIGINT   NOT NULL DEFAULT 0,
    repost_of    BIGINT   NOT NULL DEFAULT 0,
    repost_depth SMALLINT NOT NULL DEFAULT 0,
    published_at BIGINT   NOT NULL,
    edited_at    BIGINT   NOT NULL DEFAULT 0,
    deleted_at   BIGINT   NOT NULL DEFAULT 0,
    external_id  TEXT     NOT NULL DEFAULT '',
    custom       TEXT     NOT NULL DEFAULT ''
);
-- An outbox is read from this index alone, in either direction.
CREATE INDEX idx_outbox ON contents (author_id, published_at, id, kind) WHERE deleted_at = 0;
-- For delta sync: a deleted account, or a changed relation, names deleted posts too.
CREATE INDEX idx_outbox_deleted ON contents (author_id, published_at, id, kind) WHERE deleted_at <> 0;
CREATE INDEX idx_comments ON contents (reply_to, published_at, id, kind) WHERE deleted_at = 0 AND reply_to <> 0;
CREATE INDEX idx_contents_repost ON contents (repost_of, id) WHERE repost_of > 0;

-- A post without reactions, comments and reposts has no row.
CREATE TABLE content_counters (
    content_id {{id}},
    likes      BIGINT NOT NULL DEFAULT 0,
    comments   BIGINT NOT NULL DEFAULT 0,
    reposts    BIGINT NOT NULL DEFAULT 0,
    favorites  BIGINT NOT NULL DEFAULT 0
);

-- A reaction may name a post that has not arrived and so has no row.
CREATE TABLE reactions (
    content_id BIGINT NOT NULL,
    kind       TEXT   NOT NULL,
    user_id    BIGINT NOT NULL {{references users}},
    created_at BIGINT NOT NULL,
    PRIMARY KEY (content_id, kind, user_id)
) {{without rowid}};
CREATE INDEX idx_reactions_user ON reactions (user_id, kind, created_at);

-- Posts that records have named and that have not arrived, since awaited_at; 0 if the source took the
-- post back before.
CREATE TABLE awaited_posts (
    id         {{id}},
    awaited_at BIGINT NOT NULL
);
CREATE INDEX idx_awaited_posts ON awaited_posts (awaited_at, id) WHERE awaited_at > 0;

CREATE TABLE idempotency_keys (
    author_id   BIGINT NOT NULL,
    key         TEXT   NOT NULL,
    fingerprint TEXT   NOT NULL,
    content_id  BIGINT NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (author_id, key)
) {{without rowid}};
-- Cleanup reads the oldest rows first.
CREATE INDEX idx_keys_used ON idempotency_keys (created_at);

-- External ids ------------------------------------------------------------------------------------

-- The numbers of external ids, where ids are text (docs/adr/0043). A post that is only referred to
-- has a number and no row of its own. Users, posts and live sessions have the external id again, so
-- that pages read it with the row.
CREATE TABLE external_ids (
    kind     TEXT NOT NULL,
    external TEXT {{bytewise}} NOT NULL,
    n        BIGINT NOT NULL,
    PRIMARY KEY (kind, external)
) {{without rowid}};
CREATE UNIQUE INDEX idx_external_ids_n ON external_ids (kind, n);

-- Fan-out -----------------------------------------------------------------------------------------

-- The transactional outbox: a row is committed together with its post. state: 0 until the plan is
-- stored, then 1. The attempts of the slices of an event are above attempt (feed.PlanState). The
-- fan-out of a replay has the negative id of the session.
CREATE TABLE events (
    id         {{serial}},
    content_id BIGINT   NOT NULL UNIQUE,
    state      SMALLINT NOT NULL DEFAULT 0,
    dispatches INTEGER  NOT NULL DEFAULT 0,
    due_at     BIGINT   NOT NULL,
    created_at BIGINT   NOT NULL,
    attempt    BIGINT   NOT NULL DEFAULT 0
);
CREATE INDEX idx_events_due ON events (due_at) WHERE state = 0;
-- Open fan-outs of replays are few among all.
CREATE INDEX idx_events_replays ON events (content_id) WHERE state = 0 AND content_id < 0;

-- selective says that the plan's pushes go to active followers only. created_at is when the plan was
-- stored, on the clock of this database. announced says that the fan-out was done and the post's
-- subscribers were notified: once, however often its slices run again.
CREATE TABLE plans (
    content_id  {{id}},
    slices      INTEGER NOT NULL,
    open_slices INTEGER NOT NULL,
    selective   SMALLINT NOT NULL DEFAULT 0,
    created_at  BIGINT   NOT NULL DEFAULT 0,
    announced   SMALLINT NOT NULL DEFAULT 0
);
-- Cleanup reads the oldest rows first.
CREATE INDEX idx_plans_done ON plans (created_at, content_id) WHERE open_slices = 0;
CREATE INDEX idx_plans_replays ON plans (content_id) WHERE open_slices > 0 AND content_id < 0;

-- state: 0 waiting or queued, 1 running until due_at unless progress renews the lease, 2 done.
-- moved_at is when progress was last stored, on the clock of this database; 0 if never, or if the
-- slice has started again since. begun_at is when the slice was last reset to start again; 0 if never.
-- author_id is the author whose posts may be pushed together with the slice, 0 for none. large is 1
-- for slices of large plans, which wait in a queue of their own.
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
    moved_at   BIGINT   NOT NULL DEFAULT 0,
    begun_at   BIGINT   NOT NULL DEFAULT 0,
    author_id  BIGINT   NOT NULL DEFAULT 0,
    large      SMALLINT NOT NULL DEFAULT 0,
    PRIMARY KEY (content_id, task)
) {{without rowid}};
-- Waiting and running slices, and those of large plans, are due by different clocks. The index begins
-- with what tells them apart, so that a sweep reads only what may be due, in order. Open slices are
-- counted without reading the table.
CREATE INDEX idx_slices_due ON plan_slices (state, large, due_at, content_id, task) WHERE state < 2;
-- The latest progress is at the end of the index, so storing progress always changes the same few
-- pages. Waiting slices are not in it.
CREATE INDEX idx_slices_moved ON plan_slices (moved_at) WHERE moved_at > 0;
-- The waiting slices of one author with the same followers, by post, so that a claim of the first few
-- reads no more, however many wait (docs/adr/0013). The condition writes the state as a sum, like the
-- statements that look up rows by key, so that no other statement uses this index.
CREATE INDEX idx_slices_together ON plan_slices (author_id, first_id, last_id, content_id) WHERE state + 0 = 0;

-- The process that currently does a job for all, and until when.
CREATE TABLE leaders (
    name   TEXT   NOT NULL PRIMARY KEY,
    holder TEXT   NOT NULL,
    until  BIGINT NOT NULL
) {{without rowid}};

-- The last number that was written to each inbox server and acknowledged, and the run of the server.
-- promised is the highest number to be written to it, stored before the write. So if a server has a
-- higher one, this database was restored from a backup.
CREATE TABLE pulses (
    server   TEXT   NOT NULL PRIMARY KEY,
    number   BIGINT NOT NULL,
    run      TEXT   NOT NULL,
    promised BIGINT NOT NULL DEFAULT 0
) {{without rowid}};

-- Until when workers hold a storage format of inboxes in Redis.
CREATE TABLE inbox_layouts (
    layout {{id}},
    until  BIGINT NOT NULL
);

-- Inboxes, for installations that do not keep them in Redis ----------------------------------------
-- They are derived: emptying these tables costs only the builds that fill them again.

-- idx_feed has all columns of an entry, so a page is read from it alone, backwards, and it makes
-- entries unique. The table needs no primary key, whose index would be the same.
CREATE TABLE inbox (
    user_id      BIGINT NOT NULL,
    publish_time BIGINT NOT NULL,
    content_id   BIGINT NOT NULL
);
CREATE UNIQUE INDEX idx_feed ON inbox (user_id, publish_time, content_id);

-- An inbox without a row here is absent and has no entries. state: 1 building, 2 ready. version is the
-- relations version of the build, entry_count the number of rows in inbox, all of which are above the
-- floor. warm_until is when the inbox stops covering authors with mark 1.
CREATE TABLE inbox_headers (
    user_id     {{id}},
    state       SMALLINT NOT NULL,
    token       TEXT     NOT NULL,
    generation  BIGINT   NOT NULL,
    version     BIGINT   NOT NULL DEFAULT 0,
    floor_ts    BIGINT   NOT NULL DEFAULT 0,
    floor_id    BIGINT   NOT NULL DEFAULT 0,
    started_at  BIGINT   NOT NULL,
    entry_count INTEGER  NOT NULL DEFAULT 0,
    warm_until  BIGINT   NOT NULL DEFAULT 0
);

-- Inboxes of replays. publish_time is when a session ended, content_id is its id.
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

-- Live sessions -----------------------------------------------------------------------------------

-- One row. number is that of the last transition of any session. A transition locks the row before it
-- reads anything, until the commit. So numbers are committed in order, and a reader of a number sees
-- all lower ones. absences rises when a user with live sessions becomes absent or present.
CREATE TABLE live_clock (
    id       {{id}},
    number   BIGINT NOT NULL,
    absences BIGINT NOT NULL DEFAULT 0
);
INSERT INTO live_clock (id, number) VALUES (1, 0);

-- The current state of sessions. state: 1 live, 2 upcoming, 3 replay, 4 cancelled. Open sessions, with
-- a state below 3, are in feed order by descending score: the start of a live session, or a negative
-- number for the planned start of an upcoming one. number is that of the last transition. When the
-- host's account is deleted, only the ids stay, which are never used again, with 0 in all other
-- columns.
CREATE TABLE live_sessions (
    id           {{id}},
    host_id      BIGINT   NOT NULL {{references users}},
    title        TEXT     NOT NULL,
    state        SMALLINT NOT NULL,
    score        BIGINT   NOT NULL,
    scheduled_at BIGINT   NOT NULL,
    started_at   BIGINT   NOT NULL DEFAULT 0,
    ended_at     BIGINT   NOT NULL DEFAULT 0,
    cancelled_at BIGINT   NOT NULL DEFAULT 0,
    replay_url   TEXT     NOT NULL DEFAULT '',
    number       BIGINT   NOT NULL,
    external_id  TEXT     NOT NULL DEFAULT ''
);
-- The open sessions of a host, and those that have changed since a number.
CREATE INDEX idx_live_open ON live_sessions (host_id, score, id, number) WHERE state < 3;
CREATE INDEX idx_live_changed ON live_sessions (host_id, number, id);
-- The replays of one host are read from this index alone, in either direction.
CREATE INDEX idx_replays ON live_sessions (host_id, ended_at, id) WHERE state = 3;

-- Every transition, with the state and the score of the session after it. made_at is on the clock of
-- this database.
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

-- All hosts of any session: the number of their last transition, and how many of their sessions are
-- open.
CREATE TABLE live_hosts (
    host_id       {{id}},
    number        BIGINT  NOT NULL,
    open_sessions INTEGER NOT NULL
);

-- Replays in the form that lists of posts are read from.
CREATE VIEW replays AS
SELECT id, host_id AS author_id, 'POST' AS kind, ended_at AS published_at, 0 AS deleted_at
FROM live_sessions WHERE state = 3;

-- The change log ----------------------------------------------------------------------------------

-- Changes in their order of arrival (docs/adr/0040). On SQLite a change draws its number in its own
-- transaction, because there is one writer at a time. On PostgreSQL it inserts its rows into
-- change_queue, and one process numbers them after the commit. kind is a feed.ChangeKind. other_id and
-- content_id are 0 where the kind has none.
CREATE TABLE changes (
    number      {{number}},
    numbered_at BIGINT   NOT NULL,
    kind        SMALLINT NOT NULL,
    user_id     BIGINT   NOT NULL,
    other_id    BIGINT   NOT NULL,
    content_id  BIGINT   NOT NULL
);
CREATE INDEX idx_changes_user ON changes (user_id, number);

-- One row. epoch tells numbers apart that were drawn twice, 0 before the first one is drawn. trimmed
-- is the highest number that was removed. last is the highest number that was drawn; on SQLite
-- sqlite_sequence has it. origin names the database that drew it.
CREATE TABLE change_state (
    id      {{id}},
    epoch   BIGINT NOT NULL DEFAULT 0,
    trimmed BIGINT NOT NULL DEFAULT 0{{only postgres}},
    last    BIGINT NOT NULL DEFAULT 0,
    origin  TEXT   NOT NULL DEFAULT ''{{end postgres}}
);
INSERT INTO change_state (id) VALUES (1);

{{only postgres}}
-- queued_at is when the statement of a change began. The table is nearly empty most of the time, and
-- each of its rows is deleted within a tenth of a second. Frequent vacuums keep it and its index that
-- small.
CREATE TABLE change_queue (
    id         {{serial}},
    kind       SMALLINT NOT NULL,
    user_id    BIGINT   NOT NULL,
    other_id   BIGINT   NOT NULL,
    content_id BIGINT   NOT NULL,
    queued_at  BIGINT   NOT NULL DEFAULT CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) * 1000) AS BIGINT)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

-- change_origin identifies the database and its history: a replica that takes over, and a backup that
-- was recovered, begin a new timeline. A role that may not call pg_control_system has the timeline
-- alone.
CREATE FUNCTION change_origin() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    timeline text := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
BEGIN
    RETURN (SELECT system_identifier::text FROM pg_control_system()) || '/' || timeline;
EXCEPTION WHEN insufficient_privilege THEN
    RETURN '/' || timeline;
END $$;
{{end postgres}}

-- Deleted posts whose reposts have not been logged in changes yet, and the last repost that was. A
-- deletion inserts its row whether or not there are reposts, because others may commit while it runs.
-- links is the number of reposts between a post and the one that has changed.
CREATE TABLE repost_changes (
    content_id {{id}},
    logged     BIGINT   NOT NULL DEFAULT 0,
    links      SMALLINT NOT NULL DEFAULT 0
);

-- Ingest ------------------------------------------------------------------------------------------

-- The versions of the records of objects that a source owns, also of objects that are not stored.
-- ended_at is when an edge ended; its version is kept for a while. created_at is when an edge that has
-- ended was made, 0 if unknown: a partial record may bring it back.
CREATE TABLE object_versions (
    type       TEXT   NOT NULL,
    a          BIGINT NOT NULL,
    b          BIGINT NOT NULL,
    epoch      BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    ended_at   BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (type, a, b)
) {{without rowid}};
CREATE INDEX idx_object_versions_ended ON object_versions (ended_at) WHERE ended_at > 0;

-- How far each partition of a source is applied. current_at is the time up to which all its messages
-- are applied, 0 if unknown; waiting is how many messages followed then, -1 if unknown.
CREATE TABLE source_positions (
    source     TEXT   NOT NULL,
    part       TEXT   NOT NULL,
    identity   TEXT   NOT NULL,
    position   TEXT   NOT NULL,
    moved_at   BIGINT NOT NULL,
    current_at BIGINT NOT NULL DEFAULT 0,
    waiting    BIGINT NOT NULL DEFAULT -1,
    PRIMARY KEY (source, part)
) {{without rowid}};

-- Lines of a source that could not be applied. ordered is 1 for a line of a source with order, whose
-- records have no versions.
CREATE TABLE dead_letters (
    id         {{serial}},
    source     TEXT     NOT NULL,
    part       TEXT     NOT NULL,
    position   TEXT     NOT NULL,
    object     TEXT     NOT NULL,
    line       TEXT     NOT NULL,
    reason     TEXT     NOT NULL,
    created_at BIGINT   NOT NULL,
    tried_at   BIGINT   NOT NULL,
    tries      INTEGER  NOT NULL DEFAULT 1,
    overtaken  SMALLINT NOT NULL DEFAULT 0,
    ordered    SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX idx_dead_letters_object ON dead_letters (object) WHERE overtaken = 0 AND object <> '';

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

-- Mirrors (feed.Mirrors) --------------------------------------------------------------------------

-- snapshot is the number of the last snapshot that was begun, and complete is 1 once a snapshot of all
-- tables has ended.
CREATE TABLE mirrors (
    source   TEXT     NOT NULL PRIMARY KEY,
    slot     TEXT     NOT NULL,
    snapshot BIGINT   NOT NULL,
    complete SMALLINT NOT NULL DEFAULT 0
) {{without rowid}};

-- The tables of a mirror. from_lsn is the position of the snapshot that has read the table.
CREATE TABLE mirror_tables (
    source   TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    from_lsn BIGINT NOT NULL,
    digest   TEXT   NOT NULL,
    columns  TEXT   NOT NULL,
    types    TEXT   NOT NULL,
    PRIMARY KEY (source, name)
) {{without rowid}};

-- Tables whose snapshot was asked for; an empty name stands for all. snapshot is the one that began
-- with the request, or 0.
CREATE TABLE mirror_requests (
    source   TEXT   NOT NULL,
    name     TEXT   NOT NULL,
    snapshot BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (source, name)
) {{without rowid}};

-- Holds of mirrors (feed.MirrorHold). place is where the mirror stops, and seen is 1 once the process
-- that follows the changes knows it.
CREATE TABLE mirror_holds (
    source  TEXT     NOT NULL PRIMARY KEY,
    id      BIGINT   NOT NULL,
    place   BIGINT   NOT NULL,
    ends_at BIGINT   NOT NULL,
    seen    SMALLINT NOT NULL DEFAULT 0
) {{without rowid}};

-- The objects of a snapshot that is being read. A crash of the database empties the table. So each
-- snapshot has a row without a type: if it is missing, so are others.
CREATE {{only postgres}}UNLOGGED{{end postgres}} TABLE mirror_seen (
    snapshot BIGINT NOT NULL,
    type     TEXT   NOT NULL,
    a        BIGINT NOT NULL,
    b        BIGINT NOT NULL,
    PRIMARY KEY (snapshot, type, a, b)
) {{without rowid}};

-- The state of the network and of its processes ---------------------------------------------------

-- One row. generation rises when every inbox must be dropped, and marks whenever the mark of any
-- author is raised. demo says that this program has made up the users. rerun_at is when the last rerun
-- began, or a millisecond after the one before it: unique, so it identifies the slices that a rerun
-- has reset. inbox_layout is the storage format of inboxes in Redis that is in use.
--
-- least_schema is the schema version that a program must know to work with this database. A migration
-- that removes what older programs use raises it to the first version that does not use it. Other
-- migrations leave it unchanged.
--
-- ids is a feed.IDMode, empty until the first start. source_owns has the types of records that a
-- source owns (feed.RecordTypes), counters says where counters come from (feed.CounterMode), and users
-- what users without a record are (feed.UserMode). bulk_since is the time of the first batch of the
-- bulk load that is running, or was killed; 0 if there is none. bulk_at is the time of the last batch.
CREATE TABLE feed_state (
    id           {{id}},
    generation   BIGINT   NOT NULL,
    demo         SMALLINT NOT NULL DEFAULT 0,
    marks        BIGINT   NOT NULL DEFAULT 0,
    rerun_at     BIGINT   NOT NULL DEFAULT 0,
    least_schema BIGINT   NOT NULL DEFAULT 0,
    inbox_layout BIGINT   NOT NULL DEFAULT 1,
    ids          TEXT     NOT NULL DEFAULT '',
    source_owns  TEXT     NOT NULL DEFAULT '',
    bulk_since   BIGINT   NOT NULL DEFAULT 0,
    bulk_at      BIGINT   NOT NULL DEFAULT 0,
    counters     TEXT     NOT NULL DEFAULT 'own',
    users        TEXT     NOT NULL DEFAULT 'explicit'
);
INSERT INTO feed_state (id, generation) VALUES (1, 1);

-- Conditions that one process sees and that every process and the doctor warn of, such as a proxy that
-- is not trusted. A name has one row, so the table stays small; a row that is old no longer counts.
CREATE TABLE observations (
    name    TEXT   NOT NULL PRIMARY KEY,
    subject TEXT   NOT NULL,
    seen_at BIGINT NOT NULL
);
