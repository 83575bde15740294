-- What a follower has chosen for a follow or a request, a bit for each option; 1 is for special follows.
ALTER TABLE follows ADD COLUMN options SMALLINT NOT NULL DEFAULT 0;
ALTER TABLE follow_requests ADD COLUMN options SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX idx_special_follows ON follows (follower_id, followee_id) WHERE active = 1 AND options % 2 = 1;
CREATE INDEX idx_special_followers ON follows (followee_id, follower_id) WHERE active = 1 AND options % 2 = 1;
