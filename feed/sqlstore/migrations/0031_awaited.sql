-- awaited_at is when a record first named a user who has not arrived; 0 once they have, and for
-- users that their source has taken back.
ALTER TABLE users ADD COLUMN awaited_at BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_users_awaited ON users (awaited_at) WHERE awaited_at > 0;

-- ordered is 1 for a line of a source with order, whose records have no versions.
ALTER TABLE dead_letters ADD COLUMN ordered SMALLINT NOT NULL DEFAULT 0;
