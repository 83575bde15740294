-- kind is that of the rows for reposts that are logged, and other_id their other user, 0 for the reposts'
-- authors.
ALTER TABLE repost_changes ADD COLUMN kind SMALLINT NOT NULL DEFAULT 4;
ALTER TABLE repost_changes ADD COLUMN other_id BIGINT NOT NULL DEFAULT 0;
-- Audience authors whose privacy or presence has changed: posts by others with them as audience author have
-- not been logged in changes yet, those after the last that was.
CREATE TABLE audience_changes (
    user_id   {{id}},
    kind      SMALLINT NOT NULL,
    logged_ts BIGINT   NOT NULL DEFAULT -1,
    logged_id BIGINT   NOT NULL DEFAULT 0
);
