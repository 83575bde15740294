-- What the stamp of a viewer counts besides his relations, so that a process knows what of
-- all that it remembers still holds.

-- changes rises with every publish, edit and deletion of a content of the user's own.
ALTER TABLE user_counters ADD COLUMN changes BIGINT NOT NULL DEFAULT 0;

-- marks rises whenever the mark of any author is raised.
ALTER TABLE feed_state ADD COLUMN marks BIGINT NOT NULL DEFAULT 0;

-- Whom to pull is found from these: edges that are stamped later than an inbox, and the few
-- authors who have a mark.
CREATE INDEX idx_stamped ON follows (follower_id, version, followee_id) WHERE active = 1;
CREATE INDEX idx_marked ON users (mark, id) WHERE mark > 0;
