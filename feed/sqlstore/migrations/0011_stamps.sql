-- Counters for viewer versions, besides the relations version, which tell a process which
-- cached data is still valid.

-- changes rises with every publish, edit and deletion of one of the user's posts.
ALTER TABLE user_counters ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- marks rises whenever the mark of any author is raised.
ALTER TABLE feed_state ADD COLUMN marks BIGINT NOT NULL DEFAULT 0;

-- The authors to pull come from these indexes: edges with a later version than an inbox, and
-- the few authors with a mark.
CREATE INDEX idx_stamped ON follows (follower_id, version, followee_id) WHERE active = 1;
CREATE INDEX idx_marked ON users (mark, id) WHERE mark > 0;
