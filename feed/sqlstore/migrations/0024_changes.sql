-- The log of changes in their order of arrival (docs/adr/0040). On SQLite a change draws its
-- number in its own transaction, because there is one writer at a time. On PostgreSQL it
-- inserts its rows into change_queue, and one process numbers them after the commit.
--
-- kind is a feed.ChangeKind. other_id and content_id are 0 where the kind has none.
CREATE TABLE changes (
    number      {{number}},
    numbered_at BIGINT   NOT NULL,
    kind        SMALLINT NOT NULL,
    user_id     BIGINT   NOT NULL,
    other_id    BIGINT   NOT NULL,
    content_id  BIGINT   NOT NULL
);
CREATE INDEX idx_changes_user ON changes (user_id, number);

-- epoch tells numbers apart that were drawn twice, 0 before the first one is drawn. trimmed is
-- the highest number that was removed.
CREATE TABLE change_state (
    id      {{id}},
    epoch   BIGINT NOT NULL DEFAULT 0,
    trimmed BIGINT NOT NULL DEFAULT 0
);

{{only postgres}}
-- last is the highest number that was drawn; on SQLite sqlite_sequence has it. origin names
-- the database that drew it.
ALTER TABLE change_state ADD COLUMN last BIGINT NOT NULL DEFAULT 0;
ALTER TABLE change_state ADD COLUMN origin TEXT NOT NULL DEFAULT '';

-- The table is nearly empty most of the time, and each of its rows is deleted within a tenth
-- of a second. Frequent vacuums keep it and its index that small.
CREATE TABLE change_queue (
    id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind       SMALLINT NOT NULL,
    user_id    BIGINT   NOT NULL,
    other_id   BIGINT   NOT NULL,
    content_id BIGINT   NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_insert_threshold = -1);

-- change_origin identifies the database and its history: a replica that takes over, and a
-- backup that was recovered, begin a new timeline. A role that may not call
-- pg_control_system has the timeline alone.
CREATE FUNCTION change_origin() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    timeline text := substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8);
BEGIN
    RETURN (SELECT system_identifier::text FROM pg_control_system()) || '/' || timeline;
EXCEPTION WHEN insufficient_privilege THEN
    RETURN '/' || timeline;
END $$;

-- What the log replaces.
DROP TRIGGER note_stamp ON users;
DROP TRIGGER note_first_stamp ON user_counters;
DROP TRIGGER note_stamp ON user_counters;
DROP FUNCTION note_stamp_of_user();
DROP FUNCTION note_stamp_of_own();
DROP TABLE stamp_changes;
DROP TABLE stamp_holds;
{{end postgres}}

INSERT INTO change_state (id) VALUES (1);
-- Older programs do not write the log.
UPDATE feed_state SET least_schema = 24 WHERE id = 1;
