-- Why and when a coverage flag was raised, and since when its author has had few followers; 0 for
-- not known, and for many followers. mark may fall now, together with new versions of all edges to
-- the author.
ALTER TABLE users ADD COLUMN mark_reason SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN marked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN low_since BIGINT NOT NULL DEFAULT 0;

-- followed is the version at the follow, if a lowered flag has given the edge a later one; else 0.
ALTER TABLE follows ADD COLUMN followed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idx_followed_before ON follows (follower_id, followed, followee_id) WHERE followed > 0 AND active = 1;
