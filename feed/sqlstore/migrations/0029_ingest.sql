-- The versions of the records of objects that a source owns, also of objects that are not stored.
-- ended_at is when an edge ended; its version is kept for a while.
CREATE TABLE object_versions (
    type     TEXT   NOT NULL,
    a        BIGINT NOT NULL,
    b        BIGINT NOT NULL,
    epoch    BIGINT NOT NULL,
    version  BIGINT NOT NULL,
    ended_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (type, a, b)
) {{without rowid}};
CREATE INDEX idx_object_versions_ended ON object_versions (ended_at) WHERE ended_at > 0;

-- How far each partition of a source is applied.
CREATE TABLE source_positions (
    source   TEXT   NOT NULL,
    part     TEXT   NOT NULL,
    identity TEXT   NOT NULL,
    position TEXT   NOT NULL,
    moved_at BIGINT NOT NULL,
    PRIMARY KEY (source, part)
) {{without rowid}};

-- Lines of a source that could not be applied.
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
    overtaken  SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX idx_dead_letters_object ON dead_letters (object) WHERE overtaken = 0 AND object <> '';

-- links is the number of reposts between a post and the one that has changed.
ALTER TABLE repost_changes ADD COLUMN links SMALLINT NOT NULL DEFAULT 0;
