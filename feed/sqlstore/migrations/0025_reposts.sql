-- Deleted posts whose reposts have not been logged in changes yet, and the last repost that
-- was. A deletion inserts its row whether or not there are reposts, because others may commit
-- while it runs.
CREATE TABLE repost_changes (
    content_id {{id}},
    logged     BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX idx_contents_repost ON contents (repost_of, id) WHERE repost_of > 0;
