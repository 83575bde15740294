-- Coverage flags of authors, leases of activity, and columns for maintenance.

-- mark is what an author's fan-out has left out so far: 0 nothing, 1 inactive followers, 2
-- whole pushes. It only rises. Older versions set it only for skipped pushes. active_until
-- is the end of the user's lease of activity, on the clock of this database. It has no
-- index, so that renewing a lease writes only the row.
ALTER TABLE users RENAME COLUMN pulled TO mark;
ALTER TABLE users ADD COLUMN active_until BIGINT NOT NULL DEFAULT 0;
UPDATE users SET mark = 2 WHERE mark = 1;

-- The users that a viewer has unfollowed since a version are read from this index alone.
CREATE INDEX idx_unfollowed ON follows (follower_id, version, followee_id) WHERE active = 0;

-- selective says that the plan's pushes go to active followers only. created_at is when the
-- plan was stored, on the clock of this database; 0 for older plans.
ALTER TABLE plans ADD COLUMN selective SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN created_at BIGINT NOT NULL DEFAULT 0;
-- Cleanup reads the oldest rows first.
CREATE INDEX idx_plans_done ON plans (created_at, content_id) WHERE open_slices = 0;
CREATE INDEX idx_keys_used ON idempotency_keys (created_at);

-- warm_until is when the inbox stops covering authors with mark 1.
ALTER TABLE inbox_headers ADD COLUMN warm_until BIGINT NOT NULL DEFAULT 0;

-- The process that currently does a job for all, and until when.
CREATE TABLE leaders (
    name   TEXT   NOT NULL PRIMARY KEY,
    holder TEXT   NOT NULL,
    until  BIGINT NOT NULL
) {{without rowid}};
