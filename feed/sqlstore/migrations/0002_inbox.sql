-- Inboxes, for installations that do not keep them in Redis. They are derived: emptying both
-- tables costs only the builds that fill them again.

-- idx_feed has all columns of an entry, so a page is read from it alone, backwards, and it
-- makes entries unique. The table needs no primary key, whose index would be the same.
CREATE TABLE inbox (
    user_id      BIGINT NOT NULL,
    publish_time BIGINT NOT NULL,
    content_id   BIGINT NOT NULL
);
CREATE UNIQUE INDEX idx_feed ON inbox (user_id, publish_time, content_id);

-- An inbox without a row here is absent and has no entries. state: 1 building, 2 ready.
-- version is the relations version of the build, entry_count the number of rows in inbox,
-- all of which are above the floor.
CREATE TABLE inbox_headers (
    user_id     {{id}},
    state       SMALLINT NOT NULL,
    token       TEXT     NOT NULL,
    generation  BIGINT   NOT NULL,
    version     BIGINT   NOT NULL DEFAULT 0,
    floor_ts    BIGINT   NOT NULL DEFAULT 0,
    floor_id    BIGINT   NOT NULL DEFAULT 0,
    started_at  BIGINT   NOT NULL,
    entry_count INTEGER  NOT NULL DEFAULT 0
);
