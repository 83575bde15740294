-- What users without a record are (feed.UserMode).
ALTER TABLE feed_state ADD COLUMN users TEXT NOT NULL DEFAULT 'explicit';

UPDATE users SET awaited_at = 0 WHERE awaited_at > 0 AND deleted_at > 0;
DROP INDEX idx_users_awaited;
CREATE INDEX idx_users_awaited ON users (awaited_at, id) WHERE awaited_at > 0;
CREATE INDEX idx_users_taken_back ON users (id) WHERE absent > 0 AND awaited_at = 0 AND deleted_at = 0;

-- Posts that records have named and that have not arrived, since awaited_at; 0 if the source took the
-- post back before.
CREATE TABLE awaited_posts (
    id         {{id}},
    awaited_at BIGINT NOT NULL
);
CREATE INDEX idx_awaited_posts ON awaited_posts (awaited_at, id) WHERE awaited_at > 0;
