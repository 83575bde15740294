-- Follows of private accounts that their owners have not accepted. A request that ends is deleted.
CREATE TABLE follow_requests (
    follower_id BIGINT NOT NULL {{references users}},
    followee_id BIGINT NOT NULL {{references users}},
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (follower_id, followee_id)
) {{without rowid}};
-- Requests are listed by their time, to either side.
CREATE INDEX idx_follow_requests ON follow_requests (followee_id, created_at, follower_id);
CREATE INDEX idx_sent_requests ON follow_requests (follower_id, created_at, followee_id);
