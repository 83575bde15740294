-- The numbers of external ids, where ids are text (docs/adr/0043). A post that is only referred to
-- has a number and no row of its own.
CREATE TABLE external_ids (
    kind     TEXT NOT NULL,
    external TEXT {{bytewise}} NOT NULL,
    n        BIGINT NOT NULL,
    PRIMARY KEY (kind, external)
) {{without rowid}};
CREATE UNIQUE INDEX idx_external_ids_n ON external_ids (kind, n);

-- The external id again, so that pages read it with the row. It is empty where ids are numbers.
ALTER TABLE users ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
ALTER TABLE contents ADD COLUMN external_id TEXT NOT NULL DEFAULT '';
ALTER TABLE live_sessions ADD COLUMN external_id TEXT NOT NULL DEFAULT '';

-- A feed.IDMode; empty until the first start.
ALTER TABLE feed_state ADD COLUMN ids TEXT NOT NULL DEFAULT '';
